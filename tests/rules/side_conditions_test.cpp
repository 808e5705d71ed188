// What the side conditions reject, and why the paper's literal rules are not equalities.
#include "tests/support/programs.h"
#include "tests/support/unit_terms.h"

#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

using ir::UnitFunction;
using ir::UnitShape;
using rules::Menu;
using rules::Policy;

namespace {

const rules::UnitRule& ruleNamed(const std::string& name) {
    for (const auto& list : {rules::tilingRules(), rules::paddingRules(), rules::conversionRules()})
        for (const rules::UnitRule& rule : list)
            if (rule.name == name)
                return rule;
    ENGINE_ASSERT(false, "a rule of the catalogue");
}

using Params = std::vector<std::vector<egraph::Param>>;

Params candidates(const std::string& rule, const Menu& menu, const UnitShape& shape) {
    Params params;
    for (const rules::Candidate& candidate : ruleNamed(rule).candidates(menu, shape))
        params.push_back(candidate.params);
    std::ranges::sort(params);
    return params;
}

Menu menuOf(Policy policy) {
    Menu menu;
    menu.policy = policy;
    return menu;
}

UnitShape mv(std::int64_t rows, std::int64_t cols) {
    UnitShape shape;
    shape.rows = rows;
    shape.cols = cols;
    return shape;
}

UnitShape conv(std::int64_t height, std::int64_t width, std::int64_t channels = 4) {
    UnitShape shape = mv(8, 9 * channels);
    shape.function = UnitFunction::Conv;
    shape.height = height;
    shape.width = width;
    shape.channels = channels;
    shape.kernel = 3;
    return shape;
}

} // namespace

TEST(SideConditions, TilesDivideAndAreSmaller) {
    for (Policy policy : {Policy::Published, Policy::Cycles}) {
        Menu menu = menuOf(policy);
        menu.cols = {7, 11, 12, 24, 48};
        menu.rows = {5, 7, 14};
        menu.channels = {3, 5, 16};
        // 7 and 11 do not divide 24, 24 is the whole.
        Params expected = {{12, 24}};
        if (policy == Policy::Cycles)
            expected = {{8, 24}, {12, 24}};
        EXPECT_EQ(candidates("R-TILE-MV", menu, mv(4, 24)), expected);
        EXPECT_EQ(candidates("R-TILE-MV-ROWS", menu, mv(14, 9)), (Params{{7, 14}}));
        EXPECT_EQ(candidates("R-TILE-MV-ROWS", menu, mv(13, 9)), Params{});
        EXPECT_EQ(candidates("R-TILE-CONV-ICH", menu, conv(8, 8, 14)), Params{});
        EXPECT_EQ(candidates("R-TILE-CONV-ICH", menu, conv(8, 8, 15)), (Params{{3, 15}, {5, 15}}));
    }
}

TEST(SideConditions, PublishedOnlyTakesSizesTheSameParameterHas) {
    Menu menu = menuOf(Policy::Published);
    menu.cols = {64};
    menu.rows = {32};
    menu.channels = {16};
    menu.pixels = {{8, 8}};
    EXPECT_EQ(candidates("R-TILE-MV", menu, mv(64, 32)), Params{});
    EXPECT_EQ(candidates("R-TILE-MV", menu, mv(64, 128)), (Params{{64, 128}}));
    EXPECT_EQ(candidates("R-TILE-MV-ROWS", menu, mv(128, 64)), (Params{{32, 128}}));
    EXPECT_EQ(candidates("R-TILE-CONV-ICH", menu, conv(8, 8, 64)), (Params{{16, 64}}));
    EXPECT_EQ(candidates("R-TILE-CONV-HW", menu, conv(16, 8)), (Params{{8, 8, 16, 8}}));
    EXPECT_EQ(candidates("R-TILE-CONV-HW", menu, conv(8, 8)), Params{});
    EXPECT_EQ(candidates("R-TILE-CONV-HW", menu, conv(16, 12)), Params{});
}

TEST(SideConditions, PublishedTilesOfPixelsAreSixOrMore) {
    Menu menu = menuOf(Policy::Published);
    menu.pixels = {{5, 6}, {6, 5}, {6, 6}, {3, 3}};
    EXPECT_EQ(candidates("R-TILE-CONV-HW", menu, conv(30, 30)), (Params{{6, 6, 30, 30}}));
    menu.policy = Policy::Cycles;
    const Params ours = candidates("R-TILE-CONV-HW", menu, conv(30, 30));
    EXPECT_TRUE(std::ranges::binary_search(ours, std::vector<egraph::Param>{3, 3, 30, 30}));
    EXPECT_TRUE(std::ranges::binary_search(ours, std::vector<egraph::Param>{5, 6, 30, 30}));
}

TEST(SideConditions, PadsGrowAndReachExistingSizesOnly) {
    for (Policy policy : {Policy::Published, Policy::Cycles}) {
        Menu menu = menuOf(policy);
        menu.cols = {10, 20, 30};
        menu.pixels = {{4, 4}, {4, 6}, {6, 4}, {3, 8}};
        EXPECT_EQ(candidates("R-PAD-MV", menu, mv(1, 20)), (Params{{30, 20}}));
        EXPECT_EQ(candidates("R-PAD-MV", menu, mv(1, 30)), Params{});
        // Equal sizes are no pad; one axis may stay as it is; none may shrink.
        EXPECT_EQ(candidates("R-PAD-CONV-HW", menu, conv(4, 4)),
                  (Params{{4, 6, 4, 4}, {6, 4, 4, 4}}));
    }
}

TEST(SideConditions, PublishedPadsAreBounded) {
    Menu menu = menuOf(Policy::Published);
    menu.cols = {612, 613};
    EXPECT_EQ(candidates("R-PAD-MV", menu, mv(1, 100)), (Params{{612, 100}}));
    menu.pixels = {{8, 8}, {8, 9}, {9, 8}};
    EXPECT_EQ(candidates("R-PAD-CONV-HW", menu, conv(2, 2)), (Params{{8, 8, 2, 2}}));
    menu.channels = {4, 56, 57, 64};
    EXPECT_EQ(candidates("R-PAD-CONV-ICH", menu, conv(8, 8, 56)), (Params{{57, 56}, {64, 56}}));
    EXPECT_EQ(candidates("R-PAD-CONV-ICH", menu, conv(8, 8, 57)), Params{});
    menu.rows = {8, 16};
    EXPECT_EQ(candidates("R-PAD-MV-ROWS", menu, mv(4, 100)), Params{});
    menu.policy = Policy::Cycles;
    EXPECT_EQ(candidates("R-PAD-MV", menu, mv(1, 100)).size(), 2U);
    EXPECT_EQ(candidates("R-PAD-CONV-ICH", menu, conv(8, 8, 4)), Params{});
    EXPECT_EQ(candidates("R-PAD-CONV-HW", menu, conv(2, 2)).size(), 3U);
    EXPECT_EQ(candidates("R-PAD-MV-ROWS", menu, mv(4, 100)), (Params{{8, 4}, {16, 4}}));
}

TEST(SideConditions, WordsArePaddedUnderCyclesNotKernels) {
    Menu menu = menuOf(Policy::Cycles);
    menu.lanes = 8;
    menu.cols = {8, 64};
    EXPECT_EQ(candidates("R-PAD-MV", menu, mv(64, 3)), Params{});
    EXPECT_EQ(candidates("R-PAD-MV", menu, mv(64, 8)), (Params{{64, 8}}));
    menu.policy = Policy::Published;
    EXPECT_EQ(candidates("R-PAD-MV", menu, mv(64, 3)), (Params{{8, 3}, {64, 3}}));
}

TEST(SideConditions, ProductsOfMatricesOnlyMeetExistingSizes) {
    UnitShape mm = mv(12, 64);
    mm.function = UnitFunction::Mm;
    mm.height = 24;
    Menu menu = menuOf(Policy::Cycles);
    menu.vectors = {5, 8, 24, 30};
    EXPECT_EQ(candidates("R-TILE-MMH", menu, mm), (Params{{8, 24}}));
    EXPECT_EQ(candidates("R-PAD-MMH", menu, mm), (Params{{30, 24}}));
    EXPECT_EQ(candidates("R-MAP-ROWS", menu, mm), (Params{{1, 24}}));
    EXPECT_EQ(candidates("R-IM2COL", menu, conv(4, 6)), (Params{{4, 6, 4, 3, 1}}));
    menu.vectors.clear();
    EXPECT_EQ(candidates("R-IM2COL", menu, conv(4, 6)), Params{});
    menu = menuOf(Policy::Published);
    menu.vectors = {8, 24, 30};
    menu.rows = {4, 12, 16};
    menu.cols = {16, 64, 128};
    EXPECT_EQ(candidates("R-TILE-MMH", menu, mm), (Params{{8, 24}}));
    EXPECT_EQ(candidates("R-TILE-MMW", menu, mm), (Params{{4, 12}}));
    EXPECT_EQ(candidates("R-TILE-MMK", menu, mm), (Params{{16, 64}}));
    for (const char* rule : {"R-PAD-MMH", "R-PAD-MMW", "R-PAD-MMK", "R-MAP-ROWS"})
        EXPECT_EQ(candidates(rule, menu, mm), Params{}) << rule;
    EXPECT_EQ(candidates("R-IM2COL", menu, conv(4, 6)), Params{});
}

TEST(SideConditions, ParallelismStartsAtTheTopAndHalvesToOne) {
    Menu menu = menuOf(Policy::Published);
    EXPECT_EQ(rules::initialParallelism(menu, 100), 100);
    menu = menuOf(Policy::Cycles);
    menu.lanes = 16;
    EXPECT_EQ(rules::initialParallelism(menu, 1), 1);
    EXPECT_EQ(rules::initialParallelism(menu, 5), 8);
    EXPECT_EQ(rules::initialParallelism(menu, 100), 16);
}

std::int64_t ceilOf(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// A unit of `rows` rows is no worse for any call than one of `any` rows that leave in groups of
/// `group`: it makes no more blocks, and its results leave in no more clocks, by no more lanes.
bool isNoWorse(std::int64_t rows, std::int64_t any, std::int64_t group,
               const std::set<std::int64_t>& calls) {
    bool leaves = false;
    for (std::int64_t lanes = 1; lanes <= group; lanes *= 2)
        leaves = leaves || (rows % lanes == 0 && rows / lanes <= any / group);
    return rows <= any && leaves && std::ranges::all_of(calls, [&](std::int64_t call) {
               return ceilOf(call, rows) <= ceilOf(call, any);
           });
}

TEST(SideConditions, NoParallelismIsBetterThanTheOnesOfUse) {
    const std::set<std::int64_t> programs[] = {{1}, {10, 64}, {3, 12, 50}, {10, 16, 32, 64}, {100}};
    for (const std::int64_t lanes : {8, 16})
        for (const std::set<std::int64_t>& calls : programs) {
            const auto useful = rules::usefulParallelism(calls, lanes);
            for (std::int64_t group = 1; group <= lanes; group *= 2)
                for (std::int64_t any = group; any <= 128; any += group)
                    EXPECT_TRUE(std::ranges::any_of(
                        useful,
                        [&](std::int64_t rows) { return isNoWorse(rows, any, group, calls); }))
                        << "lanes " << lanes << " group " << group << " rows " << any;
        }
}

TEST(SideConditions, ForbiddenTermsHaveNoShape) {
    // Padding the filters of a convolution is not a term, nor is a tile that does not divide.
    const UnitShape whole = mv(8, 12);
    const egraph::Param cols[] = {5, 12};
    UnitShape child = mv(8, 5);
    EXPECT_EQ(rules::shapeOf(rules::Skeleton::TiledMv, cols, &child), std::nullopt);
    EXPECT_EQ(rules::shapeOf(rules::Skeleton::PaddedMv, cols, &child), std::nullopt);
    const egraph::Param rows[] = {4, 8};
    EXPECT_EQ(rules::shapeOf(rules::Skeleton::TiledConvOCH, rows, &whole), std::nullopt);
}

// SkeleShare Fig. 10 prints "H = 0 mod TH" on the input's extent and tiles that do not overlap:
// with H = 8, KS = 3, TH = 4 the four 4 × 4 tiles give 4 × 4 results of a 6 × 6 whole.
TEST(LiteralRules, TilingTheInputOfAConvolutionIsNotAnEquality) {
    SplitMix64 rng(5);
    UnitShape whole = conv(6, 6, 1);
    UnitShape tile = conv(2, 2, 1);
    whole.rows = tile.rows = 1;
    const auto operands = test::randomOperands(whole, rng);
    const ir::Tensor expected = test::plainResult(whole, operands);
    std::vector<std::int64_t> literal(16);
    for (std::int64_t ty = 0; ty < 2; ++ty)
        for (std::int64_t tx = 0; tx < 2; ++tx) {
            rules::UnitOperands part = test::randomOperands(tile, rng);
            part.weight = operands.weight;
            for (std::int64_t y = 0; y < 4; ++y)
                for (std::int64_t x = 0; x < 4; ++x)
                    part.data.data[static_cast<std::size_t>(4 * y + x)] =
                        operands.data.data[static_cast<std::size_t>(8 * (4 * ty + y) + 4 * tx + x)];
            const ir::Tensor result = test::plainResult(tile, part);
            for (std::int64_t y = 0; y < 2; ++y)
                for (std::int64_t x = 0; x < 2; ++x)
                    literal[static_cast<std::size_t>(4 * (2 * ty + y) + 2 * tx + x)] =
                        result.data[static_cast<std::size_t>(2 * y + x)];
        }
    EXPECT_NE(literal.size(), expected.data.size());
    // Nor is it the upper left corner of the whole: the second tile starts two rows too late.
    bool corner = true;
    for (std::size_t k = 0; k < literal.size(); ++k)
        corner = corner && literal[k] == expected.data[6 * (k / 4) + k % 4];
    EXPECT_FALSE(corner);
}

// The same figure's condition "OCH = 0 mod TICH" would admit tiles of the filters that do not
// divide them.
TEST(LiteralRules, FiltersAreNotTiledByAChannelSize) {
    Menu menu = menuOf(Policy::Published);
    menu.channels = {3};
    menu.rows = {4};
    UnitShape shape = conv(8, 8, 3);
    shape.rows = 6; // 6 = 0 mod TICH = 3, but not mod TOCH = 4
    EXPECT_EQ(candidates("R-TILE-CONV-OCH", menu, shape), Params{});
}

TEST(StoreExternal, OnlyWeightsMayLeaveTheChip) {
    auto lowered = rules::lower(
        test::programOf("design d { input x : i8[6, 6, 4] = zeros;"
                        " weight a : i8[4, 3, 3, 4] = zeros; weight b : i8[8, 64] = zeros;"
                        " let c = requant(conv(x, a), shift: 3); output y = mv(b, flatten(c));"
                        " output z = c; }"),
        {});
    ASSERT_TRUE(lowered.has_value());
    egraph::EGraph& egraph = *lowered->egraph;
    std::vector<egraph::Rewrite> rules = lowered->rewrites;
    std::erase_if(rules, [](const auto& rule) { return rule.name != "R-STORE-EXTERNAL"; });
    ASSERT_EQ(rules.size(), 1U);
    egraph::saturate(egraph, rules, {});
    EXPECT_EQ(egraph.nodesWithOp(lowered->terms.bufferExternal).size(), 2U);
    for (egraph::ENodeId node : egraph.nodesWithOp(lowered->terms.bufferBlockRam)) {
        const auto value = egraph.enodes(egraph.children(node)[0])[0];
        const bool weight = egraph.language().name(egraph.op(value)).starts_with("weight ");
        EXPECT_EQ(egraph.enodes(egraph.eclassOf(node)).size(), weight ? 2U : 1U);
    }
}

TEST(StoreExternal, NeedsAMemoryOutside) {
    rules::LoweringParams params;
    params.externalMemory = false;
    const auto lowered =
        rules::lower(test::programOf("design d { input x : i8[8] = zeros;"
                                     " weight w : i8[2, 8] = zeros; output y = mv(w, x); }"),
                     params);
    for (const egraph::Rewrite& rule : lowered->rewrites)
        EXPECT_NE(rule.name, "R-STORE-EXTERNAL");
}

} // namespace marquetry
