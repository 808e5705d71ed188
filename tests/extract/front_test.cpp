// The front of one extraction against extractions under lower limits.
#include "engine/extract/extract.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace marquetry {

using design::CostModel;

namespace {

/// The fastest design of the front within so many DSP blocks.
std::int64_t fastestWithin(const std::vector<design::DesignPoint>& points, double dsp) {
    std::int64_t cycles = std::numeric_limits<std::int64_t>::max();
    for (const design::DesignPoint& point : points)
        if (point.feasible && point.resources.dsp <= dsp)
            cycles = std::min(cycles, point.cycles);
    return cycles;
}

} // namespace

TEST(Front, IsNoWorseThanWhatALimitFinds) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const std::string text =
            seed % 2 == 0 ? test::meetingProgramText(seed) : test::scaledProgramText(seed);
        const rules::Lowered lowered = test::spaceOf(text, CostModel::Cycles, {});
        const auto whole = extract::extract(lowered, test::paramsWithin(400, CostModel::Cycles));
        ASSERT_TRUE(whole.has_value());
        for (const double limit : {24.0, 57.0, 130.0, 260.0}) {
            const auto within =
                extract::extract(lowered, test::paramsWithin(limit, CostModel::Cycles));
            ASSERT_TRUE(within.has_value());
            if (!within->design)
                continue;
            EXPECT_EQ(within->design->cycles, fastestWithin(whole->points, limit))
                << "seed " << seed << " dsp " << limit;
            ++compared;
        }
    }
    EXPECT_GT(compared, 30);
}

} // namespace marquetry
