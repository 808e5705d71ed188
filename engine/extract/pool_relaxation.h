// Lower bounds on what a pool can reach, when some entries are known to be in and others out.
//
// Let the DSP limit be replaced by a price λ per DSP. Choosing the remaining entries is then
// uncapacitated facility location: opening an entry costs λ · dsp, and serving a call costs its
// time. The dual of that problem has one value per call, which is raised as long as no entry is
// paid more than its price. For every λ ≥ 0 it bounds all pools below the node (Erlenkotter, "A
// dual-based procedure for uncapacitated facility location", 1978). The best λ is searched for, and
// the bound is valid wherever that search ends.
//
// The limit on the logic of streamed circuits becomes a price as well where it matters, that on the
// scarcest resource.
//
// Limits on convolutions and classes that must be shared only take options away, so a bound that
// ignores what is left of them is still valid.
// Complexity: O(demands · entries) to make; O(breakpoints) per λ.
// Thread rule: EntryTimes belongs to one search, the rest is pure.
#pragma once

#include "engine/extract/pool_logic.h"

#include <map>
#include <utility>
#include <vector>

namespace marquetry::extract {

/// What a node of the search has decided.
struct PoolChoice {
    std::vector<int> in;   ///< entries that are built, bases included
    std::vector<bool> out; ///< by entry
    WayChoice ways;        ///< allowed, by demand
};

struct PoolBound {
    double value = 0;
    double price = 0; ///< λ
};

/// What every entry can serve every demand in: the same for all nodes of a search, so sorted once.
class EntryTimes {
public:
    struct Time {
        double time = 0;
        int entry = 0;
        int leastConvs = 0; ///< of any of its options
    };
    using Lists = std::vector<std::vector<Time>>; ///< by demand, fastest first

    explicit EntryTimes(const PoolProblem& problem) : problem_(problem) {}

    /// With so many convolutions left for an entry and what calls it. Entries that cannot are left
    /// out.
    const Lists& within(int convsLeft);

private:
    const PoolProblem& problem_;
    std::map<int, Lists> lists_;
};

class Relaxation {
public:
    /// Without `times` no entry but those that are in may be used.
    Relaxation(const PoolProblem& problem, const PoolChoice& choice, double budget,
               EntryTimes* times);

    /// False when no pool below the node can serve every call.
    bool feasible() const { return feasible_; }
    const PoolLogic& logic() const { return logic_; }
    /// The highest bound found from `startPrice` on; stops early at `cutoff`.
    PoolBound best(double startPrice, double cutoff) const;
    /// The entry to decide next: the one that saves most at this price; −1 when none can help.
    int branchEntry(double price) const;
    /// Where every pool needs one more unit that takes up convolutions: those that may be it, each
    /// with what no pool that builds it can beat. Else none.
    std::vector<std::pair<int, double>> convChoices() const;

private:
    struct Private {
        double time = 0;
        double dsp = 0;
        double share = 0; ///< of the logic of streamed circuits
    };
    /// λ, and what all of the logic of streamed circuits costs.
    struct Prices {
        double dsp = 0;
        double logic = 0;
    };
    struct Demand {
        double count = 1;
        double inTime = 0;                               ///< through what is in; infinite: none
        std::vector<Private> private_;                   ///< that fit
        std::vector<std::pair<double, std::size_t>> via; ///< (time, index in open_), sorted
        int leastConvs = 0;
    };

    class Ascent;

    void addDemand(std::size_t demand);
    void openEntries(const EntryTimes::Lists& times);
    bool mayOpen(int entry) const;
    bool hasCalls(const PoolEntry& entry) const;
    bool unmet(int eclass) const;
    std::vector<double> improvedCalls(const EntryTimes::Lists& times) const;
    std::vector<double> servedBy(const std::vector<int>& entries, int convs) const;
    bool canServe(const std::vector<int>& entries) const;
    double scaled(double time) const { return problem_.leastDsp ? 0 : time; }
    /// On multipliers, its own or an outlined unit's.
    bool onMultipliers(std::size_t demand) const {
        return (choice_.ways[demand] & kOnMultipliers) != 0;
    }
    double withoutOpen(const Demand& demand, const Prices& prices) const;
    double at(const Prices& prices) const;
    PoolBound priceLogic(PoolBound bound, double cutoff) const;

    const PoolProblem& problem_;
    const PoolChoice& choice_;
    double budget_ = 0;
    double rest_ = 0; ///< DSP left
    int convsLeft_ = 0;
    int callsLeft_ = 0;
    PoolLogic logic_;
    bool feasible_ = true;
    std::vector<Demand> demands_;
    std::vector<int> open_; ///< undecided entries that could help
};

/// DSP and convolutions of entries that are built.
double dspOf(const PoolProblem& problem, const std::vector<int>& in);
int convsOf(const PoolProblem& problem, const std::vector<int>& in);
/// Convolutions allowed above those of the entries; a large number when there is no limit.
int convsLeft(const PoolProblem& problem, const std::vector<int>& in);
/// Calls that are left for outlined units besides those that are built; negative: these have too
/// few.
int callsLeft(const PoolProblem& problem, const std::vector<int>& in);

} // namespace marquetry::extract
