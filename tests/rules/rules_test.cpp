// Every rule of the catalogue is an equality: each term a rewrite adds to a class computes what the
// plain operator computes, on random integers and random admissible shapes.
#include "tests/support/programs.h"
#include "tests/support/unit_terms.h"

#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"
#include "tests/oracles/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace marquetry {

using egraph::EClassId;
using ir::UnitFunction;
using ir::UnitShape;
using rules::Menu;
using rules::Policy;
using test::UnitSpace;
using test::unitTerms;

namespace {

constexpr int kCases = 240;

/// A shape and a menu under which the rule under test must fire.
struct Draw {
    UnitShape shape;
    Menu menu;
};

UnitShape mvShape(std::int64_t rows, std::int64_t cols) {
    UnitShape shape;
    shape.rows = rows;
    shape.cols = cols;
    return shape;
}

UnitShape convShape(SplitMix64& rng, std::int64_t height, std::int64_t width) {
    UnitShape shape;
    shape.function = UnitFunction::Conv;
    shape.height = height;
    shape.width = width;
    shape.channels = rng.range(1, 3);
    shape.rows = rng.range(1, 3);
    shape.kernel = rng.range(1, 3);
    shape.stride = rng.range(1, 2);
    shape.cols = shape.kernel.area() * shape.channels;
    return shape;
}

void setChannels(UnitShape& shape, std::int64_t channels) {
    shape.channels = channels;
    shape.cols = shape.kernel.area() * channels;
}

bool published(const Draw& draw) {
    return draw.menu.policy == Policy::Published;
}

void drawMv(SplitMix64& rng, Draw& draw) {
    draw.shape = mvShape(rng.range(1, 9), rng.range(1, 20));
}

void drawTileMv(SplitMix64& rng, Draw& draw) {
    const std::int64_t tile = published(draw) ? rng.range(1, 12) : 8 * rng.range(1, 3);
    draw.shape = mvShape(rng.range(1, 9), tile * rng.range(2, 5));
    draw.menu.cols = {draw.shape.cols, rng.range(1, 30)};
    if (published(draw))
        draw.menu.cols.insert(tile);
}

void drawTileRows(SplitMix64& rng, Draw& draw) {
    const std::int64_t tile = rng.range(1, 10);
    draw.shape = mvShape(tile * rng.range(2, 4), rng.range(1, 20));
    draw.menu.rows = {draw.shape.rows, tile, rng.range(1, 30)};
}

void drawTilePixels(SplitMix64& rng, Draw& draw) {
    const std::int64_t low = published(draw) ? rules::kMinPixelTile : 1;
    const std::int64_t height = rng.range(low, low + 2);
    const std::int64_t width = rng.range(low, low + 2);
    const std::int64_t down = rng.range(1, 2);
    const std::int64_t across = down == 1 ? 2 : rng.range(1, 2);
    draw.shape = convShape(rng, height * down, width * across);
    draw.menu.pixels = {{height, width}, {draw.shape.height, draw.shape.width}};
}

void drawTileChannels(SplitMix64& rng, Draw& draw) {
    draw.shape = convShape(rng, rng.range(1, 4), rng.range(1, 4));
    const std::int64_t tile = published(draw) ? rng.range(1, 4) : 8;
    setChannels(draw.shape, tile * rng.range(2, 3));
    draw.menu.channels = {draw.shape.channels};
    if (published(draw))
        draw.menu.channels.insert(tile);
}

void drawTileFilters(SplitMix64& rng, Draw& draw) {
    draw.shape = convShape(rng, rng.range(1, 4), rng.range(1, 4));
    const std::int64_t tile = rng.range(1, 9);
    draw.shape.rows = tile * rng.range(2, 3);
    draw.menu.rows = {draw.shape.rows, tile};
}

UnitShape mapShape(std::int64_t height, std::int64_t width, std::int64_t channels) {
    UnitShape shape;
    shape.function = UnitFunction::Map;
    shape.height = height;
    shape.width = width;
    shape.rows = channels;
    return shape;
}

/// Not SkeleShare's: under the other two policies.
void useOwnPolicy(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = rng.range(0, 1) == 0 ? Policy::Cycles : Policy::Toy;
    draw.menu.lanes = draw.menu.policy == Policy::Toy ? 1 : 8;
}

void drawTileMapPixels(SplitMix64& rng, Draw& draw) {
    useOwnPolicy(rng, draw);
    drawTilePixels(rng, draw);
    draw.shape = mapShape(draw.shape.height, draw.shape.width, rng.range(1, 20));
}

void drawTileMapChannels(SplitMix64& rng, Draw& draw) {
    useOwnPolicy(rng, draw);
    draw.shape = mapShape(rng.range(1, 4), rng.range(1, 4),
                          draw.menu.lanes * rng.range(1, 4) * rng.range(2, 4));
}

/// Rows that can be fewer.
void drawRows(SplitMix64& rng, Draw& draw) {
    do {
        drawMv(rng, draw);
    } while (draw.shape.rows == 1);
}

void drawHalves(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = rng.range(0, 1) == 0 ? Policy::Published : Policy::Toy;
    drawRows(rng, draw);
}

void drawOtherRows(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = Policy::Cycles;
    drawRows(rng, draw);
    draw.menu.parallel = rules::usefulParallelism({draw.shape.rows, rng.range(1, 20)}, 8);
}

void drawPadMv(SplitMix64& rng, Draw& draw) {
    drawMv(rng, draw);
    // Narrower than a word: no stored vector under cycles, SideConditions has it.
    while (!published(draw) && draw.shape.cols < draw.menu.lanes)
        drawMv(rng, draw);
    const bool edge = rng.range(0, 3) == 0;
    draw.menu.cols = {draw.shape.cols,
                      draw.shape.cols + (edge ? rules::kCacheLine : rng.range(1, 12))};
}

void drawPadRows(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = Policy::Cycles;
    drawMv(rng, draw);
    draw.menu.rows = {draw.shape.rows, draw.shape.rows + rng.range(1, 12)};
}

void drawPadPixels(SplitMix64& rng, Draw& draw) {
    draw.shape = convShape(rng, rng.range(1, 6), rng.range(1, 6));
    const std::int64_t down = rng.range(0, rules::kMaxPixelPad);
    const std::int64_t across = rng.range(down == 0 ? 1 : 0, rules::kMaxPixelPad);
    draw.menu.pixels = {{draw.shape.height, draw.shape.width},
                        {draw.shape.height + down, draw.shape.width + across}};
}

UnitShape mmShape(SplitMix64& rng) {
    UnitShape shape = mvShape(rng.range(1, 9), rng.range(1, 20));
    shape.function = UnitFunction::Mm;
    shape.height = rng.range(1, 6);
    return shape;
}

/// The size that an Mv's rule tiles or pads, with some rows to the left matrix.
template <void (*DrawMv)(SplitMix64&, Draw&)>
void drawMm(SplitMix64& rng, Draw& draw) {
    DrawMv(rng, draw);
    draw.shape.function = UnitFunction::Mm;
    draw.shape.height = rng.range(1, 6);
}

void drawPadMmCols(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = Policy::Cycles;
    drawMm<drawPadMv>(rng, draw);
}

void drawTileVectors(SplitMix64& rng, Draw& draw) {
    const std::int64_t tile = rng.range(1, 4);
    draw.shape = mmShape(rng);
    draw.shape.height = tile * rng.range(2, 3);
    draw.menu.vectors = {draw.shape.height, tile};
}

void drawPadVectors(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = Policy::Cycles;
    draw.shape = mmShape(rng);
    draw.menu.vectors = {draw.shape.height, draw.shape.height + rng.range(1, 8)};
}

void drawMapRows(SplitMix64& rng, Draw& draw) {
    useOwnPolicy(rng, draw);
    draw.shape = mmShape(rng);
}

void drawIm2col(SplitMix64& rng, Draw& draw) {
    useOwnPolicy(rng, draw);
    draw.shape = convShape(rng, rng.range(1, 5), rng.range(1, 5));
    draw.menu.vectors = {rng.range(1, 20)};
}

void drawColumnFilter(SplitMix64& rng, Draw& draw) {
    draw.shape = {};
    draw.shape.function = UnitFunction::Conv1DH;
    draw.shape.rows = rng.range(1, 9);
    draw.shape.width = rng.range(1, 9);
    draw.shape.kernel = rng.range(1, 5);
    draw.shape.cols = draw.shape.kernel.vertical;
}

UnitShape depthWise(SplitMix64& rng, UnitShape shape) {
    shape.function = UnitFunction::DwConv;
    shape.kernel = rng.range(1, 3);
    shape.stride = rng.range(1, 2);
    shape.cols = shape.kernel.area();
    return shape;
}

void drawTileDwPixels(SplitMix64& rng, Draw& draw) {
    drawTileMapPixels(rng, draw);
    draw.shape = depthWise(rng, draw.shape);
}

void drawTileDwChannels(SplitMix64& rng, Draw& draw) {
    drawTileMapChannels(rng, draw);
    draw.shape = depthWise(rng, draw.shape);
}

void drawPadChannels(SplitMix64& rng, Draw& draw) {
    draw.menu.policy = Policy::Published;
    draw.shape = convShape(rng, rng.range(1, 4), rng.range(1, 4));
    draw.menu.channels = {draw.shape.channels, draw.shape.channels + rng.range(1, 9)};
}

struct RuleCase {
    std::vector<std::string> rules; ///< applied one step each; the last is under test
    /// May change menu.policy, which comes as Published and Cycles in turn.
    void (*draw)(SplitMix64&, Draw&);
};

std::map<std::string, RuleCase> rowCases() {
    return {{"R-HALVE-PARALLELISM", {{"R-HALVE-PARALLELISM"}, drawHalves}},
            {"R-OTHER-PARALLELISM", {{"R-OTHER-PARALLELISM"}, drawOtherRows}}};
}

const std::map<std::string, RuleCase>& ruleCases() {
    static std::map<std::string, RuleCase> cases = {
        {"R-TILE-MV", {{"R-TILE-MV"}, drawTileMv}},
        {"R-TILE-MV-ROWS", {{"R-TILE-MV-ROWS"}, drawTileRows}},
        {"R-TILE-CONV-HW", {{"R-TILE-CONV-HW"}, drawTilePixels}},
        {"R-TILE-CONV-ICH", {{"R-TILE-CONV-ICH"}, drawTileChannels}},
        {"R-TILE-CONV-OCH", {{"R-TILE-CONV-OCH"}, drawTileFilters}},
        {"R-PAD-MV", {{"R-PAD-MV"}, drawPadMv}},
        {"R-PAD-MV-ROWS", {{"R-PAD-MV-ROWS"}, drawPadRows}},
        {"R-PAD-CONV-HW", {{"R-PAD-CONV-HW"}, drawPadPixels}},
        {"R-PAD-CONV-ICH", {{"R-PAD-CONV-ICH"}, drawPadChannels}},
        {"R-TILE-MAP-HW", {{"R-TILE-MAP-HW"}, drawTileMapPixels}},
        {"R-TILE-MAP-C", {{"R-TILE-MAP-C"}, drawTileMapChannels}},
        {"R-FOR-TO-PAR-TiledMapHW",
         {{"R-TILE-MAP-HW", "R-FOR-TO-PAR-TiledMapHW"}, drawTileMapPixels}},
        {"R-FOR-TO-PAR-TiledMapC",
         {{"R-TILE-MAP-C", "R-FOR-TO-PAR-TiledMapC"}, drawTileMapChannels}},
        {"R-TILE-MMH", {{"R-TILE-MMH"}, drawTileVectors}},
        {"R-TILE-MMW", {{"R-TILE-MMW"}, drawMm<drawTileRows>}},
        {"R-TILE-MMK", {{"R-TILE-MMK"}, drawMm<drawTileMv>}},
        {"R-PAD-MMH", {{"R-PAD-MMH"}, drawPadVectors}},
        {"R-PAD-MMW", {{"R-PAD-MMW"}, drawMm<drawPadRows>}},
        {"R-PAD-MMK", {{"R-PAD-MMK"}, drawPadMmCols}},
        {"R-TILE-DWCONV-HW", {{"R-TILE-DWCONV-HW"}, drawTileDwPixels}},
        {"R-TILE-DWCONV-C", {{"R-TILE-DWCONV-C"}, drawTileDwChannels}},
        {"R-TRANSPOSE-1D", {{"R-TRANSPOSE-1D"}, drawColumnFilter}},
        {"R-IM2COL", {{"R-IM2COL"}, drawIm2col}},
        {"R-MAP-ROWS", {{"R-MAP-ROWS"}, drawMapRows}},
        {"R-FOR-TO-PAR-TiledMmH", {{"R-TILE-MMH", "R-FOR-TO-PAR-TiledMmH"}, drawTileVectors}},
        {"R-FOR-TO-PAR-TiledMmW", {{"R-TILE-MMW", "R-FOR-TO-PAR-TiledMmW"}, drawMm<drawTileRows>}},
        {"R-FOR-TO-PAR-TiledMmK", {{"R-TILE-MMK", "R-FOR-TO-PAR-TiledMmK"}, drawMm<drawTileMv>}},
        {"R-FOR-TO-PAR-MappedRows", {{"R-MAP-ROWS", "R-FOR-TO-PAR-MappedRows"}, drawMapRows}},
        {"R-FOR-TO-PAR-TiledDwConvHW",
         {{"R-TILE-DWCONV-HW", "R-FOR-TO-PAR-TiledDwConvHW"}, drawTileDwPixels}},
        {"R-FOR-TO-PAR-TiledDwConvC",
         {{"R-TILE-DWCONV-C", "R-FOR-TO-PAR-TiledDwConvC"}, drawTileDwChannels}},
        {"R-FOR-TO-PAR-TiledMv", {{"R-TILE-MV", "R-FOR-TO-PAR-TiledMv"}, drawTileMv}},
        {"R-FOR-TO-PAR-TiledConvICH",
         {{"R-TILE-CONV-ICH", "R-FOR-TO-PAR-TiledConvICH"}, drawTileChannels}},
        {"R-FOR-TO-PAR-TiledMvRows",
         {{"R-TILE-MV-ROWS", "R-FOR-TO-PAR-TiledMvRows"}, drawTileRows}},
        {"R-FOR-TO-PAR-TiledConvHW",
         {{"R-TILE-CONV-HW", "R-FOR-TO-PAR-TiledConvHW"}, drawTilePixels}},
        {"R-FOR-TO-PAR-TiledConvOCH",
         {{"R-TILE-CONV-OCH", "R-FOR-TO-PAR-TiledConvOCH"}, drawTileFilters}},
    };
    cases.merge(rowCases());
    return cases;
}

void drawScalars(SplitMix64& rng, UnitShape& shape) {
    const ir::Scalar narrow[] = {ir::Scalar::I8, ir::Scalar::U8, ir::Scalar::I16, ir::Scalar::U16};
    shape.operand = narrow[rng.range(0, 3)];
    if (shape.function != UnitFunction::Map)
        shape.weight = narrow[rng.range(0, 3)];
}

std::uint64_t seedOf(const std::string& name) {
    std::uint64_t seed = 1;
    for (char c : name)
        seed = combine(seed, static_cast<unsigned char>(c));
    return seed;
}

class EveryRule : public ::testing::TestWithParam<std::string> {};

} // namespace

TEST_P(EveryRule, IsAnEqualityOnRandomIntegers) {
    const RuleCase& rule = ruleCases().at(GetParam());
    SplitMix64 rng(seedOf(GetParam()));
    for (int k = 0; k < kCases && !HasFailure(); ++k) {
        Draw draw;
        draw.menu.policy = k % 2 == 0 ? Policy::Published : Policy::Cycles;
        // Parallel loops are not the paper's.
        if (rule.rules.size() > 1)
            draw.menu.policy = Policy::Cycles;
        rule.draw(rng, draw);
        drawScalars(rng, draw.shape);
        UnitSpace space(draw.menu);
        const EClassId root =
            rules::addCanonical(space.egraph, unitTerms(), draw.menu, draw.shape, {});
        space.egraph.rebuild();
        std::size_t before = 0;
        for (const std::string& name : rule.rules) {
            before = test::termsOf(space.egraph, unitTerms(), root, 10'000).size();
            ASSERT_TRUE(space.step(name)) << name << " on " << toString(draw.shape);
        }
        EXPECT_TRUE(space.egraph.conflicts().empty());
        EXPECT_EQ(checkInvariants(space.egraph), std::vector<std::string>{});
        const auto terms = test::termsOf(space.egraph, unitTerms(), root, 10'000);
        ASSERT_GT(terms.size(), before);
        test::expectAllEqual(terms, draw.shape, rng);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryRule, ::testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto& [name, rule] : ruleCases())
                                 names.push_back(name);
                             return names;
                         }()),
                         [](const auto& rule) {
                             std::string name = rule.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Catalogue, HasAPropertyTestForEveryRule) {
    for (Policy policy : {Policy::Published, Policy::Cycles, Policy::Toy}) {
        Menu menu;
        menu.policy = policy;
        menu.externalMemory = true;
        const auto facts = std::make_shared<rules::Facts>(unitTerms());
        std::set<std::string> names;
        for (const egraph::Rewrite& rule : makeRewrites(unitTerms(), menu, facts, {})) {
            EXPECT_TRUE(names.insert(rule.name).second) << rule.name << " twice";
            // Splits and interchanges follow from the table: splits_test.cpp. Storage changes no
            // value: storage_test.cpp. Partial products: partial_test.cpp.
            const bool elsewhere = rule.name.starts_with("R-SPLIT-") ||
                                   rule.name.starts_with("R-INTERCHANGE-") ||
                                   rule.name.starts_with("R-STORE-") || rule.group == "partial" ||
                                   rule.name.ends_with("-PARALLELISM-PARTIAL");
            EXPECT_TRUE(ruleCases().contains(rule.name) || elsewhere)
                << rule.name << " has no property test";
            EXPECT_NE(std::ranges::find(rules::ruleGroups(), rule.group), rules::ruleGroups().end())
                << rule.group;
        }
        EXPECT_GE(names.size(), 9U);
    }
}

TEST(Catalogue, GroupsSwitchRulesOff) {
    Menu menu;
    menu.externalMemory = true;
    const auto facts = std::make_shared<rules::Facts>(unitTerms());
    const auto all = makeRewrites(unitTerms(), menu, facts, {});
    for (const std::string& group : rules::ruleGroups()) {
        const auto fewer = makeRewrites(unitTerms(), menu, facts, {group});
        const auto of = [&](const egraph::Rewrite& rule) { return rule.group == group; };
        EXPECT_EQ(std::ranges::count_if(fewer, of), 0) << group;
        // R-PAD-PAR-CONV needs padding as well.
        EXPECT_EQ(fewer.size() + static_cast<std::size_t>(std::ranges::count_if(all, of)) +
                      (group == "padding" ? 1 : 0),
                  all.size());
    }
}

TEST(Catalogue, CombinedRulesKeepEveryTermEqual) {
    SplitMix64 rng(77);
    std::set<std::string> seen;
    for (int k = 0; k < 20 && !HasFailure(); ++k) {
        Draw draw;
        draw.menu.policy = k % 2 == 0 ? Policy::Published : Policy::Cycles;
        const std::int64_t extent = draw.menu.policy == Policy::Published ? 6 : 2;
        draw.shape = convShape(rng, extent, 2 * extent);
        setChannels(draw.shape, draw.menu.policy == Policy::Published ? 4 : 16);
        draw.shape.rows = 6;
        draw.menu.rows = {3, 6, 7};
        draw.menu.channels = {2, 4, draw.shape.channels};
        draw.menu.cols = {draw.shape.cols / 2, draw.shape.cols, draw.shape.cols + 5};
        draw.menu.pixels = {{extent, extent}, {extent, 2 * extent}, {extent + 1, 2 * extent}};
        UnitSpace space(draw.menu);
        const EClassId root =
            rules::addCanonical(space.egraph, unitTerms(), draw.menu, draw.shape, {});
        const auto result = egraph::saturate(space.egraph, space.rewrites, {});
        EXPECT_EQ(result.outcome, egraph::StopReason::Saturated);
        EXPECT_TRUE(space.egraph.conflicts().empty());
        std::vector<rules::UnitTerm> terms;
        for (int term = 0; term < 25; ++term) {
            terms.push_back(test::randomTerm(space.egraph, unitTerms(), root, rng));
            seen.insert(print(terms.back()));
        }
        test::expectAllEqual(terms, draw.shape, rng);
    }
    EXPECT_GT(seen.size(), 300U);
}

} // namespace marquetry
