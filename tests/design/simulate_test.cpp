// The functional simulator against a naive evaluation of the same program.
#include "tests/lower_design/random_design.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::simulate;
using test::EpilogueSpec;
using test::ScheduleBuilder;
using test::TestDesign;

TEST(Simulate, AgreesWithTheProgramOnRandomSchedules) {
    int pools = 0, addends = 0, passes = 0, shared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const TestDesign test = test::randomDesign(seed);
        const auto got = simulate(test.schedule, test.program, test.values);
        ASSERT_EQ(got, test.outputs()) << "seed " << seed;
        std::size_t calls = 0;
        for (const design::Step& step : test.schedule.steps) {
            const auto* compute = std::get_if<design::ComputeStep>(&step);
            if (!compute)
                continue;
            ++calls;
            pools += compute->epilogue.pool != design::PoolKind::None;
            addends += compute->epilogue.addend.has_value();
            passes += test.schedule.unit(compute->unit).pass;
        }
        shared += calls > test.schedule.units.size();
    }
    // The draw must reach every part, or agreement says little.
    EXPECT_GT(pools, 50);
    EXPECT_GT(addends, 10);
    EXPECT_GT(passes, 50);
    EXPECT_GT(shared, 30);
}

TEST(Simulate, WrapsAccumulatorsTo32Bits) {
    ScheduleBuilder builder("wrap");
    const auto unit = builder.unit("u", 4, ir::Scalar::U16, ir::Scalar::U16);
    const auto x = builder.input("x", {ir::Scalar::U16, {40}});
    builder.output("y", builder.mv(unit, x, 5, {}));
    TestDesign test = builder.finish();
    const auto got = simulate(test.schedule, test.program, test.values);
    EXPECT_EQ(got, test.outputs());
    const auto& y = got.front().data;
    EXPECT_TRUE(std::any_of(y.begin(), y.end(), [](auto v) { return v < 0; }));
}

TEST(Simulate, ShowsAWrongWeightBase) {
    ScheduleBuilder builder("two");
    const auto unit = builder.unit("u", 4);
    const auto x = builder.input("x", {ir::Scalar::I8, {20}});
    EpilogueSpec e;
    e.requantBefore = test::requant(7);
    builder.output("y", builder.mv(unit, builder.mv(unit, x, 20, e), 20, e));
    TestDesign test = builder.finish();
    ASSERT_EQ(simulate(test.schedule, test.program, test.values), test.outputs());
    std::get<design::ComputeStep>(test.schedule.steps[2]).weightBase -= 1;
    EXPECT_NE(simulate(test.schedule, test.program, test.values), test.outputs());
}

TEST(Simulate, StopsBetweenSteps) {
    std::stop_source source;
    source.request_stop();
    const TestDesign test = test::randomDesign(1);
    EXPECT_TRUE(simulate(test.schedule, test.program, test.values, source.get_token()).empty());
}

} // namespace marquetry
