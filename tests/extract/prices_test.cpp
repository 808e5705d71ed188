// What the search claims of a design holds for the hardware, whose write-backs may take fewer DSP
// blocks than the search counts with.
#include "engine/extract/problem.h"
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

bool hasTwins(const std::vector<design::DesignPoint>& points) {
    for (std::size_t k = 0; k < points.size(); ++k)
        for (std::size_t j = 0; j < k; ++j)
            if (points[k].cycles == points[j].cycles && points[k].label == points[j].label &&
                points[k].resources == points[j].resources)
                return true;
    return false;
}

/// Within as many blocks as the design has, as they are counted for the widest write-backs, no
/// units are as fast.
bool isBelowItsPrice(const test::SmallProgram& program, const design::Design& design) {
    const extract::ExtractParams params = program.within(design.resources.dsp);
    const auto problem = extract::makeProblem(
        program.lowered,
        {params.model, params.device, design.resources.dsp, program.sharing, program.pins}, {});
    EXPECT_TRUE(problem.has_value()) << program.what;
    const extract::PoolResult pools = extract::searchPools((*problem)->pool, {});
    double time = 0;
    for (const design::DesignCall& call : design.calls)
        time += static_cast<double>(call.cycles);
    return pools.front.empty() || pools.front.front().time > time + 0.5;
}

} // namespace

// A larger limit shows no designs that the search took for too large within the smaller one.
TEST(Prices, NoDesignIsBelowABoundOrFasterThanTheBestOneWithinALimit) {
    int narrower = 0, optimal = 0, designs = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        const test::SmallProgram program = drawSmallProgram(seed, test::PriceOf::Search);
        const extract::ExtractResult within = answerWithin(program, program.dsp);
        const extract::ExtractResult wide = answerWithin(program, 4 * program.dsp + 32);
        EXPECT_FALSE(hasTwins(wide.points)) << program.what;
        for (const design::DesignPoint& point : wide.points) {
            if (!point.feasible || point.resources.dsp > program.dsp)
                continue;
            ASSERT_TRUE(within.design) << program.what;
            EXPECT_GE(static_cast<double>(point.cycles), within.lowerBound) << program.what;
            EXPECT_GE(point.cycles, within.design->cycles) << program.what;
        }
        if (!within.design)
            continue;
        ++designs;
        optimal += within.status == extract::ExtractStatus::Optimal;
        narrower += isBelowItsPrice(program, *within.design);
    }
    // The draw must have such designs, and claims, or the test says little.
    EXPECT_GE(narrower, 3);
    EXPECT_GE(designs, 60);
    EXPECT_GE(optimal, 30);
}

// A pin asks for a unit whose body calls a wider one, which other calls use as well.
TEST(Prices, UnitsThatCallOthersHaveTheirMultipliers) {
    int calling = 0;
    for (const std::uint64_t seed : {995U, 2265U}) {
        const test::SmallProgram program = drawSmallProgram(seed, test::PriceOf::Search);
        const extract::ExtractResult wide = answerWithin(program, 4 * program.dsp + 32);
        ASSERT_TRUE(wide.design) << program.what;
        const extract::ExtractResult within = answerWithin(program, program.dsp);
        ASSERT_TRUE(within.design) << program.what;
        EXPECT_EQ(static_cast<double>(within.design->cycles), within.lowerBound) << program.what;
        const design::Schedule& schedule = *wide.design->schedule;
        for (const design::DesignUnit& unit : wide.design->units) {
            EXPECT_EQ(unit.multipliers, schedule.unit(unit.id).weightElements(schedule.lanes))
                << program.what << ": " << unit.name;
            calling += unit.multipliers > unit.shape.cols * unit.parallelism;
        }
    }
    EXPECT_EQ(calling, 2);
}

} // namespace marquetry
