// Partial dot products and parallel convolutions: each rule an equality, its candidates, and the
// published designs in the saturated graph of VGG.
#include "tests/support/programs.h"
#include "tests/support/spaces.h"
#include "tests/support/unit_terms.h"

#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"
#include "tests/oracles/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry {

using egraph::EClassId;
using ir::UnitFunction;
using ir::UnitShape;
using rules::Menu;
using rules::Policy;
using rules::Skeleton;
using test::UnitSpace;
using test::unitTerms;

namespace {

constexpr int kPartialCases = 240;

/// The group's, and fewer rows at once of a partial dot product.
const std::string kRules[] = {"R-PAR-CONV",
                              "R-PAD-PAR-CONV",
                              "R-MERGE-PARTIAL-MV",
                              "R-MERGE-PARTIAL-DOT",
                              "R-HALVE-PARALLELISM-PARTIAL",
                              "R-OTHER-PARALLELISM-PARTIAL"};

UnitShape partialMv(std::int64_t rows, std::int64_t cols) {
    UnitShape shape;
    shape.rows = rows;
    shape.cols = cols;
    return shape;
}

UnitShape partialConv(std::int64_t pixels, std::int64_t channels, std::int64_t kernel) {
    UnitShape shape = partialMv(1, kernel * kernel * channels);
    shape.function = UnitFunction::Conv;
    shape.height = pixels;
    shape.channels = channels;
    shape.kernel = kernel;
    return shape;
}

/// A shape and a menu under which the rule under test must fire, and what the e-graph starts with:
/// under Cycles narrow channels are padded to a word by a term.
struct PartialDraw {
    UnitShape shape;
    Menu menu;
    bool padded = false;
};

/// A convolution whose windows can be packed, `windows` at a time, after a pad or without.
PartialDraw drawPacked(SplitMix64& rng, Policy policy, bool grows) {
    PartialDraw draw;
    draw.menu.policy = policy;
    const std::int64_t kernel = rng.range(1, 3);
    std::int64_t channels = rng.range(1, 4);
    std::int64_t windows = rng.range(2, 4);
    std::int64_t packed = grows ? channels + rng.range(1, 3) : channels;
    if (policy == Policy::Cycles) {
        const std::int64_t exact[] = {1, 2, 4};
        packed = grows ? 4 : exact[rng.range(0, 2)];
        channels = grows ? 3 : packed;
        windows = draw.menu.lanes / packed;
        draw.menu.narrowChannels = {channels};
        draw.padded = true;
    } else {
        draw.menu.channels = {channels, packed};
        draw.menu.cols = {windows * kernel * kernel * packed};
    }
    draw.menu.kernels = {kernel};
    draw.shape = partialConv(windows * rng.range(1, 3), channels, kernel);
    draw.shape.rows = rng.range(1, 5);
    draw.shape.stride = rng.range(1, 2);
    if (rng.range(0, 1) == 0) // a group may run over the end of a row
        std::swap(draw.shape.height, draw.shape.width);
    else if (draw.shape.height % 3 == 0) {
        draw.shape.height /= 3;
        draw.shape.width = 3;
    }
    return draw;
}

/// A product as wide as a packed group of a convolution.
PartialDraw drawMerged(SplitMix64& rng, Policy policy) {
    PartialDraw draw = drawPacked(rng, policy, policy == Policy::Cycles);
    const auto packed = packings(draw.menu, draw.shape.kernel.vertical, draw.shape.channels);
    draw.shape = partialMv(rng.range(1, 9), packed.front().cols);
    draw.padded = false;
    return draw;
}

PartialDraw drawFor(const std::string& rule, SplitMix64& rng, Policy policy) {
    if (rule.starts_with("R-PA"))
        return drawPacked(rng, policy, rule == "R-PAD-PAR-CONV");
    PartialDraw draw = drawMerged(rng, policy);
    if (rule.ends_with("-PARALLELISM-PARTIAL"))
        draw.shape.rows = rng.range(2, 9);
    if (rule.starts_with("R-OTHER"))
        draw.menu.parallel = rules::usefulParallelism({draw.shape.rows}, draw.menu.lanes);
    return draw;
}

/// In turn, where a rule is there under both.
Policy policyFor(const std::string& rule, int draw) {
    const bool published =
        rule.starts_with("R-HALVE") || (!rule.starts_with("R-OTHER") && draw % 2 == 0);
    return published ? Policy::Published : Policy::Cycles;
}

struct DrawnSpace : UnitSpace {
    explicit DrawnSpace(const PartialDraw& draw) : UnitSpace(draw.menu) {
        UnitShape shape = draw.shape;
        if (draw.padded) {
            shape.channels = draw.menu.lanes;
            shape.cols = shape.kernel.area() * shape.channels;
        }
        root = rules::addCanonical(egraph, unitTerms(), draw.menu, shape, {});
        if (draw.padded)
            root = egraph.add(unitTerms().op(Skeleton::PaddedConvICH),
                              {shape.channels, draw.shape.channels}, {root});
        egraph.rebuild();
    }

    EClassId root;
};

ir::Tensor tensor(ir::Scalar scalar, ir::Shape dims, std::vector<std::int64_t> data) {
    return {{scalar, std::move(dims)}, std::move(data)};
}

bool hasTerm(const rules::Lowered& lowered, const UnitShape& shape, const std::string& name) {
    const egraph::EGraph& egraph = *lowered.egraph;
    for (EClassId id : egraph.eclasses()) {
        const UnitShape* found = lowered.facts->unitShape(egraph, id);
        if (found == nullptr || toString(*found) != toString(shape))
            continue;
        for (egraph::ENodeId node : egraph.enodes(id))
            if (rules::printNode(egraph.language().name(egraph.op(node)), egraph.params(node)) ==
                name)
                return true;
    }
    return false;
}

class PartialRule : public ::testing::TestWithParam<std::string> {};

} // namespace

TEST_P(PartialRule, IsAnEqualityOnRandomIntegers) {
    SplitMix64 rng(4711);
    for (int k = 0; k < kPartialCases && !HasFailure(); ++k) {
        PartialDraw draw = drawFor(GetParam(), rng, policyFor(GetParam(), k));
        const ir::Scalar narrow[] = {ir::Scalar::I8, ir::Scalar::U8, ir::Scalar::I16};
        draw.shape.operand = narrow[rng.range(0, 2)];
        draw.shape.weight = narrow[rng.range(0, 2)];
        DrawnSpace space(draw);
        if (GetParam().ends_with("-PARALLELISM-PARTIAL")) {
            ASSERT_TRUE(space.step("R-MERGE-PARTIAL-MV"));
        }
        const std::size_t before =
            test::termsOf(space.egraph, unitTerms(), space.root, 10'000).size();
        ASSERT_TRUE(space.step(GetParam())) << toString(draw.shape);
        EXPECT_TRUE(space.egraph.conflicts().empty());
        EXPECT_EQ(checkInvariants(space.egraph), std::vector<std::string>{});
        const auto terms = test::termsOf(space.egraph, unitTerms(), space.root, 10'000);
        ASSERT_GT(terms.size(), before);
        test::expectAllEqual(terms, draw.shape, rng);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PartialRule, ::testing::ValuesIn(kRules), [](const auto& rule) {
    std::string name = rule.param;
    std::erase(name, '-');
    return name;
});

TEST(Partial, EveryRuleOfTheGroupIsTested) {
    std::vector<std::string> names;
    for (const rules::UnitRule& rule : rules::partialRules(Policy::Published))
        names.emplace_back(rule.name);
    EXPECT_EQ(names, (std::vector<std::string>(std::begin(kRules), std::end(kRules) - 2)));
}

TEST(Partial, AllRulesTogetherKeepEveryTermEqual) {
    SplitMix64 rng(31);
    for (int k = 0; k < 20 && !HasFailure(); ++k) {
        PartialDraw draw = drawPacked(rng, k % 2 == 0 ? Policy::Published : Policy::Cycles, true);
        draw.menu.cols.insert(draw.shape.cols);
        DrawnSpace space(draw);
        EXPECT_EQ(egraph::saturate(space.egraph, space.rewrites, {}).outcome,
                  egraph::StopReason::Saturated);
        std::vector<rules::UnitTerm> terms;
        for (int term = 0; term < 30; ++term)
            terms.push_back(test::randomTerm(space.egraph, unitTerms(), space.root, rng));
        test::expectAllEqual(terms, draw.shape, rng);
    }
}

TEST(Partial, SumsByHand) {
    constexpr auto kI8 = static_cast<egraph::Param>(ir::Scalar::I8);
    const rules::UnitOperands rows = {tensor(ir::Scalar::I8, {2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}),
                                      tensor(ir::Scalar::I8, {2, 4}, {1, 1, 1, 1, 1, 0, 0, 2})};
    const rules::TermNode leaf = {Skeleton::ParallelPartialDot, {1, 2, 2, 4, kI8, kI8}};
    EXPECT_EQ(rules::denote({leaf}, rows).data, (std::vector<std::int64_t>{3, 7, 5, 16}));
    EXPECT_EQ(rules::denote({{Skeleton::MergePartialSum, {}}, leaf}, rows).data,
              (std::vector<std::int64_t>{10, 21}));
    // Two 1×1 windows of two channels at a time, two filters.
    const rules::UnitOperands image = {tensor(ir::Scalar::I8, {1, 2, 2}, {1, 2, 3, 4}),
                                       tensor(ir::Scalar::I8, {2, 1, 1, 2}, {1, 10, -1, 0})};
    EXPECT_EQ(rules::denote({{Skeleton::ParallelConv, {2, 1, 2, 2, 1, 1}},
                             {Skeleton::Mv, {}},
                             {Skeleton::ParallelPartialDot, {2, 2, 2, 4, kI8, kI8}}},
                            image)
                  .data,
              (std::vector<std::int64_t>{21, -1, 43, -3}));
}

TEST(Partial, PartsThatDoNotFitAreNoTerms) {
    UnitShape partial = partialMv(4, 12);
    partial.parts = 3;
    const egraph::Param uneven[] = {1, 5, 4, 12, 0, 0};
    EXPECT_EQ(rules::shapeOf(Skeleton::ParallelPartialDot, uneven, nullptr), std::nullopt);
    // 4 pixels are no whole number of groups of 3; loops and pads stand above the merge.
    const egraph::Param pixels[] = {3, 2, 2, 4, 1, 1};
    EXPECT_EQ(rules::shapeOf(Skeleton::ParallelConv, pixels, &partial), std::nullopt);
    const egraph::Param fits[] = {3, 1, 3, 4, 1, 1};
    EXPECT_TRUE(rules::shapeOf(Skeleton::ParallelConv, fits, &partial).has_value());
    const egraph::Param tile[] = {12, 24};
    EXPECT_EQ(rules::shapeOf(Skeleton::TiledMv, tile, &partial), std::nullopt);
    const UnitShape whole = partialMv(4, 12);
    EXPECT_EQ(rules::shapeOf(Skeleton::MergePartialSum, {}, &whole), std::nullopt);
}

TEST(Partial, WindowsFillAProductThatIsThere) {
    Menu menu;
    menu.policy = Policy::Published;
    menu.channels = {3, 64, 128};
    menu.cols = {27, 512, 576, 1152};
    const auto packed = [&](std::int64_t channels) {
        std::string text;
        for (const rules::Packing& packing : packings(menu, 3, channels))
            text += std::to_string(packing.windows) + "x" + std::to_string(packing.channels) + "=" +
                    std::to_string(packing.cols) + " ";
        return text;
    };
    // 576 = 16·9·4 by the least pad; 1152 = 32·9·4, or 2·9·64 by an existing ICH.
    EXPECT_EQ(packed(3), "16x4=576 32x4=1152 2x64=1152 ");
    EXPECT_EQ(packed(57), ""); // 57·9 = 513 ≥ CACHELN
    menu.policy = Policy::Cycles;
    menu.lanes = 64;
    EXPECT_EQ(packed(3), "16x4=576 8x8=576 4x16=576 2x32=576 ");
    EXPECT_EQ(packed(64), "");
    menu.policy = Policy::Toy;
    EXPECT_EQ(packed(3), "");
}

TEST(Partial, BothGroupsAreNeededForThePad) {
    Menu menu;
    const auto facts = std::make_shared<rules::Facts>(unitTerms());
    for (const auto& [without, expected] :
         {std::pair("padding", std::pair(3, false)), std::pair("partial", std::pair(0, false)),
          std::pair("tiling", std::pair(4, true))}) {
        const auto rewrites = makeRewrites(unitTerms(), menu, facts, {without});
        const auto ofGroup = [](const auto& rule) { return rule.group == "partial"; };
        const auto isPad = [](const auto& rule) { return rule.name == "R-PAD-PAR-CONV"; };
        EXPECT_EQ(std::ranges::count_if(rewrites, ofGroup), expected.first) << without;
        EXPECT_EQ(std::ranges::any_of(rewrites, isPad), expected.second) << without;
    }
}

TEST(Membership, VggHoldsThePublishedDesigns) {
    const rules::Lowered published =
        test::spaceOf(test::vggText(), design::CostModel::Published, {});
    UnitShape dot = partialMv(64, 576);
    dot.function = UnitFunction::Dot;
    for (const char* parallel : {"64", "32", "16"})
        EXPECT_TRUE(
            hasTerm(published, dot, std::string("ParallelDot[") + parallel + ", 64, 576, 0, 0]"));
    UnitShape tile = partialConv(8, 64, 3);
    tile.width = 8;
    tile.rows = 64;
    EXPECT_TRUE(hasTerm(published, tile, "Conv[8, 8, 64, 3, 1]"));
    UnitShape classifier = partialMv(10, 512);
    classifier.function = UnitFunction::Dot;
    EXPECT_TRUE(hasTerm(published, classifier, "ParallelDot[2, 10, 512, 0, 0]"));
    const rules::Lowered cycles = test::spaceOf(test::vggText(), design::CostModel::Cycles, {}, 64);
    UnitShape first = partialConv(32, 3, 3);
    first.width = 32;
    first.rows = 64;
    UnitShape packed = first;
    packed.channels = 4;
    packed.cols = 36;
    for (const rules::Lowered* lowered : {&published, &cycles}) {
        EXPECT_TRUE(hasTerm(*lowered, first, "PaddedConvICH[4, 3]"));
        EXPECT_TRUE(hasTerm(*lowered, packed, "ParallelConv[16, 32, 32, 4, 3, 1]"));
        EXPECT_TRUE(hasTerm(*lowered, partialMv(64, 576), "MergePartialSum"));
    }
}

} // namespace marquetry
