// Clocks by estimate: paths computed by hand from the cells, and what is said where nothing is
// known.
#include "engine/cost/clock_cells.h"
#include "engine/cost/clock_estimate.h"
#include "engine/device/device_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::cost {
namespace {

using ::testing::HasSubstr;

TEST(ClockEstimate, AddsUpCellsAndWires) {
    // Memory, LUT, the register in front of a multiplier: two wires.
    const ClockPath operand{
        .what = "operand", .start = PathStart::BlockRam, .logic = {4}, .end = PathEnd::Multiplier};
    const ClockCells& xc7 = *clockCells("xc7");
    const ClockEstimate one = estimateClock("xc7", {operand});
    EXPECT_DOUBLE_EQ(one.cellsPs, 2454 + xc7.lut + 324);
    EXPECT_DOUBLE_EQ(one.pathPs, one.cellsPs + 2 * xc7.wire);
    EXPECT_DOUBLE_EQ(one.mhz, 1e6 / one.pathPs);
    // Eight blocks of the chain: the first one is entered, six are passed, the last one is left.
    const ClockPath sum{.what = "sum", .sums = {32}};
    const ClockEstimate two = estimateClock("xc7", {sum});
    EXPECT_DOUBLE_EQ(two.cellsPs, 303 + xc7.intoSum + 6 * 114 + 334);
    EXPECT_DOUBLE_EQ(two.pathPs, two.cellsPs + xc7.wire);
}

TEST(ClockEstimate, TakesTheLongestWithWiresAndSaysWhichItIs) {
    const ClockPath ram{.what = "ram", .start = PathStart::BlockRam, .end = PathEnd::Register};
    const ClockPath logic{.what = "logic", .logic = {6, 6, 6, 6}};
    const ClockEstimate estimate = estimateClock("xc7", {ram, logic});
    EXPECT_EQ(estimate.path, "logic");
    EXPECT_DOUBLE_EQ(estimate.cellsPs, 2454) << "the longest without wires is the other one";
    EXPECT_TRUE(estimate.meets(200));
    EXPECT_FALSE(estimate.meets(400));
}

TEST(ClockEstimate, NarrowLutsTakeMoreOfThem) {
    const ClockPath logic{.what = "logic", .logic = {36}};
    const double inXc7 = (cellsOf(logic, "xc7") - 303) / clockCells("xc7")->lut;
    const ClockCells& ecp5 = *clockCells("ecp5");
    EXPECT_DOUBLE_EQ(inXc7, 2);
    EXPECT_DOUBLE_EQ((cellsOf(logic, "ecp5") - ecp5.registerOut) / ecp5.lut, 3);
}

TEST(ClockEstimate, KnowsTheFamilyOfEveryDevice) {
    for (const device::Device& device : device::shippedDevices()) {
        const ClockEstimate estimate = estimateClock(device.family, {{.what = "sum", .sums = {8}}});
        EXPECT_GT(estimate.mhz, 0) << device.id;
        EXPECT_THAT(estimate.basis, HasSubstr("assumed")) << device.id;
    }
}

TEST(ClockEstimate, KnowsTheLongestKernelOfAClock) {
    for (const char* const family : {"xc7", "xcup", "ecp5"}) {
        for (const double mhz : {20.0, 150.0, 200.0, 300.0, 900.0}) {
            const double longest = kernelWithin(family, mhz);
            if (longest > 0) {
                EXPECT_NEAR(delayOf({.what = "k", .kernel = longest}, family), 1e6 / mhz, 1e-6)
                    << family << " at " << mhz;
            }
        }
    }
    EXPECT_GT(kernelWithin("xc7", 200), 3000);
    EXPECT_EQ(kernelWithin("ecp5", 2000), 0) << "a wire alone takes longer";
    EXPECT_EQ(kernelWithin("abacus", 100), 0);
}

TEST(ClockEstimate, SaysWhereNothingIsKnown) {
    const ClockEstimate none = estimateClock("abacus", {{.what = "sum", .sums = {8}}});
    EXPECT_EQ(none.mhz, 0);
    EXPECT_EQ(none.basis, "not estimated: no delays of cells are known for the family abacus");
    EXPECT_THAT(estimateClock("xc7", {}).basis, HasSubstr("not estimated"));
}

} // namespace
} // namespace marquetry::cost
