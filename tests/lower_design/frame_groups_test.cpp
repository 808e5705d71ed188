// Groups of frames: in which order they move, and what check refuses of them.
#include "engine/design/frame_groups.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_step.h"
#include "engine/design/step_name.h"
#include "engine/design/step_queues.h"
#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/batches.h"
#include "tests/lower_design/ordered_schedules.h"
#include "tests/lower_design/random_windows.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace marquetry {

using design::Queue;
using design::Schedule;
using test::expectNoOrder;
using test::orderedSchedules;

namespace {

Schedule groupsOfFrames() {
    for (const Schedule& schedule : orderedSchedules())
        if (schedule.groups > 2 && schedule.steps.size() > 8)
            return schedule;
    ADD_FAILURE() << "no such schedule";
    return {};
}

} // namespace

TEST(FrameGroups, MoveAllFramesOfTheirStreamsInOrder) {
    int groups = 0;
    for (const Schedule& schedule : orderedSchedules()) {
        if (schedule.groups == 1)
            continue;
        ++groups;
        std::map<std::string, std::int64_t> rows; // by port
        std::size_t whole = 0;                    // of which all frames are moved
        for (const design::Step& step : schedule.steps) {
            const auto* load = std::get_if<design::LoadStep>(&step);
            const auto* store = std::get_if<design::StoreStep>(&step);
            if (load == nullptr && store == nullptr)
                continue;
            const design::StoredTensor& tensor =
                schedule.tensor(load != nullptr ? load->tensor : store->tensor);
            std::int64_t& moved =
                rows[(load != nullptr ? "load " + load->port : "store " + store->port)];
            EXPECT_EQ(*tensor.firstRow, moved);
            moved += schedule.framesAtOnce() * tensor.height;
            if (moved == schedule.frames * tensor.height)
                ++whole;
        }
        EXPECT_EQ(whole, rows.size());
        EXPECT_GE(whole, 2U);
    }
    EXPECT_GE(groups, 12);
}

TEST(FrameGroups, RefuseStepsOfTwoGroups) {
    Schedule wrong = groupsOfFrames();
    for (design::Step& step : wrong.steps)
        if (auto* call = std::get_if<design::ComputeStep>(&step)) {
            const design::StoredTensor& input = wrong.tensor(call->input);
            for (const design::StoredTensor& other : wrong.tensors)
                if (other.value == input.value && other.firstRow != input.firstRow) {
                    call->input = other.id;
                    return expectNoOrder(wrong, "takes tensors of two groups of frames");
                }
        }
    FAIL() << "no such step";
}

TEST(FrameGroups, RefuseFramesThatAreNotMoved) {
    Schedule wrong = groupsOfFrames();
    for (std::size_t s = 0; s < wrong.steps.size(); ++s)
        if (std::holds_alternative<design::StoreStep>(wrong.steps[s])) {
            wrong.steps.erase(wrong.steps.begin() + static_cast<std::ptrdiff_t>(s));
            wrong.order.erase(wrong.order.begin() + static_cast<std::ptrdiff_t>(s));
            break;
        }
    expectNoOrder(wrong, "is transferred twice");
    wrong = groupsOfFrames();
    wrong.steps.pop_back();
    wrong.order.pop_back();
    design::awaitQueues(wrong);
    expectNoOrder(wrong, "does not move all");
    wrong = groupsOfFrames();
    ++wrong.frames;
    expectNoOrder(wrong, "groups that are alike");
}

namespace {

/// Products of two tensors behind a softmax, in groups of one frame.
Schedule groupsThatHold() {
    test::TestDesign design = test::designOf(R"(design held {
  input  a : i8[6, 8] = random(seed: 1);
  input  b : i8[2, 4, 8] = random(seed: 2);
  let    s = reshape(softmax(a), dims: [2, 3, 8]);
  output y = reshape(requant(bmm(s, b), shift: 8), dims: [6, 4]);
})",
                                             8, 4);
    EXPECT_EQ(design::whyOneGroup(design.schedule), "");
    return design::inGroups(design.schedule, {6, 2, true, true});
}

} // namespace

TEST(FrameGroups, HoldTensorsAndComputeFunctionsOfRowsBesideCalls) {
    const Schedule schedule = groupsThatHold();
    const Status sound = hdl::check(schedule);
    EXPECT_TRUE(sound.has_value()) << format(sound.error());
    EXPECT_EQ(design::stepsOfRowUnits(schedule).size(), 1U) << "one unit of rows for all groups";
    EXPECT_EQ(design::stepsOfRowUnits(schedule).front().size(), 6U);
    EXPECT_EQ(design::movesOfMovers(schedule).size(), 1U) << "one mover for both matrices";

    std::set<Queue> ofRows, ofHolds;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        if (std::holds_alternative<design::RowStep>(schedule.steps[s]))
            ofRows.insert(schedule.order[s].queue);
        else if (design::unitTaken(schedule.steps[s]))
            ofHolds.insert(schedule.order[s].queue);
    }
    EXPECT_EQ(ofRows.size(), 1U);
    EXPECT_EQ(ofHolds.size(), 1U) << "moves to the weights are in the queue of their calls";
    EXPECT_NE(ofRows, ofHolds);
    EXPECT_FALSE(ofRows.contains(Queue::Calls) || ofHolds.contains(Queue::Calls));
}

TEST(FrameGroups, RefuseWeightsThatAnotherGroupHasBrought) {
    const Schedule schedule = groupsThatHold();
    ASSERT_TRUE(hdl::check(schedule).has_value());
    int refused = 0;
    for (std::size_t s = 1; s < schedule.steps.size(); ++s) {
        const auto* move = std::get_if<design::MoveStep>(&schedule.steps[s]);
        if (move == nullptr || move->target)
            continue;
        // Before the call that has not read the ones there yet, of this group or the one before.
        std::size_t call = s;
        while (call-- > 0 && !std::holds_alternative<design::ComputeStep>(schedule.steps[call])) {
        }
        if (call > s)
            continue;
        Schedule wrong = schedule;
        std::rotate(wrong.steps.begin() + static_cast<std::ptrdiff_t>(call),
                    wrong.steps.begin() + static_cast<std::ptrdiff_t>(s),
                    wrong.steps.begin() + static_cast<std::ptrdiff_t>(s + 1));
        std::rotate(wrong.order.begin() + static_cast<std::ptrdiff_t>(call),
                    wrong.order.begin() + static_cast<std::ptrdiff_t>(s),
                    wrong.order.begin() + static_cast<std::ptrdiff_t>(s + 1));
        design::awaitQueues(wrong);
        if (const Status sound = hdl::check(wrong); !sound) {
            ++refused;
            EXPECT_NE(sound.error().front().message.find("before a call has read them"),
                      std::string::npos)
                << sound.error().front().message;
        }
    }
    EXPECT_EQ(refused, 11) << "all moves but the first one";
}

TEST(FrameGroups, RefuseUnitsOfSeveralFramesAtOnce) {
    const Schedule schedule = groupsThatHold();
    Schedule wrong = schedule;
    for (std::size_t s = 0; s < wrong.steps.size(); ++s)
        if (std::holds_alternative<design::RowStep>(wrong.steps[s])) {
            wrong.order[s].queue = Queue::Calls;
            break;
        }
    design::awaitQueues(wrong);
    expectNoOrder(wrong, "runs in another queue than those before");
    wrong = schedule;
    wrong.groups = 3;
    for (design::StoredTensor& tensor : wrong.tensors)
        tensor.firstRow = *tensor.firstRow / (2 * tensor.height) * 2 * tensor.height;
    expectNoOrder(wrong, "is part of another, of each of 6 frames");
}

// What a later group writes is not wanted any more: with fewer places than groups it would be.
TEST(FrameGroups, RefuseAGroupThatOverwritesAnother) {
    int refused = 0;
    for (Schedule wrong : orderedSchedules()) {
        if (wrong.groups < 3)
            continue;
        for (design::StoredTensor& tensor : wrong.tensors)
            for (const design::StoredTensor& first : wrong.tensors)
                if (!wrong.slot(tensor.slot).ring && first.value == tensor.value &&
                    *first.firstRow == 0)
                    tensor.slot = first.slot;
        design::awaitQueues(wrong);
        if (const Status sound = hdl::check(wrong); !sound) {
            ++refused;
            EXPECT_NE(sound.error().front().message.find("has overwritten words"),
                      std::string::npos)
                << sound.error().front().message;
        }
    }
    EXPECT_GE(refused, 3);
}

} // namespace marquetry
