// Predicted cycles against hand-written arithmetic. The hardware tests compare them with counters.
#include "engine/design/cycle_model.h"
#include "tests/lower_design/schedule_builder.h"

#include <gtest/gtest.h>

namespace marquetry {

using test::EpilogueSpec;
using test::ScheduleBuilder;

TEST(CycleModel, SumsTheStepsOfAConvolution) {
    ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 4);
    const auto x = builder.input("x", {ir::Scalar::I8, {6, 6, 16}});
    EpilogueSpec e;
    e.requantBefore = test::requant(6);
    e.pool = design::PoolKind::Max;
    e.poolSize = 2;
    builder.output("y", builder.conv(unit, x, {10, 3, 1, 1}, e));
    const auto prediction = design::predictCycles(builder.finish().schedule);
    ASSERT_EQ(prediction.steps.size(), 3u);
    EXPECT_EQ(prediction.steps[0], 1 + 36 * 16 / 8 + 1);
    // 3 blocks of rows, 36 pixels, 9 taps of 2 words; set-up; read 3, product, 3 levels,
    // accumulator, 6 epilogue stages.
    EXPECT_EQ(prediction.steps[1], 1 + 3 * 36 * 9 * 2 + (3 + 1 + 3 + 1 + 6));
    EXPECT_EQ(prediction.steps[2], 1 + 9 * 10 + 3) << "ten channels do not fill beats";
    EXPECT_EQ(prediction.total, prediction.steps[0] + prediction.steps[1] + prediction.steps[2]);
}

TEST(CycleModel, CountsAPassOncePerWord) {
    ScheduleBuilder builder("p", 16);
    const auto unit = builder.passUnit("u", ir::Scalar::I16);
    const auto x = builder.input("x", {ir::Scalar::I16, {4, 4, 20}});
    EpilogueSpec e;
    e.reluBefore = true;
    builder.output("y", builder.pass(unit, x, e));
    const auto prediction = design::predictCycles(builder.finish().schedule);
    EXPECT_EQ(prediction.steps[1], 1 + 2 * 16 + (3 + 6));
    EXPECT_EQ(prediction.steps[2], 1 + 16 * 20 / 4 + 3);
}

} // namespace marquetry
