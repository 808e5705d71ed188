// The width of a word where calls may be streamed.
#include "engine/rules/lanes.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry {

namespace {

std::int64_t lanesOf(const std::string& text, const rules::LoweringParams& params) {
    const auto program = test::programOf(text);
    return rules::lanesFor(*program, ir::planLayers(*program, {true}), params);
}

rules::LoweringParams within(std::int64_t multipliers, double luts) {
    rules::LoweringParams params;
    params.multipliers = multipliers;
    params.streams = true;
    params.streamLuts = luts;
    return params;
}

/// A pixel of nine rows does not fit in a word of eight.
constexpr const char* kNineRows =
    "design n { input x : i8[3, 12, 4] = random(seed: 21); weight w : i8[9, 1, 1, 4] = "
    "random(seed: 16); output y = relu(conv(x, w, pad: 2, stride: 2)); }";

/// With a product behind it that cannot be streamed.
constexpr const char* kNineRowsAndProduct =
    "design n { input x : i8[8, 8, 4] = random(seed: 21); weight w : i8[9, 1, 1, 4] = "
    "random(seed: 16); let y = relu(requant(conv(x, w), shift: 7)); "
    "weight f : i8[4, 576] = random(seed: 2); output z = mv(f, flatten(y)); }";

} // namespace

TEST(StreamLanes, AreWideEnoughForAPixel) {
    for (const std::int64_t multipliers : {0, 1, 8, 16})
        EXPECT_EQ(lanesOf(kNineRows, within(multipliers, 1e4)), 16) << multipliers;
}

// Stored words are taken together, so narrow ones hold a row as well as wide ones do.
TEST(NarrowLanes, HoldARowAlone) {
    const std::string text = "design w { input x : i8[64] = zeros; weight a : i8[1, 64] = zeros; "
                             "output y = mv(a, x); }";
    rules::LoweringParams params;
    params.multipliers = 64;
    EXPECT_EQ(lanesOf(text, params), 8);
    params.pairsRows = true;
    EXPECT_EQ(lanesOf(text, params), 8);
    // With streams too.
    params = within(16, 1e4);
    EXPECT_EQ(lanesOf(kNineRowsAndProduct, params), 16);
    params.pairsRows = true;
    EXPECT_EQ(lanesOf(kNineRowsAndProduct, params), 8);
}

TEST(StreamLanes, StayNarrowWithoutStreamUnits) {
    rules::LoweringParams params = within(8, 1e4);
    const auto program = test::programOf(kNineRows);
    const auto plan = ir::planLayers(*program, {true});
    const std::int64_t narrow = rules::chooseLanes(*program, plan, params);
    EXPECT_EQ(narrow, 8);
    params.streams = false;
    EXPECT_EQ(rules::lanesFor(*program, plan, params), narrow);
    EXPECT_EQ(rules::lanesFor(*program, plan, within(8, 0)), narrow) << "none on the device";
    params = within(8, 1e4);
    params.without = {"streams"};
    EXPECT_EQ(rules::lanesFor(*program, plan, params), narrow) << "the rule is off";
    // No room for the unit, and too few multipliers for an array of sixteen columns.
    EXPECT_EQ(rules::lanesFor(*program, plan, within(8, 500)), narrow);
    params = within(8, 1e4);
    params.lanes = 32;
    EXPECT_EQ(rules::lanesFor(*program, plan, params), 32) << "asked for";
}

TEST(StreamLanes, LeaveAUnitForEveryCall) {
    EXPECT_EQ(lanesOf(kNineRowsAndProduct, within(8, 1e6)), 8);
    EXPECT_EQ(lanesOf(kNineRowsAndProduct, within(16, 1e6)), 16);
    // What one layer reads and writes must fit on the chip.
    rules::LoweringParams params = within(16, 1e6);
    params.onChipBits = 8 * 8 * 8 * (4 + 16) - 1;
    EXPECT_EQ(lanesOf(kNineRowsAndProduct, params), 8);
}

} // namespace marquetry
