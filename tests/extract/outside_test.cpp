// Values in external memory: designs where neither whole layers nor one run of bands has room.
#include "engine/extract/extract.h"
#include "tests/extract/params_within.h"
#include "tests/support/spaces.h"

#include "engine/design/cycle_model.h"
#include "engine/design/verify.h"

#include <gtest/gtest.h>

namespace marquetry {

namespace {

/// Residual blocks of large images, one behind the other: a run of bands over all of them keeps
/// many rows.
const char* const kResidual = R"(design residual {
  input  x  : i8[96, 96, 8] = random(seed: 1);
  weight w0 : i8[16, 3, 3, 8] = random(seed: 2);
  weight w1 : i8[16, 3, 3, 16] = random(seed: 3);
  weight w2 : i8[16, 3, 3, 16] = random(seed: 4);
  weight w3 : i8[16, 3, 3, 16] = random(seed: 5);
  weight w4 : i8[16, 3, 3, 16] = random(seed: 6);
  weight w5 : i8[32, 3, 3, 16] = random(seed: 7);
  let    a  = requant(conv(x, w0, pad: 1), shift: 8);
  let    b  = requant(conv(a, w1, pad: 1), shift: 8);
  let    c  = requant(add(requant(conv(b, w2, pad: 1), shift: 8), a), shift: 1);
  let    d  = requant(conv(c, w3, pad: 1), shift: 8);
  let    e  = requant(add(requant(conv(d, w4, pad: 1), shift: 8), c), shift: 1);
  output y  = requant(conv(e, w5, stride: 4, pad: 1), shift: 8);
})";

class Outside : public testing::Test {
protected:
    Outside() : lowered_(test::spaceOf(kResidual, design::CostModel::Cycles, {})) {}

    extract::ExtractResult within(double blocks, bool memory) const {
        extract::ExtractParams params =
            test::paramsWithin(64, design::CostModel::Cycles, "xc7z020");
        params.limits.bram = blocks;
        params.limits.lut = 12'000; // few slots are built of LUTs
        if (!memory)
            params.device.memoryBytesPerCycle = 0;
        auto result = extract::extract(lowered_, params);
        EXPECT_TRUE(result.has_value());
        return *std::move(result);
    }

private:
    rules::Lowered lowered_;
};

} // namespace

TEST_F(Outside, ValuesAreWhereNothingElseHasRoom) {
    int outside = 0;
    int onlyOutside = 0;
    for (double blocks = 40; blocks >= 12; blocks -= 2) {
        const extract::ExtractResult result = within(blocks, true);
        const extract::ExtractResult without = within(blocks, false);
        if (without.design) {
            ASSERT_TRUE(result.design) << blocks;
            EXPECT_LE(result.design->cycles, without.design->cycles) << blocks;
        }
        if (!result.design || result.design->outside.empty())
            continue;
        const design::Design& design = *result.design;
        ++outside;
        onlyOutside += without.design ? 0 : 1;
        EXPECT_LE(design.resources.bram, blocks);
        EXPECT_TRUE(design::verifyDesign(design, *device::findDevice("xc7z020")).has_value());
        ASSERT_TRUE(design.schedule);
        EXPECT_EQ(design.schedule->externals.size(), design.outside.size());
        EXPECT_EQ(design::predictCycles(*design.schedule).total, design.cycles);
        EXPECT_TRUE(result.status == extract::ExtractStatus::Feasible ||
                    result.lowerBound == static_cast<double>(design.cycles));
    }
    EXPECT_GE(outside, 2);
    EXPECT_GE(onlyOutside, 1);
}

TEST_F(Outside, TakeTheLoadsAndStoresAmongTheTransfers) {
    for (double blocks = 40; blocks >= 12; blocks -= 2) {
        const extract::ExtractResult result = within(blocks, true);
        if (!result.design || result.design->outside.empty())
            continue;
        const design::Schedule& schedule = *result.design->schedule;
        const design::CyclePrediction prediction = design::predictCycles(schedule);
        std::int64_t transfers = 0;
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (design::layerOf(schedule.steps[s]) == nullptr)
                transfers += prediction.steps[s];
        EXPECT_EQ(result.design->transferCycles, transfers);
        return;
    }
    FAIL() << "no design has a value outside";
}

} // namespace marquetry
