#include "engine/extract/group_choices.h"

#include "engine/design/cycle_model.h"
#include "engine/design/frame_groups.h"
#include "engine/design/weight_image.h"
#include "engine/extract/band_choices.h"
#include "engine/extract/joins.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <limits>
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
        std::vector<std::int64_t> sizes;
        for (std::int64_t ofGroup = 1; ofGroup <= most; ofGroup *= 2)
            if (frames % ofGroup == 0)
                sizes.push_back(ofGroup);
        if (problem_.leastReadClocks > 0)
            std::ranges::reverse(sizes);
        for (const std::int64_t ofGroup : sizes) {
            const bool mayBe = frames / ofGroup * problem_.leastReadClocks < least_;
            if (problem_.ended() || (mayBe && !tryGroups(ofGroup) && best_))
                break;
        }
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
        // Where weights are read, most pays what lets units wait beside one another.
        const bool reads = problem_.leastReadClocks > 0;
        bool faster = !reads && tryEach(request, group, {{groups, 3}, {groups, 2}});
        faster = tryEach(request, group,
                         {{groups, 2, true, false, false},
                          {groups, 2, true, true, false},
                          {groups, 2, true, true, true},
                          {groups, 1, true, false, false},
                          {groups, 1, true, true, false}}) ||
                 faster;
        faster = tryEach(request, group, {{groups, 4, true, true, true}}) || faster;
        faster = (reads && tryEach(request, group, {{groups, 3}, {groups, 2}})) || faster;
        const design::Schedule pairs = joined(request, std::move(group));
        const bool joins = std::ranges::any_of(pairs.steps, [](const design::Step& step) {
            const auto* call = std::get_if<design::ComputeStep>(&step);
            return call != nullptr && call->joinedAfter.has_value();
        });
        return (joins && design::whyOneGroup(pairs).empty() &&
                tryEach(std::nullopt, pairs, {{groups, 2}})) ||
               faster;
    }

    using Request = std::optional<design::ScheduleRequest>;

    /// The first that there is room for with all weights on the chip: those behind it are slower.
    /// Whether one is faster than what is known. `request`: of the group, if its weights may be
    /// external.
    bool tryEach(const Request& request, const design::Schedule& group,
                 const std::vector<design::FrameGroups>& choices) {
        bool faster = false;
        bool reads = false;
        for (const design::FrameGroups& groups : choices) {
            // Rounds that are alike shorten tables, which seldom matters where weights are read.
            if (reads && groups.inRounds && !groups.sparing)
                continue;
            const Tried tried = take(request, group, groups);
            reads = reads || tried == Tried::FasterReading || tried == Tried::SlowerReading;
            if (tried == Tried::Faster || tried == Tried::Slower)
                return faster || tried == Tried::Faster;
            faster = faster || tried == Tried::FasterReading;
        }
        return faster;
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

    /// Reading: with external weights, for which other places may leave more room.
    enum class Tried : std::uint8_t { Faster, Slower, NoRoom, FasterReading, SlowerReading };

    Tried take(const Request& request, const design::Schedule& group, design::FrameGroups groups) {
        if (groups.number < groups.atOnce)
            return Tried::NoRoom;
        const std::int64_t wanted =
            ceilDiv(problem_.leastReadClocks > 0 ? mostOfReading() : least_, groups.number);
        if (problem_.ended() || design::leastClocks(group, groups.queueOfEach) >= wanted)
            return Tried::Slower;
        if (groups.sparing) {
            const auto round = design::clocksOfRounds(group, groups);
            if (!round)
                return Tried::NoRoom; // for fewer places there may be
            if (*round >= wanted)
                return Tried::Slower;
        }
        if (!problem_.mayFit(design::placedInGroups(
                group, {kFewGroups, groups.atOnce, groups.queueOfEach, false, groups.sparing})))
            return Tried::NoRoom;
        if (const auto out = request ? ruledOutByFew(*request, group, groups) : std::nullopt)
            return *out;
        // With weights on the chip it is no slower than with external ones.
        design::Schedule schedule = design::inGroups(group, groups);
        const std::int64_t cycles = design::cyclesWithin(schedule, least_);
        if (cycles >= least_)
            return Tried::Slower;
        auto memories = problem_.choiceOf(schedule);
        if (!memories)
            return Tried::NoRoom;
        if (memories->plan.readsMemory())
            return takeReading(request, groups, {std::move(schedule), *std::move(memories)},
                               cycles);
        least_ = cycles;
        best_ = GroupChoice{std::move(schedule), *std::move(memories)};
        return Tried::Faster;
    }

    /// Cycles that groups which read weights must promise. Their replay takes long: it is made
    /// where there is something to gain.
    std::int64_t mostOfReading() const {
        constexpr std::int64_t kLeastGain = 1; // percent
        return least_ - least_ / 100 * kLeastGain;
    }

    /// `onChip`: with weights on the chip the groups would take so many cycles.
    Tried takeReading(const Request& request, design::FrameGroups groups, GroupChoice onChip,
                      std::int64_t cycles) {
        if (cycles > mostOfReading())
            return Tried::SlowerReading;
        auto reading =
            request ? readingGroups(*request, onChip.memories.plan, groups) : std::nullopt;
        if (!reading || reading->slots != onChip.schedule.slots)
            return Tried::NoRoom;
        if (design::leastReadClocks(*reading) >= least_)
            return Tried::SlowerReading;
        const std::int64_t waiting = design::cyclesWithin(*reading, least_);
        if (waiting >= least_)
            return Tried::SlowerReading;
        least_ = waiting;
        best_ = GroupChoice{*std::move(reading), std::move(onChip.memories)};
        return Tried::FasterReading;
    }

    /// Why many groups that read weights are no choice, by a few of them: these take as much
    /// memory, read as much each, and come as regularly. Nothing: they may be faster.
    std::optional<Tried> ruledOutByFew(const design::ScheduleRequest& request,
                                       const design::Schedule& group,
                                       const design::FrameGroups& groups) const {
        design::FrameGroups few = groups;
        few.number = std::max(kFewGroups, groups.atOnce + 1);
        if (problem_.leastReadClocks == 0 || groups.number < 4 * few.number)
            return std::nullopt;
        const auto memories = problem_.choiceOf(design::inGroups(group, few));
        if (!memories)
            return Tried::NoRoom;
        if (!memories->plan.readsMemory())
            return std::nullopt;
        const auto reading = groupThatReads(request, memories->plan, groups.number);
        if (!reading)
            return Tried::NoRoom;
        const bool mayBe = groups.number * design::leastReadClocks(*reading) < least_ &&
                           !problem_.ended() &&
                           estimatedCycles(*reading, few, groups.number) < least_;
        return mayBe ? std::nullopt : std::optional(Tried::SlowerReading);
    }

    /// Of that many groups, if those behind twice `few` take as long as the second half of these.
    static std::int64_t estimatedCycles(const design::Schedule& group, design::FrameGroups few,
                                        std::int64_t number) {
        constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
        const std::int64_t first = few.number;
        const std::int64_t begin = design::cyclesWithin(design::inGroups(group, few), kNoLimit);
        few.number += first;
        const std::int64_t more = design::cyclesWithin(design::inGroups(group, few), kNoLimit);
        return more + (more - begin) * (number - few.number) / first;
    }

    /// Each group reads the weights that are external again.
    std::optional<design::Schedule> readingGroups(design::ScheduleRequest request,
                                                  const MemoryPlan& plan,
                                                  design::FrameGroups groups) const {
        const auto group = groupThatReads(std::move(request), plan, groups.number);
        return group ? std::optional(design::inGroups(*group, groups)) : std::nullopt;
    }

    std::optional<design::Schedule> groupThatReads(design::ScheduleRequest request,
                                                   const MemoryPlan& plan,
                                                   std::int64_t number) const {
        problem_.readExternally(plan, request);
        design::Schedule group = design::buildSchedule(request);
        std::int64_t calls = 0, words = 0;
        for (const design::Step& step : group.steps)
            if (const auto* call = std::get_if<design::ComputeStep>(&step);
                call != nullptr && call->external) {
                ++calls;
                words += design::weightRun(group, *call).words;
            }
        const bool mayBe = number * calls <= kMostExternalCalls &&
                           number * words <= kMostExternalWords &&
                           design::whyOneGroup(group).empty();
        return mayBe ? std::optional(std::move(group)) : std::nullopt;
    }

    /// They take as much memory as many.
    static constexpr std::int64_t kFewGroups = 4;

    const GroupProblem& problem_;
    std::int64_t least_;
    std::optional<GroupChoice> best_;
};

} // namespace

std::optional<GroupChoice> fasterGroups(const GroupProblem& problem, std::int64_t cycles) {
    return GroupSearch(problem, cycles).run();
}

} // namespace marquetry::extract
