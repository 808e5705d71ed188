// What the search claims of a design holds for the hardware, whose write-backs may take fewer DSP
// blocks than the search counts with.
#include "tests/extract/small_programs.h"

#include <gtest/gtest.h>

namespace marquetry {

namespace {

extract::ExtractResult answerWithin(const test::SmallProgram& program, double dsp) {
    extract::ExtractParams params = program.within(dsp);
    params.explain = false;
    auto result = extract::extract(program.lowered, params);
    EXPECT_TRUE(result.has_value()) << program.what;
    return *std::move(result);
}

} // namespace

// A larger limit shows designs that the search took for too large within the smaller one.
TEST(Prices, NoDesignIsBelowABoundOrFasterThanAnOptimalOne) {
    int cheaper = 0, optimal = 0, designs = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const test::SmallProgram program = drawSmallProgram(seed, test::PriceOf::Search);
        const extract::ExtractResult within = answerWithin(program, program.dsp);
        if (!within.design)
            continue;
        ++designs;
        optimal += within.status == extract::ExtractStatus::Optimal;
        for (const design::DesignPoint& point :
             answerWithin(program, 4 * program.dsp + 32).points) {
            if (!point.feasible || point.resources.dsp > program.dsp)
                continue;
            EXPECT_GE(static_cast<double>(point.cycles), within.lowerBound) << program.what;
            if (point.cycles >= within.design->cycles)
                continue;
            ++cheaper;
            EXPECT_NE(within.status, extract::ExtractStatus::Optimal) << program.what;
        }
    }
    // The draw must have such designs, and claims, or the test says little.
    EXPECT_GE(cheaper, 3);
    EXPECT_GE(designs, 60);
    EXPECT_GE(optimal, 30);
}

} // namespace marquetry
