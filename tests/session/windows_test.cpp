// Explored programs with windows of every form: what extraction prices is what the schedule takes,
// and what the schedule computes is the program.
#include "engine/design/cycle_model.h"
#include "engine/ir/interpreter.h"
#include "engine/session/explore.h"
#include "tests/lower_design/random_windows.h"
#include "tests/oracles/simulate.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::session {
namespace {

using design::Design;

Exploration exploredText(const std::string& text, double dsp,
                         const std::vector<std::string>& without = {}) {
    Settings settings;
    settings.limits["dsp"] = dsp;
    settings.without = without;
    auto result = explore(test::programOf(text), settings, {});
    EXPECT_TRUE(result.has_value()) << text;
    return *std::move(result);
}

/// Every call takes the clocks of its step, and the whole those of the schedule.
void expectBuiltAsPriced(const Design& design) {
    ASSERT_TRUE(design.schedule) << design.notExportable;
    const design::CyclePrediction prediction = design::predictCycles(*design.schedule);
    EXPECT_EQ(design.cycles, prediction.total);
    std::size_t call = 0;
    for (std::size_t s = 0; s < prediction.steps.size(); ++s)
        if (std::holds_alternative<design::ComputeStep>(design.schedule->steps[s])) {
            EXPECT_EQ(design.calls[call].cycles - design.calls[call].overlap, prediction.steps[s])
                << design.calls[call].layer;
            ++call;
        }
    EXPECT_EQ(call, design.calls.size());
}

void expectComputes(const Design& design, const ir::Program& program) {
    const auto run = ir::interpret(program, {});
    ASSERT_TRUE(run.has_value());
    const auto results = design::simulate(*design.schedule, program, run->values);
    for (std::size_t k = 0; k < results.size(); ++k)
        EXPECT_EQ(results[k], run->values[program.outputs[k].value.index()]);
}

} // namespace

TEST(Windows, RandomProgramsAreBuiltAsPriced) {
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        SCOPED_TRACE(test::randomWindowsText(seed));
        const Exploration done = exploredText(test::randomWindowsText(seed), 256);
        ASSERT_TRUE(done.extraction.design);
        expectBuiltAsPriced(*done.extraction.design);
        expectComputes(*done.extraction.design, *done.program);
    }
}

/// Layers of different channels and strides; the network's own small cousin.
constexpr const char* kSeparable = R"(design separable {
  input  x  : i8[12, 12, 3] = random(seed: 1);
  weight w0 : i8[8, 3, 3, 3] = random(seed: 2);
  weight d1 : i8[8, 3, 3] = random(seed: 3);
  weight p1 : i8[16, 1, 1, 8] = random(seed: 4);
  weight d2 : i8[16, 3, 3] = random(seed: 5);
  weight p2 : i8[24, 1, 1, 16] = random(seed: 6);
  weight d3 : i8[24, 5, 3] = random(seed: 7);
  let a0 = requant(conv(x, w0, stride: 2, pad: [0, 0, 1, 1], fill: -128), shift: 7);
  let a1 = requant(dwconv(a0, d1, pad: 1, fill: -128), shift: 6);
  let a2 = requant(conv(a1, p1), shift: 6);
  let a3 = requant(dwconv(a2, d2, stride: 2, pad: [0, 0, 1, 1], fill: -128), shift: 6);
  let a4 = requant(conv(a3, p2), shift: 6);
  let a5 = requant(dwconv(a4, d3, pad: [2, 1, 2, 1], fill: -128), shift: 6);
  let m  = maxpool(a5, size: 3, stride: 1, pad: 1);
  let n  = maxpool(m, size: 2, stride: 1);
  output y = requant(sumpool(n, size: 2, stride: 1), shift: 2);
})";

TEST(Windows, DepthWiseLayersOfEqualTypesShareALaneUnit) {
    const Exploration done = exploredText(kSeparable, 40);
    ASSERT_TRUE(done.extraction.design);
    const Design& design = *done.extraction.design;
    expectBuiltAsPriced(design);
    expectComputes(design, *done.program);
    const auto calls = [&](design::LaneFunction function) {
        std::vector<std::size_t> counts;
        for (const design::ScheduleUnit& unit : design.schedule->units)
            if (unit.laneFunction == function)
                counts.push_back(design.units[unit.id.index()].callSites.size());
        return counts;
    };
    EXPECT_EQ(calls(design::LaneFunction::Products), std::vector<std::size_t>{3});
    EXPECT_EQ(calls(design::LaneFunction::Max), std::vector<std::size_t>{2});
    EXPECT_EQ(calls(design::LaneFunction::Sum), std::vector<std::size_t>{1});
    for (const design::ScheduleUnit& unit : design.schedule->units) {
        const design::DesignUnit& priced = design.units[unit.id.index()];
        if (unit.laneFunction == design::LaneFunction::Products) {
            EXPECT_EQ(priced.multipliers, unit.span * design.lanes);
        } else if (unit.lanewise()) {
            EXPECT_EQ(priced.multipliers, 0);
            EXPECT_EQ(priced.resources.dsp, 0);
            EXPECT_GT(priced.resources.lut, 0);
        }
    }
}

/// A unit of products computes all taps of few channels at once; a lane unit takes one by one.
TEST(Windows, ADepthWiseLayerOfFewChannelsIsOneInGroupsWhereThatIsFaster) {
    const char* const text = R"(design few {
  input  x  : i8[24, 24, 3] = random(seed: 1);
  weight w0 : i8[8, 3, 3, 3] = random(seed: 2);
  weight d1 : i8[8, 3, 3] = random(seed: 3);
  weight p1 : i8[16, 1, 1, 8] = random(seed: 4);
  let a0 = requant(conv(x, w0, pad: 1), shift: 7);
  let a1 = requant(dwconv(a0, d1, pad: 1), shift: 6);
  output y = requant(conv(a1, p1), shift: 6);
})";
    const Exploration grouped = exploredText(text, 300);
    const Exploration lanewise = exploredText(text, 300, {"grouping"});
    ASSERT_TRUE(grouped.extraction.design && lanewise.extraction.design);
    EXPECT_EQ(grouped.extraction.design->groupedChannels, 8);
    EXPECT_EQ(lanewise.extraction.design->groupedChannels, 0);
    EXPECT_LT(grouped.extraction.design->cycles, lanewise.extraction.design->cycles);
    const auto& units = grouped.extraction.design->schedule->units;
    EXPECT_TRUE(std::ranges::none_of(units, &design::ScheduleUnit::lanewise));
    expectBuiltAsPriced(*grouped.extraction.design);
    expectComputes(*grouped.extraction.design, *grouped.program);
}

TEST(Windows, ALaneUnitTakesAMultiplierPerLane) {
    const Exploration done = exploredText(
        R"(design one {
  input  x : i8[6, 6, 40] = random(seed: 1);
  weight d : i8[40, 3, 3] = random(seed: 2);
  output y = requant(dwconv(x, d, pad: 1), shift: 6);
})",
        512);
    ASSERT_TRUE(done.extraction.design);
    const Design& design = *done.extraction.design;
    expectBuiltAsPriced(design);
    ASSERT_EQ(design.units.size(), 1U);
    // As many words as hold all channels, so that they are one block.
    const std::int64_t words = (40 + design.lanes - 1) / design.lanes;
    EXPECT_EQ(design.units[0].multipliers, words * design.lanes);
    // Their results are held and leave a word at a time.
    const std::int64_t groups = words == 1 ? 0 : words;
    EXPECT_EQ(design.units[0].writeLanes, design.lanes);
    EXPECT_EQ(design.calls[0].cycles, 1 + 36 * 9 + 3 + 2 + 6 + groups);
}

} // namespace marquetry::session
