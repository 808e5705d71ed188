// Products of activations, softmax and layernorm: their schedules compute what programs say.
#include "engine/design/held.h"
#include "tests/lower_design/random_products.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

namespace marquetry {

TEST(Products, SchedulesComputeWhatProgramsSay) {
    int held = 0;
    int rows = 0;
    for (std::uint64_t seed = 0; seed < 500 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(test::randomProductsText(seed));
        const test::TestDesign design = test::randomProducts(seed);
        for (const design::Step& step : design.schedule.steps) {
            const auto* move = std::get_if<design::MoveStep>(&step);
            held += move != nullptr && !move->target;
            rows += std::holds_alternative<design::RowStep>(step);
        }
        const auto got = simulate(design.schedule, design.program, design.values);
        ASSERT_EQ(got.size(), design.program.outputs.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(got[k], design.values[design.program.outputs[k].value.index()])
                << design.program.outputs[k].name;
    }
    EXPECT_GT(held, 300);
    EXPECT_GT(rows, 200);
}

// Ten rows of 20 columns on four rows at a time: two whole blocks, and two rows behind them.
TEST(Products, HoldWholeBlocksAndTheRest) {
    const auto moves = design::heldMoves({0, 10, 20, 20, 20}, {4, 7, 3}, 8);
    ASSERT_EQ(moves.size(), 2U);
    for (const design::Move& move : moves) {
        EXPECT_EQ(move.run, 4); // 20 is no multiple of 8
        EXPECT_EQ(move.source.iterations(), move.target.iterations());
    }
    EXPECT_EQ(moves[0].source.iterations(), 8 * 5);
    EXPECT_EQ(moves[1].source.iterations(), 2 * 5);
    EXPECT_EQ(moves[1].source.start, 8 * 24);
    EXPECT_EQ(moves[0].target.start, 7 * 8);
    EXPECT_EQ(moves[1].target.start, (7 + 2 * 3) * 8);
    EXPECT_EQ(moves[0].target.last() / design::kHeldRow, 3);
    EXPECT_EQ(moves[0].target.last() % design::kHeldRow, (7 + 3) * 8 + 16);
}

} // namespace marquetry
