// Symmetric kernels: their polynomials, and that folded programs mean what they say.
#include "engine/algebra/symmetry.h"

#include "engine/algebra/constant_multiplication.h"
#include "engine/algebra/rebuild.h"
#include "engine/support/rng.h"
#include "tests/frontend/stream_helpers.h"

namespace marquetry::algebra {
namespace {

/// Of the products of places and rows.
Polynomial sumOf(const std::vector<EqualRows>& all) {
    Polynomial sum;
    for (const EqualRows& rows : all) {
        for (const auto& [place, sign] : rows.places) {
            for (const auto& [exponent, weight] : rows.row)
                sum[place + exponent] += sign * weight;
        }
    }
    std::erase_if(sum, [](const auto& term) { return term.second == 0; });
    return sum;
}

/// Weights of an h × w window: equal upside down (1), with opposite signs (-1), or any (0).
struct RandomWindow {
    std::int64_t height;
    std::int64_t width;
    std::vector<std::vector<std::int64_t>> weights;

    RandomWindow(SplitMix64& rng, int vertical, int horizontal)
        : height(rng.range(2, 6)), width(rng.range(1, 6)) {
        const auto rows = static_cast<std::size_t>(height);
        const auto columns = static_cast<std::size_t>(width);
        weights.assign(rows, std::vector<std::int64_t>(columns, 0));
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                std::int64_t weight = rng.range(-1, 1) * rng.range(0, 40);
                if (vertical != 0 && 2 * i >= rows)
                    weight = vertical * weights[rows - 1 - i][j];
                else if (horizontal != 0 && 2 * j >= columns)
                    weight = horizontal * weights[i][columns - 1 - j];
                weights[i][j] = weight;
            }
        }
    }

    Polynomial polynomial(std::int64_t rowLength) const {
        Polynomial result;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            for (std::size_t j = 0; j < weights[i].size(); ++j) {
                if (weights[i][j] != 0)
                    result[static_cast<std::int64_t>(i) * rowLength +
                           static_cast<std::int64_t>(j)] = weights[i][j];
            }
        }
        return result;
    }
};

TEST(Symmetry, RowsAndTheirPlacesAreTheWholeKernel) {
    SplitMix64 rng(1);
    int folded = 0;
    for (int k = 0; k < 2000; ++k) {
        const RandomWindow window(rng, static_cast<int>(rng.range(-1, 1)),
                                  static_cast<int>(rng.range(-1, 1)));
        const Polynomial polynomial = window.polynomial(rng.range(6, 40));
        if (polynomial.empty())
            continue;
        const std::vector<EqualRows> rows = equalRows(polynomial);
        EXPECT_EQ(sumOf(rows), polynomial);
        for (const EqualRows& each : rows) {
            EXPECT_EQ(each.places.at(0), 1);
            folded += each.places.size() > 1 ? 1 : 0;
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "window " << k;
    }
    EXPECT_GE(folded, 1000);
}

TEST(Symmetry, AWindowThatIsTheSameUpsideDownHasEachRowOnce) {
    const Polynomial window = {{0, 3},    {1, 5},   {2, 7},   {100, 11}, {101, 13},
                               {102, 19}, {200, 3}, {201, 5}, {202, 7}};
    const std::vector<EqualRows> rows = equalRows(window);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].places, (Polynomial{{0, 1}, {200, 1}}));
    EXPECT_EQ(rows[0].row, (Polynomial{{0, 3}, {1, 5}, {2, 7}}));
    EXPECT_EQ(rows[1].places, (Polynomial{{0, 1}}));
    EXPECT_EQ(rows[1].row, (Polynomial{{100, 11}, {101, 13}, {102, 19}}));
}

TEST(Symmetry, RowsOfOppositeSignAreSubtracted) {
    const std::vector<EqualRows> rows =
        equalRows({{0, 3}, {1, 5}, {2, 7}, {200, -3}, {201, -5}, {202, -7}});
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].places, (Polynomial{{0, 1}, {200, -1}}));
}

TEST(Symmetry, CornersOfZerosLeaveRowsWhatTheyAre) {
    const std::vector<EqualRows> rows =
        equalRows({{0, 3}, {1, 3}, {99, 5}, {100, 7}, {101, 11}, {102, 13}, {200, 3}, {201, 3}});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].places, (Polynomial{{0, 1}, {200, 1}}));
}

TEST(Symmetry, WhatIsNotSymmetricStaysAsItIs) {
    const Polynomial window = {{0, 3}, {1, 5}, {2, 7}, {100, 11}, {101, 13}, {102, 19}};
    const std::vector<EqualRows> rows = equalRows(window);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].row, window);
    EXPECT_EQ(equalRows({{0, 1}, {5, 1}}).size(), 1U);
}

/// Sums of shifted elements, times the weights.
std::string programOf(const RandomWindow& window, std::int64_t rowLength, const std::string& type) {
    const std::int64_t n = rowLength * 8;
    std::string sum;
    for (const auto& [distance, weight] : window.polynomial(rowLength)) {
        const std::string word =
            type[0] == 'u' ? std::to_string(std::abs(weight)) : std::to_string(weight);
        const std::string tap = distance == 0 ? "x" : "shift(" + std::to_string(distance) + ", x)";
        const std::string product = "map(fn v -> mul(v, " + word + "), " + tap + ")";
        sum = sum.empty() ? product : "map2(add, " + sum + ", " + product + ")";
    }
    return "stream s { input x : Seq " + std::to_string(n) + " " + type + "; output y = " + sum +
           "; }";
}

/// The outputs of a program are those of its folded sums, whatever wraps.
TEST(Symmetry, FoldedKernelsKeepTheMeaning) {
    SplitMix64 rng(2);
    int lighter = 0;
    static const std::vector<std::string> kTypes = {"u8", "i8", "u16", "i16", "u32", "i32"};
    for (int k = 0; k < 300; ++k) {
        const RandomWindow window(rng, static_cast<int>(rng.range(-1, 1)),
                                  static_cast<int>(rng.range(-1, 1)));
        const std::int64_t rowLength = rng.range(6, 9);
        if (window.polynomial(rowLength).empty())
            continue;
        const std::string text =
            programOf(window, rowLength, kTypes[static_cast<std::size_t>(rng.range(0, 5))]);
        const ir::StreamProgram program = frontend::streamOf(text);
        const FlatGraph flat = flattened(program.graph, {});
        const Needs needs = needsOf(flat);
        const DataflowGraph before{flat.terms, needs.roots};
        const DataflowGraph after =
            withFewerSums(before, {rng.range(0, 1) == 0, rng.range(0, 1) == 0, true, true});
        const auto graph = rebuilt(flat, needs, after, [](const ir::StreamGraph& function) {
            return std::make_shared<const ir::StreamGraph>(function);
        });
        ASSERT_TRUE(graph);
        std::vector<std::int64_t> words;
        const ir::ScalarInfo& scalar =
            ir::info(ir::leaves(ir::atomOf(program.graph.node(program.graph.inputs[0]).type))[0]);
        for (std::int64_t n = 0; n < rowLength * 8; ++n)
            words.push_back(rng.range(scalar.min, scalar.max));
        const auto expected = ir::evaluate(program.graph, {words}, 1)[0];
        const auto found = ir::evaluate(*graph, {words}, 1)[0];
        ASSERT_EQ(expected.size(), found.size());
        for (std::size_t n = 0; n < expected.size(); ++n) {
            if (expected[n] != ir::kUndefined) {
                EXPECT_EQ(found[n], expected[n]) << "element " << n;
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << text;
        lighter += weightOf(after, 1) < weightOf(before, 1) ? 1 : 0;
    }
    EXPECT_GE(lighter, 100);
}

} // namespace
} // namespace marquetry::algebra
