#include "engine/extract/entries.h"

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

namespace marquetry::extract {

namespace {

using ir::UnitFunction;

/// Larger units first.
int rankOf(const ir::UnitShape& shape) {
    if (shape.function == UnitFunction::Dot)
        return 2;
    return shape.function == UnitFunction::Mv ? 1 : 0;
}

std::int64_t sizeOf(const ir::UnitShape& shape) {
    return shape.rows * shape.cols * shape.height * shape.width;
}

/// Larger units first, then the shortest schedules, then smaller shapes: the order in which equal
/// entries are preferred.
auto preference(const UnitGraph& graph, const PoolEntry& entry) {
    const UnitClass& eclass = graph.classes[static_cast<std::size_t>(entry.eclass)];
    const ir::UnitShape& shape = eclass.shape;
    int schedule = 0;
    for (const std::vector<ViaOption>& options : entry.via)
        for (const ViaOption& option : options)
            schedule += option.size;
    return std::tuple(rankOf(shape), schedule, sizeOf(shape), entry.dsp, entry.eclass);
}

bool covers(const std::vector<ViaOption>& better, const std::vector<ViaOption>& worse) {
    return std::ranges::all_of(worse, [&](const ViaOption& w) {
        return std::ranges::any_of(
            better, [&](const ViaOption& b) { return b.time <= w.time && b.convs <= w.convs; });
    });
}

bool covers(const PoolEntry& better, const PoolEntry& worse) {
    if (better.dsp > worse.dsp || better.convs > worse.convs)
        return false;
    for (std::size_t c = 0; c < worse.via.size(); ++c)
        if (!covers(better.via[c], worse.via[c]))
            return false;
    return true;
}

/// Candidate units that the search lists at most; those that most calls can reach come first.
constexpr std::size_t kMaxEntries = 20'000;
class EntryList {
public:
    EntryList(ExtractionProblem& problem, const std::vector<std::size_t>& firstCall,
              double dspLimit, std::stop_token stop)
        : problem_(problem),
          firstCall_(firstCall),
          dspLimit_(dspLimit),
          stop_(std::move(stop)),
          shareable_(shareable()) {
        std::ranges::copy_if(shareable_, std::back_inserter(nesting_),
                             [&](int c) { return problem_.mayNest(c); });
    }

    void run() {
        for (std::size_t first : firstCall_)
            problem_.reachesFrom(problem_.graph.roots[first], stop_);
        for (int c : shareable_)
            for (int body : problem_.paths->set(c))
                for (const PathCost& form : problem_.cost->forms(problem_.paths->path(body).cost,
                                                                 problem_.eclass(c).shape))
                    if (form.dsp <= dspLimit_ && !exhausted())
                        addEntry(c, body, form);
        std::vector<PoolEntry> dropped = reduce();
        std::ranges::move(dropped, std::back_inserter(dropped_));
        restoreBases(std::move(dropped_));
        nested_ = true;
        addNested();
        problem_.complete = !cut_ && !stop_.stop_requested();
    }

private:
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
        std::ranges::stable_sort(classes, {}, [&](int c) {
            const UnitClass& eclass = problem_.graph.classes[static_cast<std::size_t>(c)];
            return std::tuple(-eclass.callSites, rankOf(eclass.shape), sizeOf(eclass.shape));
        });
        return classes;
    }

    bool exhausted() {
        cut_ = cut_ || problem_.pool.entries.size() >= kMaxEntries;
        return cut_ || stop_.stop_requested();
    }

    void addEntry(int eclass, int body, const PathCost& form) {
        PoolEntry entry;
        entry.eclass = eclass;
        entry.body = body;
        entry.bodyCost = form;
        entry.dsp = entry.bodyCost.dsp;
        entry.convs = entry.bodyCost.convs;
        fillVia(entry);
    }

    void fillVia(PoolEntry entry) {
        const UnitGraph& units = problem_.graph;
        int reached = 0;
        entry.via.resize(problem_.pool.demands.size());
        for (std::size_t d = 0; d < entry.via.size(); ++d) {
            const CallDemand& demand = problem_.pool.demands[d];
            const std::size_t call = firstCall_[d];
            if ((demand.ways & kOnMultipliers) == 0 ||
                !problem_.cost->serves(problem_.calls[call], entry.bodyCost))
                continue;
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
        entry.leastCalls = hasTwins(entry) ? 2 : 1;
        if (reached >= entry.leastCalls && (nested_ || !isCovered(entry)))
            problem_.pool.entries.push_back(std::move(entry));
    }

    /// For any call that the unit might serve alone something else is as good: a private unit, or
    /// what a nested unit calls. Most units have such twins, as a call's own chain of terms goes
    /// through the unit's class. There is none where the call's class has too few columns for as
    /// many stored words at once, and where pins let a call have the unit but not its twin.
    bool hasTwins(const PoolEntry& entry) const {
        const PoolEntry* base = entry.base < 0 ? nullptr : &problem_.entry(entry.base);
        for (std::size_t d = 0; d < entry.via.size(); ++d)
            for (const ViaOption& via : entry.via[d]) {
                const int convs = via.convs + entry.convs;
                const auto isTwin = [&](const PrivateOption& option) {
                    return option.stream < 0 && option.time <= via.time &&
                           option.dsp <= entry.dsp && option.convs <= convs;
                };
                const bool own = std::ranges::any_of(problem_.pool.demands[d].options, isTwin);
                if (!own && !(base && covers(base->via[d], {{via.time, convs, 0, -1}})))
                    return false;
            }
        return true;
    }

    /// By one of the same form, which those of other classes are for the most part.
    bool isCovered(PoolEntry& entry) {
        const PathCost& body = entry.bodyCost;
        std::vector<std::size_t>& alike =
            alike_[{body.parallel, body.span, body.writeLanes, body.lanewise}];
        for (std::size_t k : alike) {
            PoolEntry& kept = problem_.pool.entries[k];
            if (!mayCover(kept, entry))
                continue;
            if (mayCover(entry, kept) &&
                preference(problem_.graph, entry) < preference(problem_.graph, kept))
                std::swap(kept, entry);
            noteCovered(entry, kept.eclass);
            if (isNested(entry))
                dropped_.push_back(std::move(entry));
            return true;
        }
        alike.push_back(problem_.pool.entries.size());
        return false;
    }

    /// A class that a pin asks for is covered by none but its own.
    bool mayCover(const PoolEntry& better, const PoolEntry& worse) const {
        const auto& must = problem_.pool.mustShare;
        const bool pinned = std::ranges::find(must, worse.eclass) != must.end();
        return (!pinned || better.eclass == worse.eclass) && covers(better, worse);
    }

    static void addVia(std::vector<ViaOption>& options, const ViaOption& option) {
        if (covers(options, {option}))
            return;
        std::erase_if(options, [&](const ViaOption& other) {
            return option.time <= other.time && option.convs <= other.convs;
        });
        options.push_back(option);
    }

    /// Drops entries that others cover, and returns them.
    std::vector<PoolEntry> reduce() {
        std::vector<PoolEntry>& entries = problem_.pool.entries;
        std::ranges::stable_sort(
            entries, {}, [&](const PoolEntry& entry) { return preference(problem_.graph, entry); });
        const auto& must = problem_.pool.mustShare;
        std::vector<PoolEntry> kept;
        std::vector<PoolEntry> dropped;
        for (PoolEntry& entry : entries) {
            const bool pinned = std::ranges::find(must, entry.eclass) != must.end();
            const auto better = std::ranges::find_if(kept, [&](const PoolEntry& other) {
                return (!pinned || other.eclass == entry.eclass) && covers(other, entry);
            });
            if (better != kept.end()) {
                noteCovered(entry, better->eclass);
                dropped.push_back(std::move(entry));
                continue;
            }
            const auto worse = std::ranges::stable_partition(kept, [&](const PoolEntry& other) {
                const bool keep = std::ranges::find(must, other.eclass) != must.end() &&
                                  other.eclass != entry.eclass;
                return keep || !covers(entry, other) || covers(other, entry);
            });
            for (PoolEntry& other : worse) {
                noteCovered(other, entry.eclass);
                dropped.push_back(std::move(other));
            }
            kept.erase(worse.begin(), worse.end());
            kept.push_back(std::move(entry));
        }
        entries = std::move(kept);
        return dropped;
    }

    /// A unit that others cover for every call may be the only one that a nested unit can call.
    void restoreBases(std::vector<PoolEntry> dropped) {
        std::vector<PoolEntry>& entries = problem_.pool.entries;
        for (PoolEntry& entry : dropped) {
            const bool needed = std::ranges::any_of(nesting_, [&](int outer) {
                return nests(outer, entry) && !nestsAsWell(outer, entry);
            });
            if (needed)
                entries.push_back(std::move(entry));
        }
    }

    /// The outer unit, of a class that may nest, can call the entry.
    bool nests(int outer, const PoolEntry& entry) {
        return outer != entry.eclass &&
               !problem_.reachesFrom(outer, stop_).set(entry.eclass).empty();
    }

    bool isNested(const PoolEntry& entry) {
        return std::ranges::any_of(nesting_, [&](int outer) { return nests(outer, entry); });
    }

    /// For every way the outer unit can call the entry it can call one that covers it at no more
    /// cost.
    bool nestsAsWell(int outer, const PoolEntry& entry) {
        const Reaches& reaches = problem_.reachesFrom(outer, stop_);
        const std::vector<int>& ways = reaches.set(entry.eclass);
        const auto bodyOf = [&](const PoolEntry& base, int reach) {
            return problem_.cost->use(problem_.eclass(outer).shape, reaches.reach(reach).cost,
                                      base.bodyCost);
        };
        return std::ranges::all_of(ways, [&](int way) {
            const PathCost worse = bodyOf(entry, way);
            return std::ranges::any_of(problem_.pool.entries, [&](const PoolEntry& other) {
                return other.eclass != outer && covers(other, entry) &&
                       std::ranges::any_of(reaches.set(other.eclass), [&](int reach) {
                           const PathCost body = bodyOf(other, reach);
                           return body.time <= worse.time && body.convs <= worse.convs &&
                                  body.pins == worse.pins;
                       });
            });
        });
    }

    /// The cheapest body speaks for the class; Dots are the inside of an Mv and left out.
    void noteCovered(const PoolEntry& entry, int by) {
        const UnitClass& eclass = problem_.graph.classes[static_cast<std::size_t>(entry.eclass)];
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

    /// Units that call another outlined unit, which calls none.
    void addNested() {
        const std::size_t bases = problem_.pool.entries.size();
        for (int eclass : nesting_) {
            // Without a pin, what is above the inner unit must be worth counting once.
            const auto& must = problem_.pool.mustShare;
            const bool pinned = std::ranges::find(must, eclass) != must.end();
            const Reaches& reaches = problem_.reachesFrom(eclass, stop_);
            for (std::size_t base = 0; base < bases && !exhausted(); ++base) {
                const PoolEntry under = problem_.pool.entries[base];
                if (under.eclass == eclass)
                    continue;
                for (int index : reaches.set(under.eclass))
                    if (pinned || reaches.reach(index).cost.convs > 0)
                        addNestedEntry(eclass, static_cast<int>(base), reaches, index);
            }
        }
    }

    void addNestedEntry(int eclass, int base, const Reaches& reaches, int index) {
        PoolEntry entry;
        entry.eclass = eclass;
        entry.base = base;
        entry.reach = index;
        entry.bodyCost =
            problem_.cost->use(problem_.eclass(eclass).shape, reaches.reach(index).cost,
                               problem_.entry(base).bodyCost);
        entry.convs = entry.bodyCost.convs;
        const std::size_t listed = problem_.pool.entries.size();
        fillVia(std::move(entry));
        std::vector<PoolEntry>& entries = problem_.pool.entries;
        PoolEntry& under = entries[static_cast<std::size_t>(base)];
        for (std::size_t k = listed; k < entries.size(); ++k)
            under.leastCalls = std::min(under.leastCalls, entries[k].leastCalls);
    }

    ExtractionProblem& problem_;
    const std::vector<std::size_t>& firstCall_; ///< by demand
    double dspLimit_;
    std::stop_token stop_;
    std::vector<int> shareable_;
    std::vector<int> nesting_; ///< of these, those that may call another unit
    bool nested_ = false;      ///< units that call another one are listed
    bool cut_ = false;
    std::vector<PoolEntry> dropped_;
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>, std::vector<std::size_t>>
        alike_; ///< entries by rows, stored words and lanes that write
};

} // namespace

void listEntries(ExtractionProblem& problem, const std::vector<std::size_t>& firstCall,
                 double dspLimit, std::stop_token stop) {
    EntryList(problem, firstCall, dspLimit, std::move(stop)).run();
}

} // namespace marquetry::extract
