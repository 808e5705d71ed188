// Saturation: search all rules, apply all matches, rebuild; again until nothing changes.
//
// One step() is one iteration on a clean e-graph: (1) every rule is searched, in list order;
// (2) the matches are applied rule by rule; (3) the e-graph is rebuilt. Long applications restore
// congruence in between, which changes neither the result nor the counts but keeps a stop prompt.
// Without conditions and analyses the e-graph after k iterations does not depend on the engine.
// Search is semi-naive (egglog, PLDI'23): an incremental rule (rewrite.h) looks only at matches
// that touch something changed since its matches were last applied, so those of an interrupted or
// banned rule wait.
//
// Schedulers: Simple = every rule, every iteration. Backoff = egg's default (match limit 1000,
// ban length 5 iterations, both doubling per ban of a rule); a ban compares the limit with all
// matches there are, old ones too.
// Limits: maxSeconds counts wall time inside step(); maxBytes counts e-graph and match lists;
// maxEnodes counts live e-nodes and is exceeded by one rule application at most.
// Limits and the stop_token are looked at every ≤ 256 candidates of a search and after every rule
// application (bytes and time every few). Whatever ends a step, the e-graph is rebuilt and usable;
// the interrupted iteration is recorded with complete = false, and step() may be called again after
// Cancelled. Saturated = a complete iteration with every rule searched, no new e-node and no union.
// Thread rule: everything runs on the calling thread.
#pragma once

#include "engine/egraph/compiled_rule.h"
#include "engine/egraph/iteration.h"

#include <chrono>
#include <limits>
#include <stop_token>

namespace marquetry::egraph {

enum class Scheduler { Simple, Backoff };

struct SaturationParams {
    std::size_t maxEnodes = 1'000'000;
    std::size_t maxIterations = 1000;
    double maxSeconds = 60.0;
    std::size_t maxBytes = std::size_t{4} << 30;
    Scheduler scheduler = Scheduler::Simple;
    std::size_t matchLimit = 1000; ///< Backoff only
    std::size_t banLength = 5;     ///< Backoff only, iterations
};

class Saturation {
public:
    /// `egraph` and `rules` must outlive this object. The e-graph is rebuilt if dirty.
    Saturation(EGraph& egraph, std::span<const Rewrite> rules, const SaturationParams& params);

    /// One iteration; the outcome when saturation is over, nullopt to go on.
    std::optional<StopReason> step(std::stop_token stop);

    const std::vector<Iteration>& iterations() const { return iterations_; }
    const SaturationParams& params() const { return params_; }
    /// Limits may be raised between steps.
    void setParams(const SaturationParams& params) { params_ = params; }

private:
    using Clock = std::chrono::steady_clock;
    /// What Saturation knows about one rule.
    struct RuleState {
        CompiledRule compiled;
        Mark appliedAt;              ///< all matches up to here were applied
        std::size_t bound = 0;       ///< no fewer matches than there were then
        std::size_t bannedUntil = 0; ///< first iteration (from 0) it may run again
        std::size_t bans = 0;
    };
    /// What one search found for one rule.
    struct Found {
        MatchBuffer matches;
        std::size_t bound = 0; ///< RuleState::bound once these are applied
        bool searched = false;
    };

    std::optional<StopReason> limitReached(std::size_t matchBytes) const;
    void search(Iteration& iteration, std::vector<Found>& found);
    void searchRule(RuleStats& stats, RuleId rule, Found& found, std::size_t otherBytes);
    std::size_t searchMatches(RuleStats& stats, RuleState& state, std::size_t threshold,
                              Found& found, std::size_t otherBytes);
    void apply(Iteration& iteration, std::vector<Found>& found, Mark searchedAt);
    void applyRule(Iteration& iteration, RuleId rule, Found& found);
    bool applyGeneral(const Rewrite& rewrite, const MatchBuffer& matches, std::size_t k,
                      const Origin& origin);
    void afterApplication(Iteration& iteration);
    void restoreCongruence(Iteration& iteration);
    void forgetChanges();
    bool liftBans();

    EGraph& egraph_;
    std::span<const Rewrite> rules_;
    SaturationParams params_;
    std::vector<Iteration> iterations_;
    std::vector<RuleState> states_;
    std::size_t matchBytes_ = 0; ///< held while matches are applied
    std::size_t applications_ = 0;
    std::vector<EClassId> equal_;
    std::stop_token stop_;
    std::optional<StopReason> stopped_;
    Clock::time_point stepStart_;
    double secondsBefore_ = 0;
};

struct SaturationResult {
    StopReason outcome = StopReason::Saturated;
    std::vector<Iteration> iterations;
};

using IterationObserver = std::function<void(const EGraph&, const Iteration&)>;

SaturationResult saturate(EGraph& egraph, std::span<const Rewrite> rules,
                          const SaturationParams& params, std::stop_token stop = {},
                          const IterationObserver& observer = {});

} // namespace marquetry::egraph
