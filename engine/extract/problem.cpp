#include "engine/extract/problem.h"

#include "engine/design/batch.h"
#include "engine/extract/entries.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace marquetry::extract {

namespace {

using design::Pin;
using design::PinKind;
using ir::UnitFunction;

class ProblemBuilder {
public:
    ProblemBuilder(ExtractionProblem& problem, const ProblemParams& params, std::stop_token stop)
        : problem_(problem), params_(params), stop_(std::move(stop)) {}

    Status run() {
        required_.assign(problem_.calls.size(), 0);
        rejected_.assign(problem_.calls.size(), 0);
        const Status pins = applyPins();
        if (!pins)
            return pins;
        problem_.pool.dspLimit = params_.dspLimit;
        problem_.pool.logicLimit = params_.logicLimit;
        problem_.pool.maxConvs = problem_.cost->maxConvs();
        problem_.pool.onePerClass =
            params_.model != design::CostModel::Cycles || !problem_.pool.mustShare.empty();
        problem_.paths = std::make_unique<Paths>(problem_.graph, *problem_.cost, problem_.pinBits,
                                                 params_.dspLimit);
        problem_.paths->growFromLeaves(stop_);
        groupCalls();
        if (params_.sharing)
            listEntries(problem_, firstCall_, params_.dspLimit, stop_);
        problem_.complete = problem_.complete && !stop_.stop_requested();
        return ok();
    }

private:
    UnitGraph& graph() { return problem_.graph; }

    Ways ways(std::size_t call) const {
        return problem_.streams ? problem_.streams->ways[call] : kOnMultipliers;
    }

    /// The call itself where it may be streamed: its unit is no other call's.
    std::size_t alone(std::size_t call) const {
        return ways(call) == kOnMultipliers ? problem_.calls.size() : call;
    }

    /// Equal calls make one demand, so that a deep network of few different layers stays small.
    void groupCalls() {
        using Window = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>;
        using Key = std::tuple<int, std::int64_t, Window, std::int64_t,
                               std::optional<design::HeldMatrix>, std::int64_t, bool, std::int64_t,
                               design::LaneFunction, std::uint32_t, std::uint32_t, std::size_t>;
        std::map<Key, int> demands;
        PoolProblem& pool = problem_.pool;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
            const CallInfo& call = problem_.calls[c];
            const cost::WindowWords& w = call.window;
            const Key key{graph().roots[c],
                          call.pixels,
                          {w.rows, w.pixels, w.words, w.channels, call.spans},
                          call.besidesCycles,
                          call.held,
                          call.parts,
                          call.pass,
                          call.fixedCycles,
                          call.laneFunction,
                          required_[c],
                          rejected_[c],
                          alone(c)};
            const auto [entry, added] = demands.emplace(key, static_cast<int>(pool.demands.size()));
            if (added) {
                pool.demands.push_back({{}, required_[c], rejected_[c], ways(c), 0});
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
            const bool keepsOut =
                pin.kind == PinKind::NeverShare || pin.kind == PinKind::ForbidTerm;
            if (!known && !(keepsOut && params_.absentIsOut))
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
        if (!problem_.neverShare.insert(eclass).second)
            return;
        for (const UnitNode& node : problem_.eclass(eclass).nodes)
            if (rules::info(node.skeleton).role == rules::SkeletonRole::Core)
                forbidSharing(node.child);
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
        addStreamed(demand, call);
        if ((demand.ways & kOnMultipliers) != 0)
            addOwnUnits(demand, call);
        std::ranges::stable_sort(demand.options, {}, &PrivateOption::time);
    }

    /// Pins that ask for another term, and limits, leave stream units out.
    void addStreamed(CallDemand& demand, std::size_t call) const {
        Ways added = 0;
        for (std::size_t k = 0; problem_.streams && k < problem_.streams->options.size(); ++k) {
            const StreamOption& stream = problem_.streams->options[k];
            device::Resources logic = stream.resources;
            logic.dsp = 0;
            device::Resources limit = params_.logicLimit;
            limit.dsp = 0;
            if (stream.call != call || (demand.ways & wayBit(stream.way)) == 0 ||
                demand.requiredPins != 0 || !logic.fits(limit))
                continue;
            added |= wayBit(stream.way);
            demand.options.push_back({static_cast<double>(params_.frames * stream.cycles),
                                      0,
                                      0,
                                      -1,
                                      stream.way,
                                      static_cast<int>(k),
                                      logic,
                                      {}});
        }
        demand.ways &= kOnMultipliers | added;
    }

    void addOwnUnits(CallDemand& demand, std::size_t call) const {
        for (int index : problem_.paths->set(problem_.graph.roots[call])) {
            const PathCost& term = problem_.paths->path(index).cost;
            if (!demand.accepts(term.pins))
                continue;
            for (const PathCost& form :
                 problem_.cost->forms(term, problem_.eclass(problem_.graph.roots[call]).shape))
                if (problem_.cost->serves(problem_.calls[call], form))
                    addOwnUnit(demand, call, index, form);
        }
    }

    /// Unless another one is no worse.
    void addOwnUnit(CallDemand& demand, std::size_t call, int path, const PathCost& form) const {
        PrivateOption option;
        option.time = problem_.cost->callTime(problem_.calls[call], form);
        option.dsp = form.dsp;
        option.convs = form.convs;
        option.path = path;
        option.body = form;
        const auto covers = [](const PrivateOption& a, const PrivateOption& b) {
            return a.stream < 0 && b.stream < 0 && a.time <= b.time && a.dsp <= b.dsp &&
                   a.convs <= b.convs;
        };
        const auto coversIt = [&](const PrivateOption& other) { return covers(other, option); };
        if (form.dsp > problem_.pool.dspLimit || std::ranges::any_of(demand.options, coversIt))
            return;
        std::erase_if(demand.options,
                      [&](const PrivateOption& other) { return covers(option, other); });
        demand.options.push_back(option);
    }

    ExtractionProblem& problem_;
    const ProblemParams& params_;
    std::stop_token stop_;
    std::vector<std::uint32_t> required_; ///< by call
    std::vector<std::uint32_t> rejected_;
    std::vector<std::size_t> firstCall_; ///< by demand
};

} // namespace

bool ExtractionProblem::mayNest(int index) const {
    const bool counts = pool.maxConvs >= 0 && eclass(index).shape.function == UnitFunction::Conv;
    return counts || std::ranges::find(pool.mustShare, index) != pool.mustShare.end();
}

int ExtractionProblem::streamOf(const PoolSolution& solution, std::size_t call) const {
    const CallChoice& choice = solution.calls[call];
    if (choice.entry >= 0)
        return -1;
    return pool.demand(call).options[static_cast<std::size_t>(choice.option)].stream;
}

std::vector<bool> ExtractionProblem::joinableIn(const PoolSolution& solution) const {
    std::vector<bool> joins = joinable;
    for (std::size_t c = 0; c < calls.size(); ++c) {
        if (streamOf(solution, c) < 0)
            continue;
        joins[c] = false;
        if (c + 1 < calls.size())
            joins[c + 1] = false;
    }
    return joins;
}

bool ExtractionProblem::isOver() const {
    return stopToken.stop_requested() || std::chrono::steady_clock::now() >= pool.deadline;
}

const Reaches& ExtractionProblem::reachesFrom(int eclass, std::stop_token stop) {
    std::unique_ptr<Reaches>& known = reaches[eclass];
    if (!known)
        known = std::make_unique<Reaches>(graph, *cost, pinBits, eclass, std::move(stop));
    return *known;
}

namespace {

double fixedDsp(const std::vector<CallInfo>& calls) {
    double dsp = 0;
    for (const CallInfo& call : calls)
        dsp += call.fixedDsp;
    return dsp;
}

} // namespace

std::string termName(const UnitNode& node) {
    return rules::printNode(rules::info(node.skeleton).name, node.params);
}

Result<std::unique_ptr<ExtractionProblem>>
makeProblem(const rules::Lowered& lowered, const ProblemParams& params, std::stop_token stop) {
    auto problem = std::make_unique<ExtractionProblem>();
    problem->lowered = &lowered;
    problem->graph = buildUnitGraph(lowered);
    problem->calls = callInfos(lowered, params.frames);
    problem->frames = params.frames;
    problem->mostAtOnce =
        design::whyOneFrame(*lowered.program, lowered.plan).empty() ? params.frames : 1;
    problem->streams = params.streams;
    problem->joinable = lowered.joinable;
    problem->writeBacks = writeBacksOf(lowered, problem->calls);
    problem->exactPrices = params.model != design::CostModel::Cycles || problem->writeBacks.exact();
    if (params.price == Price::Least)
        problem->writeBacks = problem->writeBacks.least();
    problem->spans = usefulSpans(problem->calls, lowered.menu.lanes, params.mostSpan);
    problem->stopToken = stop;
    problem->cost = makeTermCost(params.model, params.device, lowered.menu, problem->writeBacks,
                                 problem->spans);
    ProblemParams left = params;
    if (params.model == design::CostModel::Cycles)
        problem->fixedDsp = problem->writeBacks.allPassesDsp() + fixedDsp(problem->calls);
    left.dspLimit -= problem->fixedDsp;
    const Status status = ProblemBuilder(*problem, left, std::move(stop)).run();
    if (!status)
        return status.error();
    return problem;
}

} // namespace marquetry::extract
