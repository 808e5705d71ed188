// Schedules that race or deadlock are refused, with the steps they are about.
#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"
#include "tests/lower_design/schedule_builder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

using design::ComputeStep;
using test::TestDesign;

namespace {

TestDesign chain() {
    test::ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 2);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 16}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(6);
    const auto a = builder.conv(unit, x, {8, 3, 1, 1}, e);
    const auto b = builder.conv(unit, a, {8, 3, 1, 1}, e);
    builder.output("y", b);
    return builder.finish();
}

design::Schedule external() {
    design::Schedule schedule = chain().schedule;
    SplitMix64 rng(1);
    EXPECT_EQ(test::makeExternal(schedule, rng), 2);
    return schedule;
}

std::string refusalOf(const design::Schedule& schedule) {
    const Status status = hdl::check(schedule);
    EXPECT_FALSE(status);
    return status ? "" : format(status.error());
}

void expectRefused(const design::Schedule& schedule, const std::string& words) {
    const std::string refusal = refusalOf(schedule);
    EXPECT_NE(refusal.find(words), std::string::npos) << refusal;
}

ComputeStep& call(design::Schedule& schedule, std::size_t step) {
    return std::get<ComputeStep>(schedule.steps[step]);
}

} // namespace

TEST(Hazards, NoneInRandomSchedules) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        design::Schedule schedule = test::randomDesign(seed).schedule;
        EXPECT_TRUE(hdl::check(schedule)) << seed;
        SplitMix64 rng(seed);
        if (test::makeExternal(schedule, rng) > 0) {
            EXPECT_TRUE(hdl::check(schedule)) << seed;
        }
    }
}

TEST(Hazards, WordsThatAnotherStepHasOverwritten) {
    design::Schedule schedule = chain().schedule;
    const std::string second = call(schedule, 2).layer;
    // The second call reads what the first one wrote; the load comes in between.
    std::swap(schedule.steps[0], schedule.steps[1]);
    expectRefused(schedule, "which no step before it has written");
    schedule = chain().schedule;
    design::StoredTensor& first = schedule.tensors[call(schedule, 1).output.index()];
    design::StoredTensor again = first;
    again.id = design::TensorId(schedule.tensors.size());
    again.value = ir::ValueId(9999);
    schedule.tensors.push_back(again);
    schedule.steps.insert(schedule.steps.begin() + 2, design::LoadStep{"z", again.id});
    expectRefused(schedule, "layer " + second + " reads " + again.name +
                                ", of which the load of z has overwritten words");
}

TEST(Hazards, RingsShorterThanABlock) {
    design::Schedule schedule = external();
    EXPECT_TRUE(hdl::check(schedule));
    schedule.units[0].ringWords = 17; // of 3 · 3 · 2 words
    expectRefused(schedule, "layer " + call(schedule, 1).layer +
                                " waits for ever: a block of its "
                                "weights has 18 words, the ring of unit u 17");
}

TEST(Hazards, WeightsThatLieElsewhere) {
    design::Schedule schedule = external();
    call(schedule, 2).weightBase += 1;
    expectRefused(schedule, "where others do not end");
    schedule = external();
    call(schedule, 2).weightBase = call(schedule, 1).weightBase;
    expectRefused(schedule, "layers " + call(schedule, 1).layer + " and " +
                                call(schedule, 2).layer + " take their weights from word");
    schedule = external();
    schedule.units[0].externalWords += 1;
    expectRefused(schedule, "its calls take");
}

namespace {

/// Of each of four bands the load, the call that makes c, and the one that makes y.
design::Schedule banded() {
    return test::designOf(R"(design bands {
  input  x : i8[24, 10, 8] = random(seed: 1);
  weight w : i8[16, 3, 3, 8] = random(seed: 2);
  weight v : i8[8, 3, 3, 16] = random(seed: 3);
  let    c = requant(conv(x, w, pad: 1), shift: 8);
  output y = requant(conv(c, v, pad: 1), shift: 8);
})",
                          8, 4, 1, false, 0,
                          [](design::ScheduleRequest& request) {
                              request.bands = {{0, 1, 6}};
                          })
        .schedule;
}

} // namespace

TEST(Hazards, WeightsThatABandTakesFromElsewhere) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        auto design = test::randomBands(seed);
        SplitMix64 rng(seed);
        if (!design || test::makeExternal(design->schedule, rng) == 0)
            continue;
        design::Schedule& schedule = design->schedule;
        ASSERT_TRUE(hdl::check(schedule)) << seed;
        for (std::size_t s = schedule.steps.size(); s-- > 0;)
            if (auto* last = std::get_if<design::ComputeStep>(&schedule.steps[s]);
                last != nullptr && last->external) {
                last->weightBase += 1000;
                break;
            }
        expectRefused(schedule, "where others do not end");
    }
}

TEST(Hazards, NoneInRandomBands) {
    int banded = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed)
        if (const auto design = test::randomBands(seed)) {
            const Status status = hdl::check(design->schedule);
            EXPECT_TRUE(status) << seed << format(status.error());
            ++banded;
        }
    EXPECT_GT(banded, 80);
}

TEST(Hazards, RowsThatLaterOnesHaveOverwritten) {
    design::Schedule schedule = banded();
    ASSERT_TRUE(hdl::check(schedule));
    ASSERT_EQ(schedule.steps.size(), 13U);
    // The second band of y is left until the third one of c is made.
    std::rotate(schedule.steps.begin() + 5, schedule.steps.begin() + 6, schedule.steps.begin() + 8);
    expectRefused(schedule, "layer y reads c, of which layer c has overwritten words");
}

TEST(Hazards, RowsOutOfTheirPlaceInARing) {
    design::Schedule schedule = banded();
    design::StoredTensor& rows = schedule.tensors[call(schedule, 4).output.index()];
    rows.base += rows.pitch();
    expectRefused(schedule, "do not lie in ring slot1 where rows before them end");
    schedule = banded();
    schedule.slots[1].depth += 8;
    expectRefused(schedule, "do not lie in ring slot1 where rows before them end");
    schedule = banded();
    schedule.slots[1].turns = 16;
    schedule.slots[1].depth += 8;
    expectRefused(schedule, "slot slot1 has no memory");
    schedule = banded();
    schedule.frames = 2;
    expectRefused(schedule, "is a ring of rows");
}

// What the store reads as a whole was written in bands, each in its place.
TEST(Hazards, RowsOutOfTheirPlaceInAResult) {
    design::Schedule schedule = banded();
    design::StoredTensor& rows = schedule.tensors[call(schedule, 5).output.index()];
    ASSERT_GT(rows.firstRow.value_or(0), 0);
    rows.base -= rows.pitch();
    expectRefused(schedule, "reads y, of which layer y has overwritten words");
}

TEST(Hazards, BandsOfAnInputInAnotherOrder) {
    design::Schedule schedule = banded();
    std::swap(schedule.steps[3], schedule.steps[6]);
    expectRefused(schedule, "bands of an input come from its first row on");
    schedule = banded();
    schedule.steps.erase(schedule.steps.begin());
    expectRefused(schedule, "bands of an input come from its first row on");
}

namespace {

/// Two images beside each other, and what reads both.
TestDesign joinedImages() {
    return test::designOf(R"(design joined {
  input  x : i8[4, 3, 8] = random(seed: 1);
  weight w : i8[8, 1, 1, 16] = random(seed: 2);
  let    a = requant(maxpool(x, size: 1), shift: 0);
  let    b = concat(relu(a), x, axis: 2);
  output y = requant(conv(b, w), shift: 8);
})",
                          8, 4);
}

std::size_t firstMove(const design::Schedule& schedule) {
    const auto move = std::ranges::find_if(schedule.steps, [](const design::Step& step) {
        return std::holds_alternative<design::MoveStep>(step);
    });
    return static_cast<std::size_t>(move - schedule.steps.begin());
}

} // namespace

TEST(Hazards, ReadersBetweenTheMovesOfALayer) {
    design::Schedule schedule = joinedImages().schedule;
    ASSERT_TRUE(hdl::check(schedule));
    const std::size_t second = firstMove(schedule) + 1;
    ASSERT_TRUE(std::holds_alternative<design::MoveStep>(schedule.steps.at(second)));
    std::swap(schedule.steps.at(second), schedule.steps.at(second + 1));
    expectRefused(schedule, "writes channels later");
}

TEST(Hazards, MovesWithALoopThatRunsOnceInEveryFrame) {
    design::Schedule schedule = joinedImages().schedule;
    auto& move = std::get<design::MoveStep>(schedule.steps.at(firstMove(schedule))).move;
    for (design::Walk* walk : {&move.source, &move.target})
        walk->loops.insert(walk->loops.begin(), {1, 0});
    EXPECT_TRUE(hdl::check(schedule)) << "of one frame a band may have one row";
    schedule.frames = 2;
    for (design::Slot& slot : schedule.slots)
        slot.depth *= 2;
    for (design::StoredTensor& tensor : schedule.tensors)
        tensor.base *= 2;
    expectRefused(schedule, "its loops visit no runs of lanes");
}

TEST(Hazards, MemoriesThatAreNone) {
    for (const design::ExternalMemory& memory :
         {design::ExternalMemory{12, 8, 0}, design::ExternalMemory{2, 2, 0},
          design::ExternalMemory{8, 9, 0}, design::ExternalMemory{8, 0, 0},
          design::ExternalMemory{8, 8, 2'000'000}}) {
        design::Schedule schedule = external();
        schedule.memory = memory;
        expectRefused(schedule, "external memory gives");
    }
    design::Schedule schedule = external();
    schedule.memory.reset();
    expectRefused(schedule, "the schedule no memory");
    schedule = chain().schedule;
    schedule.memory = design::ExternalMemory{};
    expectRefused(schedule, "neither external weights nor activations");
}

TEST(Hazards, WordsThatNoDeviceHolds) {
    design::Schedule schedule = external();
    schedule.slots[0].depth = std::int64_t{1} << 31;
    expectRefused(schedule, "slot " + schedule.slots[0].name + " has 2147483648 words");
    schedule = external();
    schedule.units[0].ringWords = 1'000'000'000;
    expectRefused(schedule, "has no memory for a ring of 1000000000 words");
    schedule = chain().schedule;
    schedule.units[0].ringWords = 8;
    expectRefused(schedule, "the schedule no memory");
}

TEST(Hazards, JoinedCallsThatWaitForWeights) {
    design::Schedule schedule = external();
    call(schedule, 2).joinedAfter = 1000;
    // What may not overlap at all is refused before.
    EXPECT_FALSE(hdl::check(schedule));
}

} // namespace marquetry
