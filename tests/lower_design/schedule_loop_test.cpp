// Rounds of steps in schedules of groups of frames: what a place in the tables stands for.
#include "engine/design/schedule_loop.h"
#include "tests/lower_design/batches.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>

namespace marquetry {

using design::Schedule;
using design::ScheduleLoop;
using test::GroupCalls;

namespace {

std::string wordOf(const Schedule& schedule, design::TensorId id) {
    const design::StoredTensor& tensor = schedule.tensor(id);
    return std::to_string(tensor.slot.value()) + ":" + std::to_string(tensor.base);
}

/// All that a sequencer is told of a step, as text.
std::string told(const Schedule& schedule, std::size_t s) {
    const design::StepOrder order = schedule.orderOf(s);
    std::string text = std::to_string(indexOf(order.queue)) + "/" + std::to_string(order.awaited);
    const design::Step& step = schedule.steps[s];
    if (const auto* load = std::get_if<design::LoadStep>(&step))
        return text + " load " + load->port;
    if (const auto* store = std::get_if<design::StoreStep>(&step))
        return text + " store " + store->port;
    const auto& call = std::get<design::ComputeStep>(step);
    text += " " + call.layer + " on " + std::to_string(call.unit.value()) + " " +
            wordOf(schedule, call.input) + " to " + wordOf(schedule, call.output);
    if (call.epilogue.addend)
        text += " and " + wordOf(schedule, *call.epilogue.addend);
    if (call.joinedAfter)
        text += " after " + std::to_string(*call.joinedAfter);
    return text;
}

/// The step that begins the last of its streams.
std::size_t lastBegin(const Schedule& schedule) {
    std::set<std::string> streams;
    std::size_t last = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        if (std::holds_alternative<design::ComputeStep>(schedule.steps[s]))
            continue;
        const std::string step = told(schedule, s);
        if (streams.insert(step.substr(step.find(' '))).second)
            last = s;
    }
    return last;
}

std::vector<Schedule> drawnGroups() {
    std::vector<Schedule> all;
    for (std::uint64_t seed = 0; seed < 120; ++seed)
        for (const auto calls : {GroupCalls::Alone, GroupCalls::Joined, GroupCalls::InQueues})
            if (auto design = test::randomGroups(seed, calls))
                all.push_back(std::move(design->schedule));
    return all;
}

} // namespace

TEST(ScheduleLoop, StepsInAPlaceAreAlike) {
    int loops = 0;
    for (const Schedule& schedule : drawnGroups()) {
        const auto loop = design::scheduleLoop(schedule);
        if (!loop)
            continue;
        ++loops;
        std::vector<std::string> table(schedule.steps.size() - loop->repeated());
        for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
            ASSERT_LT(loop->placeOf(s), table.size());
            std::string& row = table[loop->placeOf(s)];
            row = row.empty() ? told(schedule, s) : row;
            EXPECT_EQ(row, told(schedule, s)) << "step " << s;
        }
        EXPECT_EQ(loop->placeOf(schedule.steps.size() - 1), table.size() - 1);
    }
    EXPECT_GE(loops, 20);
}

// Going through the places as a sequencer does gives every step, in its order.
TEST(ScheduleLoop, GoesThroughAllSteps) {
    for (const Schedule& schedule : drawnGroups()) {
        const auto loop = design::scheduleLoop(schedule);
        if (!loop)
            continue;
        std::size_t place = 0, left = loop->times - 1;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
            EXPECT_EQ(loop->placeOf(s), place);
            if (place == loop->first + loop->length - 1 && left > 0) {
                --left;
                place = loop->first;
            } else {
                ++place;
            }
        }
        EXPECT_EQ(left, 0U);
    }
}

// A stream begins with its first step, and would begin anew in each round.
TEST(ScheduleLoop, HasNoStepThatBeginsAStream) {
    for (const Schedule& schedule : drawnGroups()) {
        const auto loop = design::scheduleLoop(schedule);
        if (!loop)
            continue;
        EXPECT_LT(lastBegin(schedule), loop->first);
        EXPECT_EQ(told(schedule, loop->first).find(" after "), std::string::npos);
    }
}

TEST(ScheduleLoop, IsTheLongestRunOfEqualRounds) {
    int compared = 0;
    for (const Schedule& schedule : drawnGroups()) {
        if (schedule.groups < 3 || schedule.steps.size() > 120)
            continue;
        std::size_t most = 0;
        const std::size_t own = schedule.steps.size() / static_cast<std::size_t>(schedule.groups);
        const auto loop = design::scheduleLoop(schedule);
        const std::size_t first = lastBegin(schedule) + 1;
        for (std::size_t length = own; length <= 8 * own; length += own)
            for (std::size_t from = first; from + 2 * length < schedule.steps.size(); ++from) {
                if (told(schedule, from).find(" after ") != std::string::npos)
                    continue;
                std::size_t to = from;
                while (to + length + 1 < schedule.steps.size() &&
                       told(schedule, to) == told(schedule, to + length))
                    ++to;
                most = std::max(most, (to - from) / length * length);
            }
        ++compared;
        EXPECT_EQ(loop ? loop->repeated() : 0, most >= 16 ? most : 0);
    }
    EXPECT_GE(compared, 40);
}

} // namespace marquetry
