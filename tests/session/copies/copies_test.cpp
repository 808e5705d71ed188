// Programs of moves, products of activations and functions of rows, explored as a user's are: what
// extraction prices is what the schedule takes, and that computes what the program says.
#include "engine/design/cycle_model.h"
#include "engine/ir/interpreter.h"
#include "engine/session/explore.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/oracles/simulate.h"
#include "tests/session/copies/verified_copies.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

session::Settings settingsFor(std::uint64_t seed) {
    session::Settings settings;
    const char* const devices[] = {"xc7z020", "arria10", "xc7k160t"};
    settings.device = devices[seed % 3];
    const double budgets[] = {40, 220, 1518};
    settings.limits["dsp"] = budgets[seed / 3 % 3];
    settings.maxIterations = 6;
    return settings;
}

/// The design's schedule, where it has one.
void expectExplored(const std::string& text, std::uint64_t seed, int& designs) {
    const auto program = test::programOf(text);
    const auto explored = session::explore(program, settingsFor(seed), {});
    ASSERT_TRUE(explored.has_value()) << text << format(explored.error());
    if (!explored->extraction.design)
        return;
    const design::Design& design = *explored->extraction.design;
    ASSERT_TRUE(design.schedule) << text << design.notExportable;
    EXPECT_EQ(design.cycles, design::predictCycles(*design.schedule).total) << text;
    const auto expected = ir::interpret(*program, {});
    const auto got = simulate(*design.schedule, *explored->program, expected->values);
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k], expected->values[program->outputs[k].value.index()])
            << text << program->outputs[k].name;
    ++designs;
}

TEST(ExploredCopies, OfLayoutsComputeWhatProgramsSay) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 120 && !HasFailure(); ++seed)
        expectExplored(test::randomLayoutsText(seed), seed, designs);
    EXPECT_GT(designs, 100);
}

TEST(ExploredCopies, OfProductsAndRowsComputeWhatProgramsSay) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 120 && !HasFailure(); ++seed)
        expectExplored(test::randomProductsText(seed), seed, designs);
    EXPECT_GT(designs, 80);
}

/// What is computed from weights alone, and what reads it.
const std::string kComputedWeights[] = {
    "design conv_of_relu { input x : i8[5, 6, 4] = random(seed: 1);"
    " weight w : i8[7, 3, 3, 4] = random(seed: 2);"
    " output y = requant(conv(x, relu(w), pad: 1), shift: 8); }",
    "design both_ways { input x : i8[6, 9] = random(seed: 1);"
    " weight w : i8[9, 5] = random(seed: 2); weight b : i8[5] = random(seed: 3);"
    " let s = requant(add(b, b), shift: 1);"
    " output y = add(mm(x, transpose(w)), s); output z = requant(mm(x, transpose(w)), shift: 6); }",
    "design looked_up { input x : u2[12] = random(seed: 1); weight t : i8[4] = random(seed: 2);"
    " output y = table(x, clip(t, lo: -20, hi: 30)); }",
    "design beside { input x : i8[3, 8] = random(seed: 1); weight w : i8[8] = random(seed: 2);"
    " output y = concat(x, reshape(requant(mul(w, w), shift: 7), dims: [1, 8]), axis: 0); }",
};

TEST(ExploredCopies, OfComputedWeightsComputeWhatProgramsSay) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 9; ++seed)
        for (const std::string& text : kComputedWeights)
            expectExplored(text, seed, designs);
    EXPECT_EQ(designs, 36);
}

TEST(ExploredCopies, ComputedWeightsAreExportedAsWritten) {
    for (const std::string& text : kComputedWeights) {
        SCOPED_TRACE(text);
        test::expectVerified(test::programOf(text), settingsFor(3), hdl::Simulator::Icarus);
    }
}

} // namespace
} // namespace marquetry
