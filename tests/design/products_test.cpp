// Products of activations, softmax and layernorm: their schedules compute what programs say.
#include "engine/design/held.h"
#include "tests/lower_design/random_products.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace marquetry {

namespace {

/// What a step meets that is no weight; empty of what meets one.
std::string heldForm(const design::Schedule& schedule, const design::Step& step) {
    const auto* compute = std::get_if<design::ComputeStep>(&step);
    if (compute == nullptr || !compute->held)
        return "";
    if (schedule.unit(compute->unit).lanewise())
        return compute->stencilPad ? "columns" : "channels";
    if (compute->stencilPad)
        return compute->kernel.horizontal > 1 ? "words" : "lines";
    return compute->groups > 1 ? "groups" : "matrix";
}

} // namespace

TEST(Products, SchedulesComputeWhatProgramsSay) {
    int held = 0;
    int rows = 0;
    std::set<std::string> forms;
    for (std::uint64_t seed = 0; seed < 800 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(test::randomProductsText(seed));
        const test::TestDesign design = test::randomProducts(seed);
        for (const design::Step& step : design.schedule.steps) {
            const auto* move = std::get_if<design::MoveStep>(&step);
            held += move != nullptr && !move->target;
            rows += std::holds_alternative<design::RowStep>(step);
            forms.insert(heldForm(design.schedule, step));
        }
        const auto got = simulate(design.schedule, design.program, design.values);
        ASSERT_EQ(got.size(), design.program.outputs.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(got[k], design.values[design.program.outputs[k].value.index()])
                << design.program.outputs[k].name;
    }
    EXPECT_GT(held, 300);
    EXPECT_GT(rows, 200);
    EXPECT_EQ(forms, (std::set<std::string>{"", "matrix", "groups", "channels", "columns", "lines",
                                            "words"}));
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

// Groups of two rows on three at a time: six rows lie alike in the blocks, in four pieces.
TEST(Products, HoldGroupsThatEndWithinBlocks) {
    design::HeldMatrix matrix{0, 18, 4 * 3, 3, 27};
    matrix.groups = 9;
    EXPECT_EQ(design::heldMoves(matrix, {2, 0, 16}, 8).size(), 1U);
    EXPECT_EQ(design::heldMoves(matrix, {4, 0, 16}, 8).size(), 2U); // two rows behind the blocks
    const auto moves = design::heldMoves(matrix, {3, 0, 16}, 8);
    ASSERT_EQ(moves.size(), 4U);
    EXPECT_EQ(moves[1].target.start % design::kHeldRow, 3); // the second group's channels
    EXPECT_EQ(moves[1].target.start / design::kHeldRow, 2);
    std::int64_t copied = 0;
    for (const design::Move& move : moves)
        copied += move.source.iterations() * move.run;
    EXPECT_EQ(copied, 18 * 12);
}

// Four taps along lines of six, one column before them: the first and the last row have three.
TEST(Products, HoldStencilsThatPaddingCuts) {
    design::HeldMatrix matrix{0, 5, 4, 4, 6};
    matrix.repeated = true;
    matrix.lane = -1;
    const auto moves = design::heldMoves(matrix, {5, 0, 1}, 8);
    ASSERT_EQ(moves.size(), 3U);
    EXPECT_EQ(moves[0].source.start, 1);
    EXPECT_EQ(moves[0].target.start, 0);
    EXPECT_EQ(moves[0].source.iterations(), 3);
    EXPECT_EQ(moves[1].source.iterations(), 3 * 4);
    EXPECT_EQ(moves[1].target.at(4), 2 * design::kHeldRow + 1);
    EXPECT_EQ(moves[2].source.iterations(), 3);
    EXPECT_EQ(moves[2].target.start, 4 * design::kHeldRow + 3);
}

// The fewest clocks are those with one row in a block: a bound of a search.
TEST(Products, OneRowInABlockIsCopiedFastest) {
    for (std::int64_t groups : {1, 2, 3, 6, 12})
        for (std::int64_t parallel = 1; parallel <= 40; ++parallel) {
            design::HeldMatrix grouped{0, 36, 9 * 12 / groups, 12 / groups, 12};
            grouped.groups = groups;
            design::HeldMatrix stencil{0, 30 + groups, 8, 8, 37 - groups};
            stencil.repeated = true;
            stencil.lane = -groups;
            for (const design::HeldMatrix& matrix : {grouped, stencil})
                EXPECT_LE(design::heldCycles(matrix, 1, 8), design::heldCycles(matrix, parallel, 8))
                    << groups << " " << parallel;
        }
}

} // namespace marquetry
