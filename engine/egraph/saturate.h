// Saturation: search all rules, apply all matches, rebuild; again until nothing changes.
//
// One step() is one iteration on a clean e-graph: (1) every rule is searched, in list order;
// (2) the matches are applied rule by rule; (3) the e-graph is rebuilt. Long applications rebuild
// in between, which changes neither the result nor the counts but keeps a stop prompt. Without
// conditions and analyses the e-graph after k iterations does not depend on the engine.
//
// Schedulers: Simple = every rule, every iteration. Backoff = egg's default (match limit 1000,
// ban length 5 iterations, both doubling per ban of a rule).
// Limits: maxSeconds counts time spent inside step(); maxBytes counts e-graph and match lists;
// maxEnodes counts live e-nodes, in mid-iteration with duplicates that the rebuild removes.
// Limits and the stop_token are looked at every ≤ 256 candidates of a search and after every rule
// application. Whatever ends a step, the e-graph is rebuilt and usable; the interrupted iteration
// is recorded with complete = false, and step() may be called again after Cancelled.
// Saturated = a complete iteration with every rule searched, no new e-node and no union.
// Thread rule: everything runs on the calling thread.
#pragma once

#include "engine/egraph/rewrite.h"

#include <chrono>
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

enum class Outcome { Saturated, IterationLimit, NodeLimit, TimeLimit, MemoryLimit, Cancelled };

const char* toString(Outcome outcome);

struct RuleStats {
    std::size_t matches = 0;
    std::size_t applied = 0; ///< matches that made a new e-node or a union
    double seconds = 0;      ///< search and application
    bool banned = false;     ///< skipped or dropped by the scheduler
};

struct Iteration {
    int index = 0; ///< from 1; the `iteration` of origins
    bool complete = false;
    std::size_t enodes = 0; ///< after the rebuild
    std::size_t eclasses = 0;
    std::size_t bytes = 0;
    std::vector<RuleStats> rules; ///< by RuleId
    double searchSeconds = 0;
    double applySeconds = 0;
    double rebuildSeconds = 0;
};

class Saturation {
public:
    /// `egraph` and `rules` must outlive this object. The e-graph is rebuilt if dirty.
    Saturation(EGraph& egraph, std::span<const Rewrite> rules, const SaturationParams& params);

    /// One iteration; the outcome when saturation is over, nullopt to go on.
    std::optional<Outcome> step(std::stop_token stop);

    const std::vector<Iteration>& iterations() const { return iterations_; }
    const SaturationParams& params() const { return params_; }
    /// Limits may be raised between steps.
    void setParams(const SaturationParams& params) { params_ = params; }

private:
    using Clock = std::chrono::steady_clock;
    struct Ban {
        std::size_t until = 0; ///< first iteration (from 0) the rule may run again
        std::size_t times = 0;
    };

    std::optional<Outcome> limitReached(std::size_t matchBytes) const;
    void search(Iteration& iteration, std::vector<MatchList>& matches);
    void searchRule(RuleStats& stats, RuleId rule, MatchList& matches, std::size_t otherBytes);
    void apply(Iteration& iteration, const std::vector<MatchList>& matches);
    bool applyMatch(RuleId rule, const Match& match, int iteration);
    void rebuild(Iteration& iteration);
    bool liftBans();

    EGraph& egraph_;
    std::span<const Rewrite> rules_;
    SaturationParams params_;
    std::vector<Iteration> iterations_;
    std::vector<Ban> bans_;
    std::vector<EClassId> equal_;
    std::stop_token stop_;
    std::optional<Outcome> stopped_;
    Clock::time_point stepStart_;
    double secondsBefore_ = 0;
};

struct SaturationResult {
    Outcome outcome = Outcome::Saturated;
    std::vector<Iteration> iterations;
};

using IterationObserver = std::function<void(const EGraph&, const Iteration&)>;

SaturationResult saturate(EGraph& egraph, std::span<const Rewrite> rules,
                          const SaturationParams& params, std::stop_token stop = {},
                          const IterationObserver& observer = {});

} // namespace marquetry::egraph
