// The clocks in which a run waits for each step: against what the run takes when a step takes
// longer or shorter, by a replay of the rules in cost-model.md, and by hand.
#include "engine/design/cycle_model.h"
#include "engine/design/step_queues.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/random_outside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {
namespace {

using design::CyclePrediction;
using design::Queue;
using design::Schedule;
using testing::ElementsAre;

bool joinsItself(const Schedule& schedule, std::size_t step) {
    const auto* call = step < schedule.steps.size()
                           ? std::get_if<design::ComputeStep>(&schedule.steps[step])
                           : nullptr;
    return call != nullptr && call->joinedAfter.has_value();
}

/// What a run takes whose steps take so many clocks each, with their hand-over.
std::int64_t runOf(const Schedule& schedule, const std::vector<std::int64_t>& clocks) {
    std::vector<std::int64_t> begins, ends;
    std::int64_t turn = 0, total = 0;
    std::map<Queue, std::int64_t> busy; // until then
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const design::StepOrder order = schedule.orderOf(s);
        for (const auto& [queue, end] : busy)
            if (order.says(queue) || order.queue == queue)
                turn = std::max(turn, end);
        std::int64_t begin = turn;
        if (joinsItself(schedule, s))
            begin = begins[s - 1] + *std::get<design::ComputeStep>(schedule.steps[s]).joinedAfter;
        begins.push_back(begin);
        ends.push_back(begin + clocks[s]);
        turn = order.queue == Queue::Calls ? std::max(turn, ends[s]) : begin + 1;
        if (order.queue != Queue::Calls)
            busy[order.queue] = ends[s];
        total = std::max(total, ends[s]);
    }
    return total;
}

std::vector<std::int64_t> clocksOf(const CyclePrediction& prediction) {
    std::vector<std::int64_t> clocks;
    for (std::size_t s = 0; s < prediction.begins.size(); ++s)
        clocks.push_back(prediction.ends[s] - prediction.begins[s]);
    return clocks;
}

struct Tried {
    int longer = 0, shorter = 0;
};

/// A step that the run always waits for makes it as much longer as it becomes itself; one that it
/// only hands over makes it no shorter.
void tryEach(const Schedule& schedule, Tried& tried) {
    const CyclePrediction prediction = design::predictCycles(schedule);
    const std::vector<std::int64_t> critical = design::criticalClocks(schedule, prediction);
    std::vector<std::int64_t> clocks = clocksOf(prediction);
    ASSERT_EQ(runOf(schedule, clocks), prediction.total);
    for (std::size_t s = 0; s < clocks.size(); ++s) {
        if (joinsItself(schedule, s) || joinsItself(schedule, s + 1))
            continue;
        const std::int64_t was = clocks[s];
        if (critical[s] == was) {
            clocks[s] = was + 3;
            EXPECT_EQ(runOf(schedule, clocks), prediction.total + 3) << "step " << s;
            ++tried.longer;
        } else if (critical[s] <= design::kHandOver) {
            clocks[s] = was - 1;
            EXPECT_EQ(runOf(schedule, clocks), prediction.total) << "step " << s;
            ++tried.shorter;
        }
        clocks[s] = was;
    }
}

/// Of bands, with values outside, and of groups of frames.
std::vector<Schedule> orderedSchedules() {
    std::vector<Schedule> all;
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        for (auto& design :
             {test::randomBands(seed, 1 + seed % 3), test::randomOutside(seed, 1 + seed % 3),
              test::randomGroups(seed, test::GroupCalls::Alone),
              test::randomGroups(seed, test::GroupCalls::Joined),
              test::randomGroups(seed, test::GroupCalls::InQueues)})
            if (design)
                all.push_back(design->schedule);
    return all;
}

TEST(CriticalClocks, AreThoseThatMakeARunLonger) {
    Tried tried;
    for (const Schedule& schedule : orderedSchedules())
        ASSERT_NO_FATAL_FAILURE(tryEach(schedule, tried));
    EXPECT_GT(tried.longer, 500);
    EXPECT_GT(tried.shorter, 100);
}

TEST(CriticalClocks, AddUpToTheRun) {
    for (const Schedule& schedule : orderedSchedules()) {
        const CyclePrediction prediction = design::predictCycles(schedule);
        const std::vector<std::int64_t> critical = design::criticalClocks(schedule, prediction);
        std::int64_t sum = 0;
        for (std::size_t s = 0; s < critical.size(); ++s) {
            EXPECT_GE(critical[s], 0);
            EXPECT_LE(critical[s], prediction.ends[s] - prediction.begins[s]);
            sum += critical[s];
        }
        EXPECT_EQ(sum, prediction.total);
    }
}

TEST(CriticalClocks, SayWhatEachStepAwaits) {
    int behind = 0;
    for (const Schedule& schedule : orderedSchedules()) {
        const CyclePrediction made = design::predictCycles(schedule);
        for (std::size_t s = 0; s < made.begins.size(); ++s) {
            EXPECT_LE(made.turns[s], made.begins[s]);
            if (!made.awaited[s]) {
                EXPECT_EQ(made.begins[s], 0);
                continue;
            }
            const std::size_t by = *made.awaited[s];
            ASSERT_LT(by, s);
            const bool ended = made.begins[s] == made.ends[by];
            const bool given = made.begins[s] == made.begins[by] + design::kHandOver &&
                               schedule.orderOf(by).queue != Queue::Calls;
            EXPECT_TRUE(ended || given || joinsItself(schedule, s)) << "step " << s;
            behind += made.turns[s] < made.begins[s] ? 1 : 0;
        }
    }
    EXPECT_GT(behind, 50);
}

// ---- by hand ----

/// Calls, the second of which starts so many clocks after the first.
Schedule pairOf(std::int64_t after) {
    Schedule schedule;
    schedule.steps = {design::ComputeStep{}, design::ComputeStep{}};
    std::get<design::ComputeStep>(schedule.steps[1]).joinedAfter = after;
    return schedule;
}

CyclePrediction pairRun(std::int64_t first, std::int64_t after, std::int64_t second) {
    CyclePrediction run;
    run.begins = {0, after};
    run.ends = {first, after + second};
    run.awaited = {std::nullopt, 0};
    run.total = after + second;
    return run;
}

TEST(CriticalClocks, OfAJoinedPairAreThoseOfTheLongerOne) {
    EXPECT_THAT(criticalClocks(pairOf(10), pairRun(100, 10, 1000)), ElementsAre(10, 1000));
    EXPECT_THAT(criticalClocks(pairOf(915), pairRun(1000, 915, 100)), ElementsAre(1000, 15));
    EXPECT_THAT(criticalClocks(pairOf(20), pairRun(100, 20, 100)), ElementsAre(100, 20));
}

/// A call of 50 clocks beside a transfer of 80, behind which another call begins.
TEST(CriticalClocks, AreOfWhatTheNextStepAwaits) {
    Schedule schedule;
    schedule.steps = {design::StoreStep{}, design::ComputeStep{}, design::ComputeStep{}};
    CyclePrediction run;
    run.begins = {0, 1, 80};
    run.ends = {80, 51, 100};
    run.awaited = {std::nullopt, 0, 0};
    run.total = 100;
    EXPECT_THAT(criticalClocks(schedule, run), ElementsAre(80, 0, 20));
    run.ends[0] = 40;
    run.begins[2] = 51;
    run.ends[2] = 71;
    run.awaited[2] = 1;
    run.total = 71;
    EXPECT_THAT(criticalClocks(schedule, run), ElementsAre(1, 50, 20));
}

} // namespace
} // namespace marquetry
