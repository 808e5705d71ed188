#include "engine/extract/group_choices.h"

#include "engine/design/cycle_model.h"
#include "engine/design/frame_groups.h"
#include "engine/extract/band_choices.h"
#include "engine/extract/joins.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <utility>

namespace marquetry::extract {

namespace {

class GroupSearch {
public:
    GroupSearch(const GroupProblem& problem, std::int64_t cycles)
        : problem_(problem), least_(cycles) {}

    /// Groups of more frames fill the pipeline less often, and begin later.
    std::optional<GroupChoice> run() && {
        const std::int64_t frames = problem_.frames;
        const std::int64_t most = std::min(problem_.request.frames, frames / 2);
        for (std::int64_t ofGroup = 1; ofGroup <= most && !problem_.ended(); ofGroup *= 2)
            if (frames % ofGroup == 0 && !tryGroups(ofGroup) && best_)
                break;
        return std::move(best_);
    }

private:
    /// False where none was faster.
    bool tryGroups(std::int64_t frames) {
        design::ScheduleRequest request = problem_.request;
        request.frames = frames;
        const std::int64_t groups = problem_.frames / frames;
        design::Schedule group = design::buildSchedule(request);
        const bool mayBeOne = problem_.request.frames == problem_.frames;
        if (!design::whyOneGroup(group).empty() ||
            (mayBeOne && groups * std::ssize(group.steps) > kMostSteps))
            return false;
        bool faster = tryEach(group, {{groups, 3}, {groups, 2}});
        faster = tryEach(group, {{groups, 2, true, false, false},
                                 {groups, 2, true, true, false},
                                 {groups, 2, true, true, true},
                                 {groups, 1, true, false, false},
                                 {groups, 1, true, true, false}}) ||
                 faster;
        faster = tryEach(group, {{groups, 4, true, true, true}}) || faster;
        const design::Schedule pairs = joined(request, std::move(group));
        const bool joins = std::ranges::any_of(pairs.steps, [](const design::Step& step) {
            const auto* call = std::get_if<design::ComputeStep>(&step);
            return call != nullptr && call->joinedAfter.has_value();
        });
        return (joins && design::whyOneGroup(pairs).empty() && tryEach(pairs, {{groups, 2}})) ||
               faster;
    }

    /// The first that there is room for: those behind it are slower. Whether it is faster than what
    /// is known.
    bool tryEach(const design::Schedule& group, const std::vector<design::FrameGroups>& choices) {
        for (const design::FrameGroups& groups : choices)
            if (const Tried tried = take(group, groups); tried != Tried::NoRoom)
                return tried == Tried::Faster;
        return false;
    }

    /// No call is joined to what is loaded ahead.
    design::Schedule joined(const design::ScheduleRequest& request, design::Schedule group) const {
        std::vector<bool> joinable = problem_.joinable;
        if (!joinable.empty())
            joinable.front() = false;
        return joinCalls(request, std::move(group), joinable,
                         [](const design::Schedule& /*schedule*/) { return true; })
            .schedule;
    }

    enum class Tried : std::uint8_t { Faster, Slower, NoRoom };

    Tried take(const design::Schedule& group, design::FrameGroups groups) {
        if (groups.number < groups.atOnce)
            return Tried::NoRoom;
        const std::int64_t wanted = ceilDiv(least_, groups.number);
        if (problem_.ended() || design::leastClocks(group, groups.queueOfEach) >= wanted)
            return Tried::Slower;
        if (groups.sparing) {
            const auto round = design::clocksOfRounds(group, groups);
            if (!round)
                return Tried::NoRoom; // for fewer places there may be
            if (*round >= wanted)
                return Tried::Slower;
        }
        // Few groups take as much memory as many.
        constexpr std::int64_t kFewGroups = 4;
        if (!problem_.mayFit(design::placedInGroups(
                group, {kFewGroups, groups.atOnce, groups.queueOfEach, false, groups.sparing})))
            return Tried::NoRoom;
        design::Schedule schedule = design::inGroups(group, groups);
        const std::int64_t cycles = design::predictCycles(schedule).total;
        if (cycles >= least_)
            return Tried::Slower;
        auto memories = problem_.choiceOf(schedule);
        if (!memories)
            return Tried::NoRoom;
        least_ = cycles;
        best_ = GroupChoice{std::move(schedule), *std::move(memories)};
        return Tried::Faster;
    }

    const GroupProblem& problem_;
    std::int64_t least_;
    std::optional<GroupChoice> best_;
};

} // namespace

std::optional<GroupChoice> fasterGroups(const GroupProblem& problem, std::int64_t cycles) {
    return GroupSearch(problem, cycles).run();
}

} // namespace marquetry::extract
