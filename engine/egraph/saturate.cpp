#include "engine/egraph/saturate.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

using Seconds = std::chrono::duration<double>;

double secondsSince(std::chrono::steady_clock::time_point start) {
    return Seconds(std::chrono::steady_clock::now() - start).count();
}

/// Rebuilding after this much pending work keeps the last rebuild before a stop short.
constexpr std::size_t kPendingBeforeRebuild = 8192;
/// Reading the clock costs more than a cheap rule application.
constexpr std::size_t kApplicationsPerClock = 32;

} // namespace

const char* toString(Outcome outcome) {
    switch (outcome) {
    case Outcome::Saturated:
        return "Saturated";
    case Outcome::IterationLimit:
        return "IterationLimit";
    case Outcome::NodeLimit:
        return "NodeLimit";
    case Outcome::TimeLimit:
        return "TimeLimit";
    case Outcome::MemoryLimit:
        return "MemoryLimit";
    case Outcome::Cancelled:
        return "Cancelled";
    }
    return "";
}

Saturation::Saturation(EGraph& egraph, std::span<const Rewrite> rules,
                       const SaturationParams& params)
    : egraph_(egraph), rules_(rules), params_(params), bans_(rules.size()) {
    egraph_.rebuild();
}

std::optional<Outcome> Saturation::limitReached(std::size_t matchBytes) const {
    if (stop_.stop_requested())
        return Outcome::Cancelled;
    if (egraph_.enodeCount() > params_.maxEnodes)
        return Outcome::NodeLimit;
    if (egraph_.bytes() + matchBytes > params_.maxBytes)
        return Outcome::MemoryLimit;
    if (secondsBefore_ + secondsSince(stepStart_) > params_.maxSeconds)
        return Outcome::TimeLimit;
    return std::nullopt;
}

std::optional<Outcome> Saturation::step(std::stop_token stop) {
    stop_ = std::move(stop);
    stepStart_ = Clock::now();
    if (iterations_.size() >= params_.maxIterations)
        return Outcome::IterationLimit;
    stopped_ = limitReached(0);
    if (stopped_)
        return stopped_;

    Iteration iteration;
    iteration.index = static_cast<int>(iterations_.size()) + 1;
    iteration.rules.resize(rules_.size());
    const std::size_t nodesBefore = egraph_.totalEnodes();
    const std::size_t unionsBefore = egraph_.unionCount();

    std::vector<MatchList> matches(rules_.size());
    search(iteration, matches);
    if (!stopped_)
        apply(iteration, matches);
    rebuild(iteration);

    iteration.complete = !stopped_;
    iteration.enodes = egraph_.enodeCount();
    iteration.eclasses = egraph_.eclassCount();
    iteration.bytes = egraph_.bytes();
    iterations_.push_back(std::move(iteration));
    secondsBefore_ += secondsSince(stepStart_);
    if (stopped_)
        return stopped_;
    const bool changed =
        egraph_.totalEnodes() != nodesBefore || egraph_.unionCount() != unionsBefore;
    if (!changed && !liftBans())
        return Outcome::Saturated;
    if (iterations_.size() >= params_.maxIterations)
        return Outcome::IterationLimit;
    return std::nullopt;
}

void Saturation::search(Iteration& iteration, std::vector<MatchList>& matches) {
    const auto start = Clock::now();
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < rules_.size() && !stopped_; ++i) {
        searchRule(iteration.rules[i], RuleId{i}, matches[i], bytes);
        bytes += matches[i].bytes();
    }
    iteration.searchSeconds = secondsSince(start);
}

void Saturation::searchRule(RuleStats& stats, RuleId rule, MatchList& matches,
                            std::size_t otherBytes) {
    const bool backoff = params_.scheduler == Scheduler::Backoff;
    Ban& ban = bans_[rule.index()];
    const std::size_t now = iterations_.size();
    if (backoff && now < ban.until) {
        stats.banned = true;
        return;
    }
    const std::size_t threshold = params_.matchLimit << std::min<std::size_t>(ban.times, 40);
    const auto start = Clock::now();
    matches = ematch(egraph_, rules_[rule.index()].lhs, [&](const MatchList& found) {
        stopped_ = limitReached(otherBytes + found.bytes());
        return stopped_.has_value() || (backoff && found.size() > threshold);
    });
    stats.matches = matches.size();
    if (backoff && !stopped_ && matches.size() > threshold) {
        stats.banned = true;
        ban.until = now + (params_.banLength << std::min<std::size_t>(ban.times, 40));
        ++ban.times;
        matches.clear();
    }
    if (!stopped_)
        stopped_ = limitReached(otherBytes + matches.bytes());
    stats.seconds += secondsSince(start);
}

void Saturation::apply(Iteration& iteration, const std::vector<MatchList>& matches) {
    const auto start = Clock::now();
    const double rebuildBefore = iteration.rebuildSeconds;
    std::size_t matchBytes = 0;
    for (const MatchList& list : matches)
        matchBytes += list.bytes();
    std::size_t applications = 0;
    for (std::size_t i = 0; i < rules_.size() && !stopped_; ++i) {
        const auto ruleStart = Clock::now();
        const double rebuildBeforeRule = iteration.rebuildSeconds;
        RuleStats& stats = iteration.rules[i];
        for (const Match match : matches[i]) {
            if (applyMatch(RuleId{i}, match, iteration.index))
                ++stats.applied;
            if (stop_.stop_requested())
                stopped_ = Outcome::Cancelled;
            else if (egraph_.enodeCount() > params_.maxEnodes)
                stopped_ = Outcome::NodeLimit;
            else if (++applications % kApplicationsPerClock == 0)
                stopped_ = limitReached(matchBytes);
            if (stopped_)
                break;
            if (egraph_.pendingWork() > kPendingBeforeRebuild)
                rebuild(iteration);
        }
        stats.seconds += secondsSince(ruleStart) - (iteration.rebuildSeconds - rebuildBeforeRule);
    }
    iteration.applySeconds = secondsSince(start) - (iteration.rebuildSeconds - rebuildBefore);
}

bool Saturation::applyMatch(RuleId rule, const Match& match, int iteration) {
    const Rewrite& rewrite = rules_[rule.index()];
    if (rewrite.condition && !rewrite.condition(egraph_, match))
        return false;
    const Origin origin{rule, iteration, match.root};
    const std::size_t nodesBefore = egraph_.totalEnodes();
    equal_.clear();
    rewrite.apply(egraph_, match, origin, equal_);
    bool changed = egraph_.totalEnodes() != nodesBefore;
    for (EClassId id : equal_)
        changed |= egraph_.merge(match.eclass, id, origin);
    return changed;
}

void Saturation::rebuild(Iteration& iteration) {
    const auto start = Clock::now();
    egraph_.rebuild();
    iteration.rebuildSeconds += secondsSince(start);
}

/// Nothing changed: if rules are banned, the earliest ban ends now and the others move along.
bool Saturation::liftBans() {
    const std::size_t current = iterations_.size() - 1;
    std::optional<std::size_t> earliest;
    for (const Ban& ban : bans_)
        if (ban.until > current)
            earliest = std::min(earliest.value_or(ban.until), ban.until);
    if (!earliest)
        return false;
    for (Ban& ban : bans_)
        if (ban.until > current)
            ban.until -= *earliest - current;
    return true;
}

SaturationResult saturate(EGraph& egraph, std::span<const Rewrite> rules,
                          const SaturationParams& params, std::stop_token stop,
                          const IterationObserver& observer) {
    Saturation saturation(egraph, rules, params);
    std::optional<Outcome> outcome;
    while (!outcome) {
        const std::size_t before = saturation.iterations().size();
        outcome = saturation.step(stop);
        if (observer && saturation.iterations().size() > before)
            observer(egraph, saturation.iterations().back());
    }
    return {*outcome, saturation.iterations()};
}

} // namespace marquetry::egraph
