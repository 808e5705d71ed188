// R-SPLIT-… and R-INTERCHANGE-… of every loop in the catalogue are equalities, each on its own; and
// the two rewrites on ReLU[128] of EngineIR's Fig. 2.
#include "tests/support/programs.h"
#include "tests/support/unit_terms.h"

#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"
#include "tests/oracles/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace marquetry {

using egraph::EClassId;
using egraph::Param;
using ir::LoopAxis;
using ir::UnitFunction;
using ir::UnitShape;
using rules::Menu;
using rules::Policy;
using rules::Skeleton;
using test::unitTerms;

namespace {

constexpr int kSplitCases = 200;

std::vector<egraph::Rewrite> splitRules(const Menu& menu, std::shared_ptr<rules::Facts> facts) {
    auto rules = makeRewrites(unitTerms(), menu, facts, {});
    std::erase_if(rules, [](const egraph::Rewrite& rule) {
        return !rule.name.starts_with("R-SPLIT-") && !rule.name.starts_with("R-INTERCHANGE-");
    });
    return rules;
}

std::vector<std::string> splitRuleNames() {
    Menu menu;
    std::vector<std::string> names;
    for (const auto& rule : splitRules(menu, std::make_shared<rules::Facts>(unitTerms())))
        names.push_back(rule.name);
    return names;
}

/// The loop terms a rule's name ends in, outermost first.
std::vector<Skeleton> loopsOf(const std::string& name) {
    std::vector<Skeleton> loops;
    std::string rest = name.substr(name.find('-', 2) + 1);
    while (!rest.empty()) {
        const std::string word = rest.substr(0, rest.find('-'));
        rest.erase(0, std::min(rest.size(), word.size() + 1));
        for (std::size_t k = 0; k < rules::kSkeletonCount; ++k)
            if (word == rules::info(static_cast<Skeleton>(k)).name)
                loops.push_back(static_cast<Skeleton>(k));
    }
    return loops;
}

/// The smallest bodies of a function, one size per axis in the units the policy counts in.
UnitShape drawBody(SplitMix64& rng, UnitFunction function, std::int64_t grain) {
    const bool channelWise = function == UnitFunction::Map || function == UnitFunction::DwConv;
    UnitShape shape;
    shape.function = function;
    shape.rows = channelWise ? grain * rng.range(1, 2) : rng.range(1, 3);
    shape.cols = grain * rng.range(1, 2);
    if (function == UnitFunction::Mv)
        return shape;
    shape.height = rng.range(1, 2);
    if (function == UnitFunction::Mm)
        return shape;
    shape.width = rng.range(1, 2);
    if (function == UnitFunction::Map) {
        shape.cols = 1;
        return shape;
    }
    shape.kernel = rng.range(1, 2);
    shape.stride = rng.range(1, 2);
    shape.channels = function == UnitFunction::Conv ? grain : 0;
    shape.cols = shape.kernel.area() * std::max<std::int64_t>(1, shape.channels);
    return shape;
}

std::vector<Param> extents(const UnitShape& shape, LoopAxis axis) {
    switch (axis) {
    case LoopAxis::Rows:
        return {shape.rows};
    case LoopAxis::Cols:
        return {shape.cols};
    case LoopAxis::Channels:
        return {shape.channels};
    case LoopAxis::Vectors:
        return {shape.height};
    case LoopAxis::Pixels:
        break;
    }
    return {shape.height, shape.width};
}

/// A loop of `factor` iterations (of each pixel axis) around a body of this shape; the shape
/// becomes the whole's.
struct LoopAround {
    std::vector<Param> params;
    std::vector<Param> whole;
};

LoopAround loopAround(Skeleton loop, UnitShape& shape, std::int64_t factor) {
    LoopAround result;
    result.params = extents(shape, rules::info(loop).axis);
    for (Param extent : result.params)
        result.whole.push_back(extent * factor);
    result.params.insert(result.params.end(), result.whole.begin(), result.whole.end());
    const UnitShape body = shape;
    shape = *rules::shapeOf(loop, result.params, &body);
    return result;
}

class EverySplit : public ::testing::TestWithParam<std::string> {};

std::uint64_t splitSeed(const std::string& name) {
    return std::accumulate(name.begin(), name.end(), std::uint64_t{7}, [](auto seed, char c) {
        return combine(seed, static_cast<unsigned char>(c));
    });
}

/// For R-SPLIT the tile and the middle must be sizes of the menu.
void offer(Menu& menu, LoopAxis axis, const UnitShape& tile, std::int64_t factor) {
    menu.rows.insert(tile.rows * factor);
    menu.cols.insert(tile.cols * factor);
    menu.channels.insert(tile.channels * factor);
    menu.vectors.insert(tile.height * factor);
    if (axis == LoopAxis::Pixels)
        menu.pixels.insert({tile.height * factor, tile.width * factor});
}

} // namespace

TEST_P(EverySplit, IsAnEqualityOnRandomIntegers) {
    const std::vector<Skeleton> loops = loopsOf(GetParam());
    ASSERT_GE(loops.size(), 1U);
    ASSERT_LE(loops.size(), 2U);
    SplitMix64 rng(splitSeed(GetParam()));
    for (int k = 0; k < kSplitCases && !HasFailure(); ++k) {
        Menu menu;
        menu.policy = k % 2 == 0 ? Policy::Cycles : Policy::Toy;
        menu.lanes = menu.policy == Policy::Toy ? 1 : 8;
        UnitShape shape = drawBody(rng, rules::info(loops[0]).function, menu.lanes);
        const auto facts = std::make_shared<rules::Facts>(unitTerms());
        egraph::EGraph egraph(unitTerms().language, facts.get());
        EClassId root = rules::addCanonical(egraph, unitTerms(), menu, shape, {});
        if (loops.size() == 1) {
            const std::int64_t n = rng.range(2, 3);
            offer(menu, rules::info(loops[0]).axis, shape, 1);
            offer(menu, rules::info(loops[0]).axis, shape, n);
            const LoopAround loop = loopAround(loops[0], shape, n * rng.range(2, 3));
            root = egraph.add(unitTerms().op(loops[0]), loop.params, std::array{root});
        } else {
            for (const Skeleton loop : {loops[1], loops[0]}) {
                const LoopAround around = loopAround(loop, shape, rng.range(1, 3));
                root = egraph.add(unitTerms().op(loop), around.params, std::array{root});
            }
        }
        egraph.rebuild();
        auto rules = splitRules(menu, facts);
        std::erase_if(rules, [](const auto& rule) { return rule.name != GetParam(); });
        ASSERT_EQ(rules.size(), 1U);
        egraph::Saturation(egraph, rules, {}).step({});
        EXPECT_TRUE(egraph.conflicts().empty());
        EXPECT_EQ(checkInvariants(egraph), std::vector<std::string>{});
        const auto terms = test::termsOf(egraph, unitTerms(), root, 100);
        ASSERT_GE(terms.size(), 2U) << toString(shape);
        const auto operands = test::randomOperands(shape, rng);
        const ir::Tensor expected = test::plainResult(shape, operands);
        for (const rules::UnitTerm& term : terms)
            EXPECT_EQ(rules::denote(term, operands).data, expected.data) << print(term);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EverySplit, ::testing::ValuesIn(splitRuleNames()),
                         [](const auto& rule) {
                             std::string name = rule.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(Splits, NeedAnExactMiddle) {
    Menu menu;
    menu.policy = Policy::Toy;
    menu.lanes = 1;
    const auto facts = std::make_shared<rules::Facts>(unitTerms());
    egraph::EGraph egraph(unitTerms().language, facts.get());
    UnitShape shape;
    shape.rows = 2;
    shape.cols = 3;
    const EClassId body = rules::addCanonical(egraph, unitTerms(), menu, shape, {});
    const Param loop[] = {2, 24};
    const EClassId root = egraph.add(unitTerms().op(Skeleton::TiledMvRows), loop, std::array{body});
    const auto rules = splitRules(menu, facts);
    egraph::Saturation(egraph, rules, {}).step({});
    std::vector<Param> middles;
    for (egraph::ENodeId node : egraph.enodes(root))
        middles.push_back(egraph.params(node)[0]);
    // 2 itself is the loop; 3 is no multiple of 2; 24 is the whole.
    std::ranges::sort(middles);
    EXPECT_EQ(middles, (std::vector<Param>{2, 4, 6, 8, 12}));
}

TEST(Splits, AreNotSkeleShares) {
    Menu menu;
    menu.policy = Policy::Published;
    EXPECT_TRUE(splitRules(menu, std::make_shared<rules::Facts>(unitTerms())).empty());
}

// EngineIR Fig. 2: ReLU[128] becomes a loop of two over ReLU[64], and that loop two instances.
TEST(EngineIrFigure2, ShrinksTheUnitAndThenInstantiatesMoreHardware) {
    rules::LoweringParams params;
    params.policy = Policy::Toy;
    auto lowered = rules::lower(
        test::programOf("design d { input x : i8[128] = zeros; output y = relu(x); }"), params);
    ASSERT_TRUE(lowered.has_value());
    egraph::EGraph& egraph = *lowered->egraph;
    const auto rewriteNamed = [&](const std::string& name) {
        std::vector<egraph::Rewrite> one = lowered->rewrites;
        std::erase_if(one, [&](const auto& rule) { return rule.name != name; });
        return one;
    };
    const EClassId unit = lowered->calls[0].unit;
    const auto printed = [&] {
        std::vector<std::string> texts;
        for (const auto& term : test::termsOf(egraph, lowered->terms, unit, 100))
            texts.push_back(print(term));
        return texts;
    };
    EXPECT_EQ(printed(), std::vector<std::string>{"Map[1, 1, 128, 0]"});
    const auto first = rewriteNamed("R-TILE-MAP-C");
    egraph::Saturation(egraph, first, {}).step({});
    const std::string loop = "TiledMapC[64, 128](Map[1, 1, 64, 0])";
    EXPECT_TRUE(std::ranges::count(printed(), loop) == 1);
    const auto second = rewriteNamed("R-FOR-TO-PAR-TiledMapC");
    egraph::Saturation(egraph, second, {}).step({});
    const std::string parallel = "ParMapC[64, 128](Map[1, 1, 64, 0])";
    EXPECT_TRUE(std::ranges::count(printed(), parallel) == 1);
}

} // namespace marquetry
