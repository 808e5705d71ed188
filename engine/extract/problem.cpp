#include "engine/extract/problem.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace marquetry::extract {

namespace {

using design::Pin;
using design::PinKind;
using ir::UnitFunction;

/// Larger units first, then the shortest schedules, then smaller shapes: the order in which equal
/// entries are preferred.
auto preference(const UnitGraph& graph, const Entry& entry) {
    const UnitClass& eclass = graph.classes[static_cast<std::size_t>(entry.eclass)];
    const ir::UnitShape& shape = eclass.shape;
    const int rank = shape.function == UnitFunction::Dot  ? 2
                     : shape.function == UnitFunction::Mv ? 1
                                                          : 0;
    int schedule = 0;
    for (const std::vector<ViaOption>& options : entry.via)
        for (const ViaOption& option : options)
            schedule += option.size;
    return std::tuple(rank, schedule, shape.rows * shape.cols * shape.height * shape.width,
                      entry.dsp, entry.eclass);
}

bool covers(const std::vector<ViaOption>& better, const std::vector<ViaOption>& worse) {
    return std::ranges::all_of(worse, [&](const ViaOption& w) {
        return std::ranges::any_of(
            better, [&](const ViaOption& b) { return b.time <= w.time && b.convs <= w.convs; });
    });
}

bool covers(const Entry& better, const Entry& worse) {
    if (better.dsp > worse.dsp || better.convs > worse.convs)
        return false;
    for (std::size_t c = 0; c < worse.via.size(); ++c)
        if (!covers(better.via[c], worse.via[c]))
            return false;
    return true;
}

/// Candidate units that the search lists at most; those that most calls can reach come first.
constexpr std::size_t kMaxEntries = 20'000;

class Builder {
public:
    Builder(ExtractionProblem& problem, const ProblemParams& params, std::stop_token stop)
        : problem_(problem), params_(params), stop_(std::move(stop)) {}

    Status run() {
        required_.assign(problem_.calls.size(), 0);
        rejected_.assign(problem_.calls.size(), 0);
        const Status pins = applyPins();
        if (!pins)
            return pins;
        problem_.pool.dspLimit = params_.dspLimit;
        problem_.pool.maxConvs = problem_.cost->maxConvs();
        problem_.paths = std::make_unique<Paths>(problem_.graph, *problem_.cost, problem_.pinBits,
                                                 params_.dspLimit);
        problem_.paths->growFromLeaves(stop_);
        groupCalls();
        if (params_.sharing)
            addEntries();
        problem_.complete = problem_.complete && !stop_.stop_requested();
        return ok();
    }

private:
    UnitGraph& graph() { return problem_.graph; }

    /// Equal calls make one demand, so that a deep network of few different layers stays small.
    void groupCalls() {
        using Key = std::tuple<int, std::int64_t, std::int64_t, std::int64_t, bool, std::uint32_t,
                               std::uint32_t>;
        std::map<Key, int> demands;
        PoolProblem& pool = problem_.pool;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
            const CallInfo& call = problem_.calls[c];
            const Key key{graph().roots[c], call.pixels,  call.reductionWords, call.copyCycles,
                          call.pass,        required_[c], rejected_[c]};
            const auto [entry, added] = demands.emplace(key, static_cast<int>(pool.demands.size()));
            if (added) {
                pool.demands.push_back({{}, required_[c], rejected_[c], 0});
                firstCall_.push_back(c);
                addOptions(pool.demands.back(), c);
            }
            ++pool.demands[static_cast<std::size_t>(entry->second)].count;
            pool.demandOf.push_back(entry->second);
        }
    }

    // ---- pins ----

    Status applyPins() {
        Diagnostics errors;
        int bit = 0;
        for (const Pin& pin : params_.pins) {
            if (!pin.enabled)
                continue;
            const bool known = pin.kind == PinKind::Share || pin.kind == PinKind::NeverShare
                                   ? applySharing(pin)
                                   : applyTerm(pin, bit);
            if (!known)
                errors.push_back(
                    makeError("pin-unknown",
                              "pin \"" + toString(pin) + "\" names nothing in this design space",
                              "use a name as the Sharing or E-graph view prints it"));
        }
        if (bit > 31)
            errors.push_back(makeError("pin-limit", "more than 31 term pins"));
        if (!errors.empty())
            return errors;
        return ok();
    }

    bool applySharing(const Pin& pin) {
        bool known = false;
        for (std::size_t c = 0; c < graph().classes.size(); ++c) {
            if (toString(graph().classes[c].shape) != pin.target)
                continue;
            known = true;
            auto& must = problem_.pool.mustShare;
            if (pin.kind == PinKind::NeverShare)
                forbidSharing(static_cast<int>(c));
            else if (std::ranges::find(must, static_cast<int>(c)) == must.end())
                must.push_back(static_cast<int>(c));
        }
        return known;
    }

    /// The unit itself and the units it is made of: sharing its inside shares the same hardware.
    void forbidSharing(int eclass) {
        for (int at = eclass; at >= 0;) {
            problem_.neverShare.insert(at);
            int inside = -1;
            for (const UnitNode& node : graph().classes[static_cast<std::size_t>(at)].nodes)
                if (rules::info(node.skeleton).role == rules::Role::Core)
                    inside = node.child;
            at = inside;
        }
    }

    bool applyTerm(const Pin& pin, int& bit) {
        if (bit > 31)
            return true;
        if (problem_.pinBits.empty())
            for (const UnitClass& eclass : graph().classes)
                problem_.pinBits.emplace_back(eclass.nodes.size(), 0U);
        const std::uint32_t mask = std::uint32_t{1} << bit++;
        bool known = false;
        for (std::size_t c = 0; c < graph().classes.size(); ++c)
            for (std::size_t n = 0; n < graph().classes[c].nodes.size(); ++n)
                if (termName(graph().classes[c].nodes[n]) == pin.target) {
                    problem_.pinBits[c][n] |= mask;
                    known = true;
                }
        bool layerKnown = pin.layer.empty();
        const auto& layers = problem_.lowered->plan.layers;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
            const bool here =
                pin.layer.empty() || layers[problem_.calls[c].layer].name == pin.layer;
            if (!here)
                continue;
            layerKnown = true;
            (pin.kind == PinKind::ForceTerm ? required_ : rejected_)[c] |= mask;
        }
        return known && layerKnown;
    }

    // ---- private options ----

    void addOptions(CallDemand& demand, std::size_t call) const {
        for (int index : problem_.paths->set(problem_.graph.roots[call])) {
            const PathCost& cost = problem_.paths->path(index).cost;
            if (demand.accepts(cost.pins))
                demand.options.push_back({problem_.cost->callTime(problem_.calls[call], cost),
                                          cost.dsp, cost.convs, index});
        }
        std::ranges::stable_sort(demand.options, {}, &PrivateOption::time);
    }

    // ---- entries ----

    void addEntries() {
        for (std::size_t first : firstCall_)
            problem_.reachesFrom(graph().roots[first], stop_);
        for (int c : shareable())
            for (int body : problem_.paths->set(c))
                if (problem_.paths->path(body).cost.dsp <= params_.dspLimit && !exhausted())
                    addEntry(c, body);
        reduce();
        if (problem_.pool.maxConvs >= 0)
            addNested();
        problem_.complete = !exhausted();
    }

    /// Classes that several calls reach, most calls first: when the search is cut, the units that
    /// save most are there.
    std::vector<int> shareable() const {
        std::vector<int> classes;
        for (std::size_t c = 0; c < problem_.graph.classes.size(); ++c) {
            const UnitClass& eclass = problem_.graph.classes[c];
            if (eclass.callSites >= 2 && eclass.shape.function != UnitFunction::Map &&
                !problem_.neverShare.contains(static_cast<int>(c)))
                classes.push_back(static_cast<int>(c));
        }
        std::ranges::stable_sort(classes, std::greater<>(), [&](int c) {
            return problem_.graph.classes[static_cast<std::size_t>(c)].callSites;
        });
        return classes;
    }

    bool exhausted() const {
        return problem_.pool.entries.size() >= kMaxEntries || stop_.stop_requested();
    }

    void addEntry(int eclass, int body) {
        Entry entry;
        entry.eclass = eclass;
        entry.body = body;
        entry.bodyCost = problem_.paths->path(body).cost;
        entry.dsp = entry.bodyCost.dsp;
        entry.convs = entry.bodyCost.convs;
        fillVia(entry);
    }

    void fillVia(Entry entry) {
        const UnitGraph& units = problem_.graph;
        int reached = 0;
        entry.via.resize(problem_.pool.demands.size());
        for (std::size_t d = 0; d < entry.via.size(); ++d) {
            const CallDemand& demand = problem_.pool.demands[d];
            const std::size_t call = firstCall_[d];
            const int root = units.roots[call];
            const Reaches& reaches = problem_.reachesFrom(root, stop_);
            for (int index : reaches.set(entry.eclass)) {
                const PathCost cost = problem_.cost->use(problem_.eclass(root).shape,
                                                         reaches.reach(index).cost, entry.bodyCost);
                if (demand.accepts(cost.pins))
                    addVia(entry.via[d], {problem_.cost->callTime(problem_.calls[call], cost),
                                          cost.convs, cost.size, index});
            }
            reached += entry.via[d].empty() ? 0 : demand.count;
        }
        if (reached >= 2)
            problem_.pool.entries.push_back(std::move(entry));
    }

    static void addVia(std::vector<ViaOption>& options, const ViaOption& option) {
        if (covers(options, {option}))
            return;
        std::erase_if(options, [&](const ViaOption& other) {
            return option.time <= other.time && option.convs <= other.convs;
        });
        options.push_back(option);
    }

    void reduce() {
        std::vector<Entry>& entries = problem_.pool.entries;
        std::ranges::stable_sort(
            entries, {}, [&](const Entry& entry) { return preference(problem_.graph, entry); });
        const auto& must = problem_.pool.mustShare;
        std::vector<Entry> kept;
        for (Entry& entry : entries) {
            const bool pinned = std::ranges::find(must, entry.eclass) != must.end();
            const auto better = std::ranges::find_if(
                kept, [&](const Entry& other) { return covers(other, entry); });
            if (better != kept.end() && !pinned) {
                noteCovered(entry, better->eclass);
                continue;
            }
            std::erase_if(kept, [&](const Entry& other) {
                const bool keep = std::ranges::find(must, other.eclass) != must.end();
                const bool worse = !keep && covers(entry, other) && !covers(other, entry);
                if (worse)
                    noteCovered(other, entry.eclass);
                return worse;
            });
            kept.push_back(std::move(entry));
        }
        entries = std::move(kept);
    }

    /// The cheapest body speaks for the class; Dots are the inside of an Mv and left out.
    void noteCovered(const Entry& entry, int by) {
        const UnitClass& eclass = graph().classes[static_cast<std::size_t>(entry.eclass)];
        if (eclass.shape.function == UnitFunction::Dot || entry.eclass == by)
            return;
        auto known = std::ranges::find(problem_.covered, entry.eclass, &CoveredCandidate::eclass);
        if (known != problem_.covered.end()) {
            known->dsp = std::min(known->dsp, entry.dsp);
            return;
        }
        CoveredCandidate candidate{entry.eclass, by, entry.dsp, {}};
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (!entry.via[static_cast<std::size_t>(problem_.pool.demandOf[c])].empty())
                candidate.calls.push_back(c);
        problem_.covered.push_back(std::move(candidate));
    }

    /// Convolution units that call another outlined unit: the only nesting that can pay, as it
    /// changes how many convolutions count (SkeleShare's conv_count ≤ 1).
    void addNested() {
        const std::size_t bases = problem_.pool.entries.size();
        for (std::size_t c = 0; c < graph().classes.size(); ++c) {
            const int eclass = static_cast<int>(c);
            const UnitClass& unit = problem_.eclass(eclass);
            if (unit.shape.function != UnitFunction::Conv || unit.callSites < 2 ||
                problem_.neverShare.contains(eclass))
                continue;
            const Reaches& reaches = problem_.reachesFrom(eclass, stop_);
            for (std::size_t base = 0; base < bases && !exhausted(); ++base) {
                const Entry under = problem_.pool.entries[base];
                if (under.eclass == eclass)
                    continue;
                for (int index : reaches.set(under.eclass))
                    addNestedEntry(eclass, static_cast<int>(base), reaches, index);
            }
        }
    }

    void addNestedEntry(int eclass, int base, const Reaches& reaches, int index) {
        Entry entry;
        entry.eclass = eclass;
        entry.base = base;
        entry.reach = index;
        entry.bodyCost =
            problem_.cost->use(problem_.eclass(eclass).shape, reaches.reach(index).cost,
                               problem_.entry(base).bodyCost);
        entry.convs = entry.bodyCost.convs;
        fillVia(std::move(entry));
    }

    ExtractionProblem& problem_;
    const ProblemParams& params_;
    std::stop_token stop_;
    std::vector<std::uint32_t> required_; ///< by call
    std::vector<std::uint32_t> rejected_;
    std::vector<std::size_t> firstCall_; ///< by demand
};

} // namespace

const Reaches& ExtractionProblem::reachesFrom(int eclass, std::stop_token stop) {
    std::unique_ptr<Reaches>& known = reaches[eclass];
    if (!known)
        known = std::make_unique<Reaches>(graph, *cost, pinBits, eclass, std::move(stop));
    return *known;
}

std::string termName(const UnitNode& node) {
    return rules::printNode(rules::info(node.skeleton).name, node.params);
}

Result<std::unique_ptr<ExtractionProblem>>
makeProblem(const rules::Lowered& lowered, const ProblemParams& params, std::stop_token stop) {
    auto problem = std::make_unique<ExtractionProblem>();
    problem->lowered = &lowered;
    problem->graph = buildUnitGraph(lowered);
    problem->calls = callInfos(lowered);
    problem->cost = makeTermCost(params.model, params.device, lowered.menu.lanes);
    const Status status = Builder(*problem, params, std::move(stop)).run();
    if (!status)
        return status.error();
    return problem;
}

} // namespace marquetry::extract
