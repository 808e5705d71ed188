// Moves: what a walk over elements is as a walk over lanes, how many lanes go at once, and that the
// schedule of programs of them computes what they say.
#include "engine/design/cycle_model.h"
#include "engine/design/make_move.h"
#include "engine/design/move.h"
#include "engine/ir/interpreter.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_windows.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::layoutOf;
using design::makeMove;
using design::Move;
using design::MoveStep;

namespace {

std::vector<Move> movesOf(const std::string& body, std::int64_t lanes) {
    const test::TestDesign design = test::designOf("design d {" + body + "}", lanes, 1);
    std::vector<Move> moves;
    for (const design::Step& step : design.schedule.steps)
        if (const auto* move = std::get_if<MoveStep>(&step))
            moves.push_back(move->move);
    return moves;
}

void expectSame(const test::TestDesign& design) {
    const auto got = simulate(design.schedule, design.program, design.values);
    ASSERT_EQ(got.size(), design.program.outputs.size());
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k], design.values[design.program.outputs[k].value.index()])
            << design.program.outputs[k].name;
}

} // namespace

TEST(Move, TakesWholeWordsWhereChannelsStayTogether) {
    struct Row {
        const char* body;
        std::int64_t run, iterations, together;
    };
    const Row rows[] = {
        // Words of pixels, repeated; channels behind the last one go along.
        {"input x : i8[3, 4, 11] = zeros; output y = upsample(x, factor: 2);", 8, 4 * 12 * 2, 8},
        {"input x : i8[6, 4, 3] = zeros; output y = slice(x, axis: 0, from: 2, to: 5);", 8, 12, 8},
        {"input x : i8[6, 4, 3] = zeros; output y = permute(x, order: [1, 0, 2]);", 8, 24, 8},
        // Half a word at a time.
        {"input x : i8[2, 2, 16] = zeros; output y = slice(x, axis: 2, from: 4, to: 12);", 4, 8, 8},
        {"input x : i8[2, 3, 16] = zeros; output y = depth_to_space(x, block: 2);", 4, 24, 8},
        // One element at a time.
        {"input x : i8[5, 9] = zeros; output y = transpose(x);", 1, 45, 8},
        {"input x : i8[4, 6] = zeros; let r = relu(x); output y = reshape(r, dims: [3, 8]);"
         " output z = r; output w = relu(reshape(r, dims: [3, 8]));",
         2, 12, 8},
    };
    for (const Row& row : rows) {
        const std::vector<Move> moves = movesOf(row.body, 8);
        ASSERT_EQ(moves.size(), 1U) << row.body;
        EXPECT_EQ(moves[0].run, row.run) << row.body;
        EXPECT_EQ(moves[0].source.iterations(), row.iterations) << row.body;
        EXPECT_EQ(moves[0].together, row.together) << row.body;
    }
}

TEST(Move, JoinsAtTheBoundaryOfTheOperands) {
    const std::vector<Move> moves = movesOf("input x : i8[2, 3, 12] = zeros;"
                                            " input y : i8[2, 3, 20] = zeros;"
                                            " output z = concat(x, y, axis: 2);",
                                            16);
    ASSERT_EQ(moves.size(), 2U);
    EXPECT_EQ(moves[0].run, 4);
    EXPECT_EQ(moves[0].together, 4);
    EXPECT_EQ(moves[0].source.iterations(), 6 * 3);
    EXPECT_EQ(moves[1].run, 4);
    EXPECT_EQ(moves[1].source.iterations(), 6 * 5);
    EXPECT_EQ(moves[1].target.start, 12);
}

TEST(Move, IsNoneAcrossTheEndOfAPixel) {
    // Columns of 6 by 5 of what has 6 channels.
    const design::Walk crossing{0, {{5, 1}, {6, 5}}};
    const design::Walk inOrder{0, {{30, 1}}};
    EXPECT_FALSE(makeMove(crossing, layoutOf(6, 8), inOrder, layoutOf(30, 8), 8));
    EXPECT_TRUE(makeMove(inOrder, layoutOf(6, 8), inOrder, layoutOf(30, 8), 8));
}

TEST(Move, VisitsWhatItsLoopsSay) {
    const design::Walk walk{3, {{2, 40}, {3, 0}, {2, 8}}};
    EXPECT_EQ(walk.iterations(), 12);
    EXPECT_EQ(walk.last(), 51);
    std::vector<std::int64_t> lanes;
    for (std::int64_t k = 0; k < walk.iterations(); ++k)
        lanes.push_back(walk.at(k));
    EXPECT_EQ(lanes, (std::vector<std::int64_t>{3, 11, 3, 11, 3, 11, 43, 51, 43, 51, 43, 51}));
}

TEST(Move, SchedulesComputeWhatProgramsSay) {
    int moves = 0;
    for (std::uint64_t seed = 0; seed < 600 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(test::randomLayoutsText(seed));
        const test::TestDesign design = test::randomLayouts(seed);
        for (const design::Step& step : design.schedule.steps)
            moves += std::holds_alternative<MoveStep>(step);
        expectSame(design);
    }
    EXPECT_GT(moves, 600);
}

} // namespace marquetry
