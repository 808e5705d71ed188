// Lowering: total, saturating, deterministic.
#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"
#include "engine/egraph/serialize.h"
#include "engine/rules/lowering.h"
#include "tests/oracles/invariants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>

namespace marquetry {

using rules::Policy;

namespace {

const char* const kLenet = R"(design lenet {
  input image : i8[28, 28, 1] = zeros;
  weight c1 : i8[6, 5, 5, 1] = zeros;
  weight c2 : i8[16, 5, 5, 6] = zeros;
  weight f1 : i8[120, 400] = zeros;
  weight f2 : i8[84, 120] = zeros;
  weight f3 : i8[10, 84] = zeros;
  let a = maxpool(relu(requant(conv(image, c1, pad: 2), shift: 7)), size: 2);
  let b = maxpool(relu(requant(conv(a, c2), shift: 7)), size: 2);
  let d = relu(requant(mv(f1, flatten(b)), shift: 7));
  let e = relu(requant(mv(f2, d), shift: 7));
  output y = mv(f3, e);
})";

rules::Lowered lowered(const std::string& text, Policy policy) {
    rules::LoweringParams params;
    params.policy = policy;
    auto result = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(result.has_value()) << format(result.error());
    return *std::move(result);
}

std::string policyName(Policy policy) {
    return policy == Policy::Published ? "published" : "cycles";
}

/// Those the generator builds: a convolution's unit, one pixel per row, with weights or with an
/// activation in their place; lane units; moves; functions of rows.
bool isBuilt(const std::string& body) {
    return std::ranges::any_of(
        std::array{"mm(x, w)", "mm(w, x)", "mm(x, z)", "dot(", "dwconv", "conv1d", "maxpool",
                   "softmax", "transpose", "concat", "qadd"},
        [&](const char* built) { return body.find(built) != std::string::npos; });
}

void expectUnit(Policy policy, const std::string& body, const std::string& shape) {
    SCOPED_TRACE(body);
    rules::LoweringParams params;
    params.policy = policy;
    params.lanes = 8;
    auto result = rules::lower(test::programOf("design d { " + body + " }"), params);
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->calls.size(), 1U);
    EXPECT_EQ(toString(result->calls[0].shape), shape);
    EXPECT_EQ(result->plan.layers[0].unbuildable.empty(), isBuilt(body));
    const egraph::EClassId unit = result->calls[0].unit;
    EXPECT_EQ(*result->facts->unitShape(*result->egraph, unit), result->calls[0].shape);
    const auto saturated = egraph::saturate(*result->egraph, result->rewrites, {});
    EXPECT_EQ(saturated.outcome, egraph::StopReason::Saturated);
    EXPECT_TRUE(result->egraph->conflicts().empty());
}

} // namespace

TEST(Lowering, SaturatesTheFourteenLayersOfVgg) {
    for (Policy policy : {Policy::Published, Policy::Cycles}) {
        rules::Lowered vgg = lowered(test::vggText(), policy);
        EXPECT_EQ(vgg.calls.size(), 14U);
        const auto result = egraph::saturate(*vgg.egraph, vgg.rewrites, {});
        EXPECT_EQ(result.outcome, egraph::StopReason::Saturated);
        EXPECT_TRUE(vgg.egraph->conflicts().empty());
        EXPECT_EQ(checkInvariants(*vgg.egraph), std::vector<std::string>{});
        std::size_t matches = 0;
        for (const egraph::Iteration& step : result.iterations)
            for (const egraph::RuleStats& rule : step.rules)
                matches += rule.matches;
        std::cout << "vgg " << policyName(policy) << ": " << vgg.egraph->enodeCount()
                  << " e-nodes, " << vgg.egraph->eclassCount() << " e-classes, "
                  << result.iterations.size() << " iterations, " << matches << " matches\n";
        EXPECT_LT(result.iterations.size(), 40U);
        EXPECT_LT(matches, 40 * vgg.egraph->totalEnodes());
        // Skeletons only: the paper reports at most 1 250 e-nodes for all layers.
        if (policy == Policy::Published) {
            EXPECT_LT(vgg.egraph->enodeCount(), 2500U);
        }
    }
}

TEST(Lowering, IsDeterministic) {
    for (Policy policy : {Policy::Published, Policy::Cycles}) {
        std::string texts[2];
        for (std::string& text : texts) {
            rules::Lowered lenet = lowered(kLenet, policy);
            egraph::saturate(*lenet.egraph, lenet.rewrites, {});
            text = egraph::exportJson(*lenet.egraph, std::vector{lenet.root});
        }
        EXPECT_GT(texts[0].size(), 1000U);
        EXPECT_EQ(texts[0], texts[1]);
    }
}

TEST(Lowering, GivesEachLayerAUnitOfExactlyItsShape) {
    const rules::Lowered lenet = lowered(kLenet, Policy::Published);
    std::vector<std::string> names;
    for (const rules::CallSite& call : lenet.calls) {
        names.push_back(toString(call.shape));
        EXPECT_EQ(*lenet.facts->unitShape(*lenet.egraph, call.unit), call.shape);
        EXPECT_TRUE(call.weightBuffer.has_value());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"Conv 28×28×1→6 k5", "Conv 10×10×6→16 k5",
                                               "Mv 120×400", "Mv 84×120", "Mv 10×84"}));
}

TEST(Lowering, CountsColumnsInWholeWordsUnderCycles) {
    rules::LoweringParams params;
    params.lanes = 8;
    const auto lenet = rules::lower(test::programOf(kLenet), params);
    std::vector<std::string> names;
    for (const rules::CallSite& call : lenet->calls)
        names.push_back(toString(call.shape));
    // b is stored as 25 pixels of two words each; d as 15 words, e as 11.
    EXPECT_EQ(names, (std::vector<std::string>{"Conv 28×28×8→6 k5", "Conv 10×10×8→16 k5",
                                               "Mv 120×400", "Mv 84×120", "Mv 10×88"}));
}

TEST(Lowering, KeepsTheProgramAsWrittenInTheGraph) {
    rules::Lowered lenet = lowered(kLenet, Policy::Cycles);
    egraph::saturate(*lenet.egraph, lenet.rewrites, {});
    const egraph::EGraph& egraph = *lenet.egraph;
    for (const rules::CallSite& call : lenet.calls) {
        bool asWritten = false;
        for (egraph::ENodeId node : egraph.enodes(egraph.find(call.unit)))
            asWritten = asWritten || egraph.origin(node).rule == egraph::Origin{}.rule;
        EXPECT_TRUE(asWritten) << toString(call.shape);
    }
}

TEST(Lowering, RefusesOutputsOfWeightsAlone) {
    const auto result =
        rules::lower(test::programOf("design d { input x : i8[4] = zeros; weight w : i8[4] = zeros;"
                                     " output y = add(x, relu(w)); output z = relu(w); }"),
                     {});
    ASSERT_FALSE(result.has_value());
    ASSERT_EQ(result.error().size(), 1U);
    EXPECT_EQ(result.error().front().code, "unsupported-op");
    EXPECT_TRUE(result.error().front().range.known());
}

TEST(Lowering, RefusesWeightsThatTakeTooLongToCompute) {
    const auto result = rules::lower(
        test::programOf("design d { input x : i8[4096] = zeros; weight w : i8[4096, 4096] = zeros;"
                        " output y = mv(requant(mm(w, w), shift: 8), x); }"),
        {});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().front().code, "too-large");
    EXPECT_TRUE(result.error().front().range.known());
}

TEST(Lowering, GivesEveryOperatorAUnitOfItsShape) {
    const std::pair<const char*, const char*> cases[] = {
        {"input x : i8[6, 8] = zeros; weight w : i8[5, 8] = zeros; output y = mm(x, w);",
         "Mm 6×8→5"},
        {"input x : i8[6, 8] = zeros; input z : u8[5, 8] = zeros; output y = mm(x, z);",
         "Mm 6×8→5 w:u8"},
        {"input x : i8[6, 8] = zeros; weight w : i8[5, 8] = zeros; output y = mm(w, x);",
         "Mm 5×8→6"},
        {"input x : i8[3, 6, 8] = zeros; input z : i8[3, 5, 8] = zeros; output y = bmm(x, z);",
         "Bmm 3×6×8→5"},
        {"input x : i8[6, 8, 16] = zeros; weight w : i8[16, 3, 3] = zeros;"
         " output y = dwconv(x, w, stride: 2);",
         "DwConv 2×3×16 k3 s2"},
        {"input x : i8[16] = zeros; input z : i8[16] = zeros; output y = dot(x, z);", "Mv 1×16"},
        {"input x : i8[4, 16] = zeros; output y = softmax(x);", "Map 1×4×16"},
        {"input x : i8[4, 8] = zeros; weight w : i8[2, 8] = zeros;"
         " output y = concat(x, w, axis: 0);",
         "Map 1×6×8"},
        {"input x : i8[4, 8] = zeros; weight w : i8[4, 8] = zeros;"
         " output y = qadd(x, w, mul: [1, 2], shift: 1);",
         "Map 1×4×8"},
        {"input x : i8[4, 16] = zeros; output y = transpose(x);", "Map 1×16×4"},
        {"input x : i8[4, 4, 3] = zeros; output y = maxpool(x, size: 2, stride: 1);", "Map 3×3×3"},
    };
    for (Policy policy : {Policy::Published, Policy::Cycles, Policy::Toy})
        for (const auto& [body, shape] : cases)
            expectUnit(policy, body, shape);
}

// Those of the paper, which have no hardware, where nothing is built.
TEST(Lowering, GivesOperandsOfOddWidthTheUnitsOfThoseThatStoreThem) {
    const auto operands = [](const std::string& input, const std::string& between) {
        const rules::Lowered result = lowered("design d { input x : " + input +
                                                  "[16] = zeros; weight a : i3[16, 16] = zeros; "
                                                  "weight b : i3[16, 16] = zeros; output y = "
                                                  "mv(b, requant(mv(a, x), shift: 2, to: " +
                                                  between + ")); }",
                                              Policy::Cycles);
        EXPECT_EQ(result.calls.size(), 2U);
        return std::pair(result.calls[0].shape.operand, result.calls[1].shape.operand);
    };
    using enum ir::Scalar;
    EXPECT_EQ(operands("i8", "u3"), std::pair(I8, I8));
    EXPECT_EQ(operands("u3", "u5"), std::pair(U5, U5));
    EXPECT_EQ(operands("u8", "i5"), std::pair(U8, I5));
    EXPECT_EQ(operands("i16", "u3"), std::pair(I16, U3));
}

TEST(Lowering, GivesStencilsTheUnitsOfProductsInWords) {
    struct Case {
        const char* body;
        const char* published;
        const char* built;
    };
    const Case cases[] = {
        {"input x : u8[6, 8] = zeros; weight k : i8[3] = zeros; output y = conv1d_w(x, k);",
         "Conv1D_W 6×6 k3 u8", "Mm 6×8→6 u8"},
        {"input x : u8[6, 64] = zeros; weight k : i8[3] = zeros;"
         " output y = conv1d_w(x, k, pad: 1);",
         "Conv1D_W 6×64 k3 u8", "Conv 6×8×8→8 k1×3 u8"},
        {"input x : u8[6, 63] = zeros; weight k : i8[3] = zeros;"
         " output y = conv1d_w(x, k, pad: 1);",
         "Conv1D_W 6×63 k3 u8", "Mm 6×64→63 u8"},
        {"input x : u8[6, 8] = zeros; weight k : i8[3] = zeros;"
         " output y = conv1d_h(x, k, pad: 1);",
         "Conv1D_H 6×8 k3 u8", "DwConv 1×6×8 k1×3 u8"},
    };
    for (const Case& given : cases) {
        expectUnit(Policy::Published, given.body, given.published);
        expectUnit(Policy::Toy, given.body, given.published);
        expectUnit(Policy::Cycles, given.body, given.built);
    }
}

TEST(Lowering, IsTotalOnRandomPrograms) {
    int planned = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto program = test::programOf(test::randomProgramText(seed, {}));
        for (Policy policy : {Policy::Published, Policy::Cycles}) {
            rules::LoweringParams params;
            params.policy = policy;
            auto result = rules::lower(program, params);
            ASSERT_TRUE(result.has_value()) << format(result.error());
            ++planned;
            EXPECT_EQ(result->calls.size(), result->plan.layers.size());
            egraph::SaturationParams limits;
            limits.maxIterations = 3;
            egraph::saturate(*result->egraph, result->rewrites, limits);
            EXPECT_TRUE(result->egraph->conflicts().empty());
            EXPECT_EQ(checkInvariants(*result->egraph), std::vector<std::string>{});
        }
    }
    EXPECT_EQ(planned, 400);
}

} // namespace marquetry
