// Windows of every form: what their schedules say and compute, against the interpreter.
#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "tests/lower_design/random_windows.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::ComputeStep;
using design::LaneFunction;
using test::TestDesign;

namespace {

const ComputeStep& onlyCall(const TestDesign& design) {
    return std::get<ComputeStep>(design.schedule.steps.at(1));
}

/// How many steps have what the draws are for.
struct Seen {
    int rectangular = 0, strides = 0, uneven = 0, values = 0, groups = 0, addends = 0, beyond = 0;
    int products = 0, maxima = 0, sums = 0;
    int wholeOfInputs = 0, wholeOfResults = 0;
};

void look(const design::Schedule& schedule, const ComputeStep& step, Seen& seen) {
    const design::StoredTensor& input = schedule.tensor(step.input);
    const bool loaded = input.id == std::get<design::LoadStep>(schedule.steps[0]).tensor;
    if (schedule.slot(input.slot).window)
        ++(loaded ? seen.wholeOfInputs : seen.wholeOfResults);
    seen.rectangular += !step.kernel.isSquare();
    seen.strides += !step.stride.isSquare();
    seen.uneven += !step.pad.isSquare();
    seen.values += step.padValue != 0;
    seen.groups += step.groups > 1;
    seen.addends += step.epilogue.addend.has_value();
    seen.beyond += step.kernel.vertical > input.height || step.kernel.horizontal > input.width;
    const LaneFunction function = schedule.unit(step.unit).laneFunction;
    seen.products += function == LaneFunction::Products;
    seen.maxima += function == LaneFunction::Max;
    seen.sums += function == LaneFunction::Sum;
}

} // namespace

TEST(Windows, SchedulesComputeTheProgram) {
    Seen seen;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const TestDesign test = test::randomWindows(seed);
        ASSERT_EQ(design::simulate(test.schedule, test.program, test.values), test.outputs())
            << "seed " << seed;
        for (const design::Step& step : test.schedule.steps)
            if (const auto* compute = std::get_if<ComputeStep>(&step))
                look(test.schedule, *compute, seen);
    }
    for (const int count : {seen.rectangular, seen.strides, seen.uneven, seen.values, seen.groups,
                            seen.products, seen.maxima, seen.sums})
        EXPECT_GT(count, 50);
    EXPECT_GT(seen.addends, 5);
    EXPECT_GT(seen.beyond, 20);
    EXPECT_GT(seen.wholeOfInputs, 20);
    EXPECT_GT(seen.wholeOfResults, 20);
}

TEST(Windows, AreReadWholeFromWhatAUnitComputes) {
    const TestDesign test = test::designOf(R"(design whole {
  input  x : i8[10, 12, 4] = random(seed: 1);
  weight w : i8[8, 3, 3, 4] = random(seed: 2);
  weight v : i8[16, 3, 3, 8] = random(seed: 3);
  let    c = requant(conv(x, w, pad: 1), shift: 8);
  output y = requant(conv(c, v, pad: 1), shift: 8);
})",
                                           8, 8, 9, true);
    const auto& step = std::get<ComputeStep>(test.schedule.steps[2]);
    const design::StoredTensor& c = test.schedule.tensor(step.input);
    const design::Slot& slot = test.schedule.slot(c.slot);
    ASSERT_TRUE(slot.window.has_value());
    EXPECT_EQ(slot.window->rows, 3);
    EXPECT_EQ(slot.window->run, 3);
    EXPECT_EQ(slot.turns, 16) << "of nine words";
    EXPECT_EQ(c.rowWords, 19) << "three modulo 16";
    // One iteration for a result, two blocks of rows; 72 products have seven levels.
    EXPECT_EQ(design::predictCycles(test.schedule).steps[2], 1 + 2 * 120 + 3 + 2 + 7 + 6);
    EXPECT_EQ(design::simulate(test.schedule, test.program, test.values), test.outputs());
}

TEST(Windows, AreReadByWordsWhereOthersReadToo) {
    const TestDesign test = test::designOf(R"(design residual {
  input  x : i8[10, 12, 8] = random(seed: 1);
  weight w : i8[8, 3, 3, 8] = random(seed: 2);
  weight v : i8[8, 3, 3, 8] = random(seed: 3);
  let    c = requant(conv(x, w, pad: 1), shift: 8);
  output y = requant(add(requant(conv(c, v, pad: 1), shift: 8), c), shift: 1);
})",
                                           8, 8, 9, true);
    const auto& step = std::get<ComputeStep>(test.schedule.steps[2]);
    EXPECT_FALSE(test.schedule.slot(test.schedule.tensor(step.input).slot).window.has_value());
    EXPECT_EQ(design::simulate(test.schedule, test.program, test.values), test.outputs());
}

TEST(Windows, RoundTripThroughTheFile) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const TestDesign test = test::randomWindows(seed);
        const auto json = design::toJson(test.schedule);
        const auto back = design::scheduleFromJson(nlohmann::ordered_json::parse(json.dump()));
        ASSERT_TRUE(back) << format(back.error());
        EXPECT_EQ(design::toJson(*back).dump(), json.dump());
        EXPECT_EQ(design::simulate(*back, test.program, test.values), test.outputs())
            << "seed " << seed;
    }
}

TEST(Windows, AFileOfThreeExtentsIsRefused) {
    auto json = design::toJson(test::randomWindows(1).schedule);
    json["steps"][1]["kernel"] = {1, 2, 3};
    const auto read = design::scheduleFromJson(json);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().front().code, "schedule-form");
}

// By hand: 10 × 4 windows, stride 2, more rows of padding below than above, of the zero point.
TEST(Windows, ThoseOfAKeywordSpotter) {
    const TestDesign test = test::designOf(R"(design kws {
  input  x : i8[49, 10, 1] = random(seed: 1);
  weight w : i8[64, 10, 4, 1] = random(seed: 2);
  output y = requant(conv(x, w, stride: 2, pad: [4, 1, 5, 1], fill: -83), shift: 9);
})",
                                           8, 4);
    const ComputeStep& step = onlyCall(test);
    EXPECT_EQ(step.kernel, ir::PerAxis(10, 4));
    EXPECT_EQ(step.stride, ir::PerAxis(2));
    EXPECT_EQ(step.pad, ir::PerAxis(4, 1));
    EXPECT_EQ(step.padValue, -83);
    EXPECT_EQ(step.height, 25);
    EXPECT_EQ(step.width, 5);
    // Set-up, 16 blocks of 125 pixels of 40 words, drain: operand 2, product, tree 3, sum, 6.
    EXPECT_EQ(design::predictCycles(test.schedule).steps[1], 1 + 16 * 125 * 40 + 3 + 5 + 6);
    EXPECT_EQ(design::simulate(test.schedule, test.program, test.values), test.outputs());
}

TEST(Windows, ADepthWiseConvolutionTakesAClockPerWordOfItsWindow) {
    const TestDesign test = test::designOf(R"(design dw {
  input  x : i8[7, 7, 20] = random(seed: 1);
  weight w : i8[20, 3, 3] = random(seed: 2);
  output y = requant(dwconv(x, w, pad: 1), shift: 7);
})",
                                           8, 4);
    // Three words of channels, 49 pixels, nine elements; products and sums, no tree.
    EXPECT_EQ(design::predictCycles(test.schedule).steps[1], 1 + 3 * 49 * 9 + 3 + 2 + 6);
    EXPECT_EQ(test.schedule.units[0].weightWords, 3 * 9);
    const auto packed =
        design::packWeights(test.schedule, test.schedule.units[0].id, test.program, test.values);
    ASSERT_EQ(packed.size(), 27U * 8);
    const auto& w = test.values[test.program.weights[0].index()].data; // 20 × 3 × 3
    EXPECT_EQ(packed[0], w[0]) << "channel 0, element 0";
    EXPECT_EQ(packed[7], w[7 * 9]) << "channel 7, element 0";
    EXPECT_EQ(packed[4 * 8 + 2], w[2 * 9 + 4]) << "channel 2, element (1, 1)";
    EXPECT_EQ(packed[(9 + 8) * 8 + 5], w[13 * 9 + 8]) << "second word: channel 13, element (2, 2)";
    EXPECT_EQ(packed[(18 + 3) * 8 + 3], w[19 * 9 + 3]);
    EXPECT_EQ(packed[(18 + 3) * 8 + 4], 0) << "past the channels";
}

TEST(Windows, APoolTakesAClockPerWordOfItsWindow) {
    const TestDesign test = test::designOf(R"(design pool {
  input  x : u8[6, 9, 12] = random(seed: 1);
  output y = maxpool(x, size: [3, 2], stride: [2, 1], pad: [1, 0, 1, 1]);
})",
                                           8, 4);
    EXPECT_EQ(design::predictCycles(test.schedule).steps[1], 1 + 2 * (3 * 9) * 6 + 3 + 1 + 6);
    EXPECT_EQ(onlyCall(test).padValue, 0) << "the least that an u8 can be";
    EXPECT_EQ(design::simulate(test.schedule, test.program, test.values), test.outputs());
}

TEST(Windows, RowsReadTheirGroupAlone) {
    const TestDesign test = test::designOf(R"(design groups {
  input  x : i8[1, 1, 6] = random(seed: 1);
  weight w : i8[4, 1, 1, 3] = random(seed: 2);
  output y = conv(x, w, groups: 2);
})",
                                           8, 4);
    const auto packed =
        design::packWeights(test.schedule, test.schedule.units[0].id, test.program, test.values);
    const auto& w = test.values[test.program.weights[0].index()].data;
    ASSERT_EQ(packed.size(), 4U * 8);
    for (std::size_t row = 0; row < 4; ++row)
        for (std::size_t lane = 0; lane < 8; ++lane) {
            const std::size_t first = row < 2 ? 0 : 3;
            const bool own = lane >= first && lane < first + 3;
            EXPECT_EQ(packed[row * 8 + lane], own ? w[row * 3 + lane - first] : 0)
                << row << ", " << lane;
        }
}

} // namespace marquetry
