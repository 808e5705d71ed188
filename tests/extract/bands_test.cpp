// Bands of rows in extraction: where layers have no room as a whole, and what is said of them.
#include "engine/extract/extract.h"
#include "tests/extract/params_within.h"
#include "tests/support/spaces.h"

#include "engine/design/cycle_model.h"
#include "engine/design/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace marquetry {

using extract::ExtractParams;
using extract::ExtractResult;
using extract::ExtractStatus;

namespace {

/// Two convolutions of an image: the first result takes more than the image and the last one.
const char* const kTwoConvolutions = R"(design two {
  input  x  : i8[128, 128, 8] = random(seed: 1);
  weight w0 : i8[16, 3, 3, 8] = random(seed: 2);
  weight w1 : i8[8, 3, 3, 16] = random(seed: 3);
  let    a  = requant(conv(x, w0, pad: 1), shift: 8);
  output y  = requant(conv(a, w1, stride: 2, pad: 1), shift: 8);
})";

/// A program on an `xc7z020` with so many of its blocks.
class BandsOf : public testing::Test {
protected:
    BandsOf(const char* program, double dsp) : BandsOf(program, dsp, kAllLuts) {}
    BandsOf(const char* program, double dsp, double lut)
        : dsp_(dsp), lut_(lut), lowered_(test::spaceOf(program, design::CostModel::Cycles, {})) {}

    ExtractResult within(double blocks) const {
        ExtractParams params = test::paramsWithin(dsp_, design::CostModel::Cycles, "xc7z020");
        params.limits.bram = blocks;
        params.limits.lut = std::min(params.limits.lut, lut_);
        auto result = extract::extract(lowered_, params);
        EXPECT_TRUE(result.has_value());
        return *std::move(result);
    }

private:
    static constexpr double kAllLuts = std::numeric_limits<double>::infinity();
    double dsp_, lut_;
    rules::Lowered lowered_;
};

class Bands : public BandsOf {
protected:
    Bands() : BandsOf(kTwoConvolutions, 64) {}
};

/// Weights of 36 and 72 kB between results of 64 and 32.
const char* const kWithWeights = R"(design weighty {
  input  x  : i8[32, 32, 64] = random(seed: 1);
  weight w0 : i8[64, 3, 3, 64] = random(seed: 2);
  weight w1 : i8[128, 3, 3, 64] = random(seed: 3);
  let    a  = requant(conv(x, w0, pad: 1), shift: 8);
  output y  = requant(conv(a, w1, stride: 2, pad: 1), shift: 8);
})";

class BandsWithWeights : public BandsOf {
protected:
    BandsWithWeights() : BandsOf(kWithWeights, 128, 16'000) {}
};

bool readsAgain(const design::Schedule& schedule) {
    return std::ranges::any_of(schedule.steps, [&](const design::Step& step) {
        const auto* call = std::get_if<design::ComputeStep>(&step);
        return call != nullptr && call->external && schedule.tensor(call->output).firstRow;
    });
}

/// The number that the refusal names.
double needed(const ExtractResult& result) {
    const std::string& message = result.infeasible.front().message;
    return std::stod(message.substr(message.rfind(' ') + 1));
}

} // namespace

TEST_F(Bands, AreThereWhereWholeLayersHaveNoRoom) {
    const ExtractResult roomy = within(140);
    ASSERT_TRUE(roomy.design);
    EXPECT_TRUE(roomy.design->bands.empty());
    const double whole = roomy.design->resources.bram;
    int banded = 0;
    for (double blocks = whole - 0.5; blocks > 0; blocks -= 2) {
        const ExtractResult result = within(blocks);
        if (!result.design)
            break;
        const design::Design& design = *result.design;
        EXPECT_LE(design.resources.bram, blocks);
        EXPECT_GE(design.cycles, roomy.design->cycles);
        EXPECT_TRUE(design::verifyDesign(design, *device::findDevice("xc7z020")).has_value());
        ASSERT_TRUE(design.schedule);
        EXPECT_EQ(design::predictCycles(*design.schedule).total, design.cycles);
        if (design.bands.empty())
            continue;
        ++banded;
        EXPECT_TRUE(std::ranges::any_of(design.schedule->slots, &design::Slot::ring));
        EXPECT_TRUE(result.status == ExtractStatus::Feasible ||
                    result.lowerBound == static_cast<double>(design.cycles))
            << "a search among some bands proves nothing";
    }
    EXPECT_GE(banded, 3);
}

// How much of it is built of LUTs depends on how many blocks there are, so the first number named
// may be too low.
TEST_F(Bands, AreInWhatADesignIsSaidToNeed) {
    double blocks = 2;
    ExtractResult result = within(blocks);
    for (int asked = 0; asked < 4 && !result.design; ++asked) {
        const double needs = needed(result);
        ASSERT_GT(needs, blocks);
        blocks = needs;
        result = within(blocks);
    }
    ASSERT_TRUE(result.design) << blocks;
    EXPECT_FALSE(result.design->bands.empty() && result.design->outside.empty());
}

// Slots may be built of LUTs, fewer of them where there are more blocks.
TEST_F(Bands, NeverTakeLongerWhereThereAreMoreBlocks) {
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    for (double blocks = 4; blocks <= 84; blocks += 4) {
        const ExtractResult result = within(blocks);
        if (!result.design)
            continue;
        EXPECT_LE(result.design->cycles, before) << blocks;
        before = result.design->cycles;
    }
    EXPECT_LT(before, std::numeric_limits<std::int64_t>::max());
}

// As blocks become fewer, weights leave the chip, layers come in bands that read them again, and
// rings of weights are built of LUTs.
TEST_F(BandsWithWeights, ReadThemAgain) {
    int again = 0;
    int luts = 0;
    for (double blocks = 60; blocks >= 4; blocks -= 2) {
        const ExtractResult result = within(blocks);
        if (!result.design)
            continue;
        const design::Design& design = *result.design;
        EXPECT_LE(design.resources.bram, blocks);
        EXPECT_TRUE(design::verifyDesign(design, *device::findDevice("xc7z020")).has_value());
        ASSERT_TRUE(design.schedule);
        EXPECT_EQ(design::predictCycles(*design.schedule).total, design.cycles);
        again += readsAgain(*design.schedule) ? 1 : 0;
        luts += std::ranges::any_of(design.schedule->units, &design::ScheduleUnit::lutWeights);
    }
    EXPECT_GE(again, 3);
    EXPECT_GE(luts, 2);
}

} // namespace marquetry
