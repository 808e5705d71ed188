#include "engine/egraph/saturate.h"

#include <algorithm>
#include <ctime>

namespace marquetry::egraph {

namespace {

using Seconds = std::chrono::duration<double>;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return Seconds(std::chrono::steady_clock::now() - start).count();
}

/// Processor time of this thread: other processes do not count.
double processorSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Rebuilding after this much pending work keeps the last rebuild before a stop short.
constexpr std::size_t kPendingBeforeRebuild = 8192;
/// Reading the clock costs more than a cheap rule application.
constexpr std::size_t kApplicationsPerClock = 64;
constexpr std::size_t kNoThreshold = std::numeric_limits<std::size_t>::max() - 1;

} // namespace

Saturation::Saturation(EGraph& egraph, std::span<const Rewrite> rules,
                       const SaturationParams& params)
    : egraph_(egraph), rules_(rules), params_(params) {
    egraph_.rebuild();
    for (const Rewrite& rule : rules)
        states_.push_back({CompiledRule(egraph, rule), {}, 0, 0, 0});
}

std::optional<StopReason> Saturation::limitReached(std::size_t matchBytes) const {
    if (stop_.stop_requested())
        return StopReason::Cancelled;
    if (egraph_.enodeCount() > params_.maxEnodes)
        return StopReason::NodeLimit;
    if (egraph_.bytes() + matchBytes > params_.maxBytes)
        return StopReason::MemoryLimit;
    if (secondsBefore_ + secondsSince(stepStart_) > params_.maxSeconds)
        return StopReason::TimeLimit;
    return std::nullopt;
}

std::optional<StopReason> Saturation::step(std::stop_token stop) {
    stop_ = std::move(stop);
    stepStart_ = Clock::now();
    if (iterations_.size() >= params_.maxIterations)
        return StopReason::IterationLimit;
    stopped_ = limitReached(0);
    if (stopped_)
        return stopped_;

    Iteration iteration;
    iteration.index = static_cast<int>(iterations_.size()) + 1;
    iteration.rules.resize(rules_.size());
    const std::size_t nodesBefore = egraph_.totalEnodes();
    const std::size_t unionsBefore = egraph_.unionCount();

    const Mark now = egraph_.mark();
    std::vector<Found> found(rules_.size());
    search(iteration, found);
    if (!stopped_)
        apply(iteration, found, now);
    const double rebuildStart = processorSeconds();
    egraph_.rebuild();
    iteration.rebuildSeconds += processorSeconds() - rebuildStart;
    forgetChanges();

    iteration.complete = !stopped_;
    iteration.enodes = egraph_.enodeCount();
    iteration.eclasses = egraph_.eclassCount();
    iteration.totalEnodes = egraph_.totalEnodes();
    iteration.unions = egraph_.unionCount();
    iteration.bytes = egraph_.bytes();
    iterations_.push_back(std::move(iteration));
    secondsBefore_ += secondsSince(stepStart_);
    if (stopped_)
        return stopped_;
    const bool changed =
        egraph_.totalEnodes() != nodesBefore || egraph_.unionCount() != unionsBefore;
    if (!changed && !liftBans())
        return StopReason::Saturated;
    if (iterations_.size() >= params_.maxIterations)
        return StopReason::IterationLimit;
    return std::nullopt;
}

// ---- searching ----------------------------------------------------------------------------------

void Saturation::search(Iteration& iteration, std::vector<Found>& found) {
    const double start = processorSeconds();
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < rules_.size() && !stopped_; ++i) {
        searchRule(iteration.rules[i], RuleId{i}, found[i], bytes);
        bytes += found[i].matches.bytes();
    }
    iteration.searchSeconds = processorSeconds() - start;
}

void Saturation::searchRule(RuleStats& stats, RuleId rule, Found& found, std::size_t otherBytes) {
    const bool backoff = params_.scheduler == Scheduler::Backoff;
    RuleState& state = states_[rule.index()];
    const std::size_t now = iterations_.size();
    if (backoff && now < state.bannedUntil) {
        stats.banned = true;
        return;
    }
    const std::size_t doublings = std::min<std::size_t>(state.bans, 40);
    const std::size_t threshold = backoff ? params_.matchLimit << doublings : kNoThreshold;
    const double start = processorSeconds();
    const std::size_t matches = searchMatches(stats, state, threshold, found, otherBytes);
    found.searched = !stopped_;
    if (!stopped_ && matches > threshold) {
        stats.banned = true;
        state.bannedUntil = now + (params_.banLength << doublings);
        ++state.bans;
        found = {};
    }
    if (!stopped_)
        stopped_ = limitReached(otherBytes + found.matches.bytes());
    stats.seconds += processorSeconds() - start;
}

/// All matches there are: exactly when there are more than `threshold`, else perhaps fewer.
std::size_t Saturation::searchMatches(RuleStats& stats, RuleState& state, std::size_t threshold,
                                      Found& found, std::size_t otherBytes) {
    const bool incremental = state.compiled.rule().isIncremental();
    const Mark since = incremental ? egraph_.reachable(state.appliedAt) : Mark{};
    const CompiledRule::SearchLimits limits{threshold, [&](const MatchBuffer& matches) {
                                                stopped_ =
                                                    limitReached(otherBytes + matches.bytes());
                                                return !stopped_;
                                            }};
    found.matches = state.compiled.makeBuffer();
    const std::size_t fresh = state.compiled.search(egraph_, since, limits, found.matches);
    stats.matches = fresh;
    // Old matches can only become fewer, by merging: the bound is lowered when it matters.
    found.bound = since.epoch == 0 ? fresh : state.bound + fresh;
    if (fresh <= threshold && found.bound > threshold && !stopped_)
        found.bound = state.compiled.countAll(egraph_, limits);
    return found.bound;
}

// ---- applying -----------------------------------------------------------------------------------

void Saturation::apply(Iteration& iteration, std::vector<Found>& found, Mark searchedAt) {
    const double start = processorSeconds();
    const double rebuildBefore = iteration.rebuildSeconds;
    matchBytes_ = 0;
    for (const Found& list : found)
        matchBytes_ += list.matches.bytes();
    for (std::size_t i = 0; i < rules_.size() && !stopped_; ++i) {
        if (!found[i].searched)
            continue;
        const double ruleStart = processorSeconds();
        const double rebuildBeforeRule = iteration.rebuildSeconds;
        const std::size_t bytes = found[i].matches.bytes();
        applyRule(iteration, RuleId{i}, found[i]);
        iteration.rules[i].seconds +=
            processorSeconds() - ruleStart - (iteration.rebuildSeconds - rebuildBeforeRule);
        if (!stopped_) {
            states_[i].appliedAt = searchedAt;
            states_[i].bound = found[i].bound;
        }
        matchBytes_ -= bytes;
        found[i] = {};
    }
    iteration.applySeconds =
        processorSeconds() - start - (iteration.rebuildSeconds - rebuildBefore);
}

void Saturation::applyRule(Iteration& iteration, RuleId rule, Found& found) {
    RuleStats& stats = iteration.rules[rule.index()];
    CompiledRule& compiled = states_[rule.index()].compiled;
    const bool pure = compiled.rule().isPure();
    MatchBuffer& matches = found.matches;
    for (std::size_t k = 0; k < matches.size() && !stopped_; ++k) {
        if (k % CompiledRule::kBatch == 0) {
            matches.dropBefore(k);
            if (pure)
                compiled.prepare(egraph_, matches, k);
        }
        const Origin origin{rule, iteration.index, matches.root(k)};
        const bool changed = pure ? compiled.apply(egraph_, matches, k, origin)
                                  : applyGeneral(compiled.rule(), matches, k, origin);
        stats.applied += changed ? 1 : 0;
        afterApplication(iteration);
    }
}

bool Saturation::applyGeneral(const Rewrite& rewrite, const MatchBuffer& matches, std::size_t k,
                              const Origin& origin) {
    const Match match{egraph_.eclassOf(origin.root),
                      origin.root,
                      {matches.classes(k), matches.classCount()},
                      {matches.params(k), matches.paramCount()}};
    if (rewrite.condition && !rewrite.condition(egraph_, match))
        return false;
    const std::size_t nodesBefore = egraph_.totalEnodes();
    equal_.clear();
    rewrite.run(egraph_, match, origin, equal_);
    bool changed = egraph_.totalEnodes() != nodesBefore;
    for (EClassId id : equal_)
        changed |= egraph_.merge(EClassId{match.root.value()}, id, origin);
    return changed;
}

void Saturation::afterApplication(Iteration& iteration) {
    if (egraph_.pendingWork() > kPendingBeforeRebuild)
        restoreCongruence(iteration);
    if (egraph_.enodeCount() > params_.maxEnodes) {
        restoreCongruence(iteration); // congruent duplicates do not count
        if (egraph_.enodeCount() > params_.maxEnodes)
            stopped_ = StopReason::NodeLimit;
    } else if (stop_.stop_requested()) {
        stopped_ = StopReason::Cancelled;
    } else if (++applications_ % kApplicationsPerClock == 0) {
        stopped_ = limitReached(matchBytes_);
    }
}

void Saturation::restoreCongruence(Iteration& iteration) {
    const double start = processorSeconds();
    egraph_.restoreCongruence();
    iteration.rebuildSeconds += processorSeconds() - start;
}

/// Changes that every rule has seen need no log any more.
void Saturation::forgetChanges() {
    std::optional<Mark> oldest;
    for (const RuleState& state : states_)
        if (state.compiled.rule().isIncremental() &&
            (!oldest || state.appliedAt.epoch < oldest->epoch))
            oldest = state.appliedAt;
    if (oldest)
        egraph_.forgetChangesBefore(*oldest);
}

/// Nothing changed: if rules are banned, the earliest ban ends now and the others move along.
bool Saturation::liftBans() {
    const std::size_t current = iterations_.size() - 1;
    std::optional<std::size_t> earliest;
    for (const RuleState& state : states_)
        if (state.bannedUntil > current)
            earliest = std::min(earliest.value_or(state.bannedUntil), state.bannedUntil);
    if (!earliest)
        return false;
    for (RuleState& state : states_)
        if (state.bannedUntil > current)
            state.bannedUntil -= *earliest - current;
    return true;
}

SaturationResult saturate(EGraph& egraph, std::span<const Rewrite> rules,
                          const SaturationParams& params, std::stop_token stop,
                          const IterationObserver& observer) {
    Saturation saturation(egraph, rules, params);
    std::optional<StopReason> outcome;
    while (!outcome) {
        const std::size_t before = saturation.iterations().size();
        outcome = saturation.step(stop);
        if (observer && saturation.iterations().size() > before)
            observer(egraph, saturation.iterations().back());
    }
    return {*outcome, saturation.iterations()};
}

} // namespace marquetry::egraph
