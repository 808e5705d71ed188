// The layer plan: what is fused, what is not, and what is refused.
#include "engine/ir/layer.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace marquetry {

namespace {

const char* const kHead = R"(
  input x : i8[6, 6, 4] = zeros;
  input v : i8[8] = zeros;
  weight a : i8[4, 3, 3, 4] = zeros;
  weight m : i8[8, 8] = zeros;
  weight n : i8[8, 144] = zeros;
  weight s : i32[4] = zeros;
)";

const char* nameOf(ir::EpilogueKind kind) {
    switch (kind) {
    case ir::EpilogueKind::Requant:
        return "requant";
    case ir::EpilogueKind::Relu:
        return "relu";
    case ir::EpilogueKind::Leaky:
        return "leaky";
    case ir::EpilogueKind::Add:
        return "add";
    case ir::EpilogueKind::MaxPool:
        return "maxpool";
    case ir::EpilogueKind::SumPool:
        return "sumpool";
    case ir::EpilogueKind::Bias:
        return "bias";
    case ir::EpilogueKind::Clip:
        return "clip";
    case ir::EpilogueKind::Table:
        return "table";
    case ir::EpilogueKind::QAdd:
        return "qadd";
    }
    return "";
}

/// One line per layer: "result = anchor(input; addend) epilogue…", or the first refusal.
std::string planOf(const std::string& body) {
    const auto program = test::programOf("design d {" + std::string(kHead) + body + "}");
    const ir::LayerPlan plan = ir::planLayers(*program);
    if (!plan.unsupported.empty())
        return plan.unsupported.front().code + ": " + plan.unsupported.front().message;
    std::string text;
    for (const ir::Layer& layer : plan.layers) {
        text += text.empty() ? "" : "; ";
        text += layer.name + " = ";
        text += layer.moves  ? "move"
                : layer.pass ? "pass"
                             : std::string(info(program->value(layer.anchor).op).name);
        text += "(" + program->value(layer.input).name + ")";
        for (const ir::EpilogueOp& op : layer.epilogue) {
            text += std::string(" ") + nameOf(op.kind);
            if (op.addend)
                text += "(" + program->value(*op.addend).name + ")";
        }
    }
    return text;
}

struct Row {
    const char* body;
    const char* plan;
};

} // namespace

TEST(LayerPlan, FusesInTheFixedOrder) {
    const Row rows[] = {
        {"output y = conv(x, a);", "conv#0 = conv(x)"},
        {"let y = maxpool(relu(requant(conv(x, a), shift: 3)), size: 2); output o = y;",
         "y = conv(x) requant relu maxpool"},
        {"let y = requant(relu(conv(x, a)), shift: 3); output o = y;", "y = conv(x) relu requant"},
        {"let y = relu(relu(relu(conv(x, a)))); output o = y;",
         "relu#1 = conv(x) relu relu; y = pass(relu#1) relu"},
        {"let c = requant(conv(x, a), shift: 1); let y = relu(sumpool(c, size: 2)); output o = y;",
         "y = conv(x) requant sumpool relu"},
        {"let y = leaky(mv(m, v), num: 1, shift: 3); output o = y;", "y = mv(v) leaky"},
        {"let y = relu(x); output o = y;", "y = pass(x) relu"},
        {"let y = relu(maxpool(x, size: 3)); output o = y;", "y = pass(x) maxpool relu"},
    };
    for (const Row& row : rows) {
        const std::string plan = planOf(row.body);
        const std::string expected = row.plan;
        // Names of inner expressions are the front end's business.
        if (expected.find('#') == std::string::npos) {
            EXPECT_EQ(plan, expected) << row.body;
        } else {
            EXPECT_EQ(std::count(plan.begin(), plan.end(), ';'),
                      std::count(expected.begin(), expected.end(), ';'))
                << plan;
        }
    }
}

TEST(LayerPlan, AValueWithTwoUsersIsStored) {
    EXPECT_EQ(planOf("let c = requant(conv(x, a), shift: 1); let y = relu(c); output o = y;"
                     " output p = c;"),
              "c = conv(x) requant; y = pass(c) relu");
    EXPECT_EQ(planOf("let c = requant(conv(x, a, pad: 1), shift: 1);"
                     " let d = requant(conv(c, a, pad: 1), shift: 1);"
                     " let e = requant(conv(c, a, pad: 1), shift: 2); output o = d; output p = e;"),
              "c = conv(x) requant; d = conv(c) requant; e = conv(c) requant");
}

TEST(LayerPlan, AddsAResidualFromEitherSide) {
    const std::string head = "let c = requant(conv(x, a, pad: 1), shift: 1);"
                             " let d = requant(conv(c, a, pad: 1), shift: 1); ";
    EXPECT_EQ(planOf(head + "let y = relu(add(x, d)); output o = y;"),
              "c = conv(x) requant; y = conv(c) requant add(x) relu");
    EXPECT_EQ(planOf(head + "let y = relu(add(d, x)); output o = y;"),
              "c = conv(x) requant; y = conv(c) requant add(x) relu");
    // A pool comes after the addition in the order: both sides are stored.
    EXPECT_EQ(planOf("let p = maxpool(x, size: 1); let y = add(x, p); output o = y;"),
              "p = pass(x) maxpool; y = pass(x) add(p)");
}

TEST(LayerPlan, AddsItsOwnInputInAPass) {
    // A memory yields one word per clock, and the layer reads its input in every one.
    EXPECT_EQ(planOf("let c = requant(conv(x, a, pad: 1), shift: 1);"
                     " let d = requant(conv(c, a, pad: 1), shift: 1);"
                     " let y = relu(add(d, c)); output o = y;"),
              "c = conv(x) requant; d = conv(c) requant; y = pass(d) add(c) relu");
    EXPECT_EQ(planOf("let r = relu(x); let y = add(x, r); output o = y;"),
              "r = pass(x) relu; y = pass(x) add(r)");
}

TEST(LayerPlan, AddWaitsForTheOtherSide) {
    // d is not stored yet when c could be written back; the add joins the later layer.
    EXPECT_EQ(planOf("let c = requant(conv(x, a, pad: 1), shift: 1);"
                     " let d = requant(conv(x, a, pad: 1), shift: 2);"
                     " let y = add(c, d); output o = y;"),
              "c = conv(x) requant; y = conv(x) requant add(c)");
}

TEST(LayerPlan, FlattenIsTheStoredTensor) {
    EXPECT_EQ(planOf("let y = requant(mv(n, flatten(x)), shift: 4); output o = y;"),
              "y = mv(x) requant");
    EXPECT_EQ(planOf("let y = mv(n, reshape(x, dims: [144])); output o = y;"), "y = mv(x)");
    EXPECT_EQ(planOf("let c = requant(conv(x, a, pad: 1), shift: 1); output o = flatten(c);"),
              "c = conv(x) requant");
}

TEST(LayerPlan, AFlattenedPixelIsAVector) {
    EXPECT_EQ(planOf("let p = maxpool(x, size: 6); let y = relu(flatten(p)); output o = y;"),
              "p = pass(x) maxpool; y = pass(p) relu");
}

/// Its elements come in the same order: it is stored as what reads it.
TEST(LayerPlan, AnInputThatIsOnlyReshapedIsStoredSo) {
    const auto program = test::programOf("design d {" + std::string(kHead) +
                                         "output o = relu(reshape(x, dims: [12, 6, 2])); }");
    const ir::LayerPlan plan = ir::planLayers(*program);
    EXPECT_TRUE(plan.unsupported.empty());
    EXPECT_EQ(plan.firstUnbuildable(), nullptr);
    ASSERT_EQ(plan.layers.size(), 1U);
    const ir::Value& stored = program->value(plan.layers[0].input);
    EXPECT_EQ(stored.op, ir::OpKind::Reshape);
    EXPECT_EQ(plan.storage[stored.operands[0].index()], stored.id);
}

/// A layer of moves, one for each operand; a reader that finds its way in a view needs none.
TEST(LayerPlan, CopiesWhereTheLayoutChanges) {
    const Row rows[] = {
        {"let y = permute(x, order: [2, 0, 1]); output o = y;", "y = move(x)"},
        {"let r = relu(x); let y = concat(x, r, axis: 2); output o = y;",
         "r = pass(x) relu; y = move(x)"},
        {"let y = upsample(x, factor: 2); output o = y;", "y = move(x)"},
        // The elements of a flattened tensor lie in its own words, not in a vector's.
        {"let r = relu(x); let f = flatten(r); let y = relu(f); output o = y;",
         "r = pass(x) relu; f = move(r); y = pass(f) relu"},
        {"let r = relu(x); let f = flatten(r); let y = mv(n, f); output o = y;",
         "r = pass(x) relu; y = mv(r)"},
        {"let r = relu(x); let f = reshape(r, dims: [9, 4, 4]); let y = conv(f, a); output o = y;",
         "r = pass(x) relu; f = move(r); y = conv(f)"},
        // Heads of a row lie inside its channels; halves of two rows do not.
        {"let r = relu(x); let y = permute(reshape(r, dims: [36, 2, 2]), order: [1, 0, 2]);"
         " output o = y;",
         "r = pass(x) relu; y = move(r)"},
        {"let r = relu(x); let f = reshape(r, dims: [24, 6]); let y = transpose(f); output o = y;",
         "r = pass(x) relu; f = move(r); y = move(f)"},
    };
    for (const Row& row : rows)
        EXPECT_EQ(std::regex_replace(planOf(row.body), std::regex("#[0-9]+"), "#0"), row.plan)
            << row.body;
}

/// What is held where weights are is another operand of the layer.
TEST(LayerPlan, HoldsActivationsAsWeights) {
    for (const char* const body : {"input b : i8[7, 8] = zeros; output o = mv(b, v);",
                                   "input b : i8[8] = zeros; output o = dot(v, b);",
                                   "input k : i8[4, 3, 3, 4] = zeros; output o = conv(x, k);",
                                   "input k : i8[4, 3, 3, 2] = zeros; "
                                   "output o = conv(x, k, groups: 2);",
                                   "input k : i8[8, 3, 3] = zeros; output o = dwconv(x, k);",
                                   "input k : i8[3] = zeros; "
                                   "output o = conv1d_h(reshape(x, dims: [6, 24]), k, pad: 1);",
                                   "input b : i8[6, 5, 4] = zeros; output o = bmm(x, b);"}) {
        const auto program = test::programOf("design d {" + std::string(kHead) + body + "}");
        const ir::LayerPlan plan = ir::planLayers(*program);
        EXPECT_TRUE(plan.unsupported.empty()) << body;
        EXPECT_EQ(plan.firstUnbuildable(), nullptr) << body;
        ASSERT_EQ(plan.layers.size(), 1U) << body;
        EXPECT_EQ(plan.layers[0].others.size(), 1U) << body;
        EXPECT_FALSE(plan.layers[0].weight) << body;
    }
}

/// A form without a unit is none either where it could join a layer.
TEST(LayerPlan, RefusesFormsBehindOtherOperators) {
    const auto program = test::programOf(
        "design d {" + std::string(kHead) +
        "weight far : u8[4] = random(seed: 1); output o = requant(conv(x, a), shift: far); }");
    const ir::LayerPlan plan = ir::planLayers(*program);
    ASSERT_EQ(plan.unsupported.size(), 1U);
    EXPECT_NE(plan.unsupported[0].message.find("at most 62"), std::string::npos);
}

TEST(LayerPlan, SaysWhatTheGeneratorCannotBuild) {
    const std::pair<const char*, const char*> bodies[] = {
        {"input z : i8[6, 5] = zeros; input k : i8[3] = zeros; "
         "output o = conv1d_w(z, k, pad: 65);",
         "no more than 64 columns"},
    };
    for (const auto& [body, reason] : bodies) {
        const auto parsed = test::programOf("design d {" + std::string(kHead) + body + "}");
        const ir::LayerPlan plan = ir::planLayers(*parsed);
        EXPECT_TRUE(plan.unsupported.empty()) << body;
        ASSERT_NE(plan.firstUnbuildable(), nullptr) << body;
        EXPECT_NE(plan.firstUnbuildable()->unbuildable.find(reason), std::string::npos)
            << plan.firstUnbuildable()->unbuildable;
        // Every value that an output needs is stored.
        for (const ir::Output& output : parsed->outputs) {
            const ir::ValueId stored = plan.storage[output.value.index()];
            EXPECT_TRUE(std::ranges::any_of(plan.layers, [&](const ir::Layer& layer) {
                return layer.result == stored;
            })) << body;
        }
    }
}

TEST(LayerPlan, WindowsOfEveryFormHaveAUnit) {
    const struct {
        const char* expression;
        const char* plan;
        bool lanewise;
    } forms[] = {
        {"conv(x, wide)", "y = conv(x)", false},
        {"conv(x, a, stride: [1, 2])", "y = conv(x)", false},
        {"conv(x, a, pad: [1, 1, 0, 1])", "y = conv(x)", false},
        {"conv(x, a, pad: 1, fill: 3)", "y = conv(x)", false},
        {"conv(x, grouped, groups: 2)", "y = conv(x)", false},
        {"dwconv(x, each, pad: 2)", "y = dwconv(x)", true},
        {"dwconv(x, deep)", "y = dwconv(x)", false},
        {"avgpool(x, size: 3, pad: 1)", "y = pass(x)", true},
        {"requant(dwconv(x, each), shift: 2)", "y = dwconv(x) requant", true},
        {"maxpool(x, size: 3, stride: 1)", "y = pass(x)", true},
        {"maxpool(x, size: 2, pad: 1)", "y = pass(x)", true},
        {"maxpool(x, size: 2, stride: 1, pad_after: 1)", "y = pass(x)", true},
        {"relu(requant(sumpool(x, size: [1, 2]), shift: 1))", "y = pass(x) requant relu", true},
        {"maxpool(x, size: 2)", "y = pass(x) maxpool", false},
    };
    for (const auto& form : forms) {
        const std::string body = "weight wide : i8[4, 3, 1, 4] = zeros;"
                                 "weight grouped : i8[4, 3, 3, 2] = zeros;"
                                 "weight each : i8[4, 3, 3] = zeros;"
                                 "weight deep : i8[8, 3, 3] = zeros; let y = " +
                                 std::string(form.expression) + "; output o = y;";
        EXPECT_EQ(planOf(body), form.plan) << form.expression;
        const auto parsed = test::programOf("design d {" + std::string(kHead) + body + "}");
        const ir::LayerPlan plan = ir::planLayers(*parsed);
        EXPECT_EQ(plan.firstUnbuildable(), nullptr) << form.expression;
        ASSERT_EQ(plan.layers.size(), 1U) << form.expression;
        EXPECT_EQ(plan.layers[0].lanewise, form.lanewise) << form.expression;
    }
}

TEST(LayerPlan, FoldsReshapesOfWholePixels) {
    EXPECT_EQ(planOf("weight w : i8[5, 4] = zeros;"
                     " let c = requant(conv(x, a, pad: 1), shift: 1);"
                     " output o = mm(reshape(c, dims: [36, 4]), w);"),
              "c = conv(x) requant; o = mm(c)");
    // A permutation copies in any case, and finds each half of the pixels.
    EXPECT_EQ(planOf("output o = permute(reshape(x, dims: [6, 12, 2]), order: [1, 0, 2]);"),
              "o = move(x)");
}

TEST(LayerPlan, FusesWhatScales) {
    const char* const weights = "weight b : i32[4] = zeros; weight k : u8[4] = zeros;"
                                "weight t : i8[256] = zeros; input r : i8[6, 6, 4] = zeros; ";
    const Row rows[] = {
        {"let y = clip(requant(add(conv(x, a, pad: 1), b), mul: s, add: 3, shift: k, round: even),"
         " lo: 0, hi: 6); output o = y;",
         "y = conv(x) bias requant clip"},
        {"let y = table(qadd(requant(conv(x, a, pad: 1), mul: 3, shift: 4), r, mul: [3, 4],"
         " shift: 2), t); output o = y;",
         "y = conv(x) requant qadd(r) table"},
        {"let y = requant(avgpool(x, size: 2), mul: 5, shift: 4); output o = y;",
         "y = pass(x) sumpool requant"},
        // One number per channel comes first of all, a bias before everything.
        {"let y = requant(maxpool(x, size: 2), mul: s, shift: 4); output o = y;",
         "y#1 = pass(x) maxpool; y = pass(y#1) requant"},
        {"let y = add(relu(requant(conv(x, a), shift: 2)), b); output o = y;",
         "y#3 = conv(x) requant relu; y = pass(y#3) bias"},
        {"let y = clip(x, lo: 0, hi: 6); output o = y;", "y = pass(x) clip"},
        {"let y = qadd(r, x, mul: [1, 2], shift: 1); output o = y;", "y = pass(r) qadd(x)"},
    };
    for (const Row& row : rows)
        EXPECT_EQ(planOf(weights + std::string(row.body)), row.plan) << row.body;
}

TEST(LayerPlan, KnowsWhatScales) {
    const auto scales = [](const std::string& body) {
        return ir::planLayers(*test::programOf("design d {" + std::string(kHead) + body + "}"))
            .scales;
    };
    EXPECT_FALSE(scales("output y = relu(requant(conv(x, a), shift: 3));"));
    EXPECT_FALSE(scales("output y = requant(avgpool(x, size: 2), shift: 2);"));
    EXPECT_TRUE(scales("output y = requant(conv(x, a), mul: 3, shift: 3);"));
    EXPECT_TRUE(scales("output y = requant(conv(x, a), shift: 3, round: even);"));
    EXPECT_TRUE(scales("output y = add(conv(x, a), s);"));
    EXPECT_TRUE(scales("output y = clip(x, lo: 1, hi: 2);"));
}

TEST(LayerPlan, RefusesWhatNoHardwareComputes) {
    for (const char* body :
         {"output o = m;", "output o = add(v, relu(n8));", "output o = mv(relu(m), v);"}) {
        const auto parsed = test::programOf("design d {" + std::string(kHead) +
                                            "weight n8 : i8[8] = zeros; " + body + "}");
        const ir::LayerPlan plan = ir::planLayers(*parsed);
        ASSERT_FALSE(plan.unsupported.empty()) << body;
        const Diagnostic& error = plan.unsupported.front();
        EXPECT_EQ(error.code, "unsupported-op");
        EXPECT_TRUE(error.range.known()) << body;
        EXPECT_FALSE(error.hint.empty());
    }
}

/// All that the language has and units have not is named at once, and nothing twice.
TEST(LayerPlan, NamesEveryFormWithoutAUnit) {
    const struct {
        const char* expression;
        const char* why;
    } forms[] = {
        {"requant(x, shift: far)", "at most 62"},
        {"requant(x, shift: near, round: even, tie: 1)", "half of what each channel divides by"},
        {"layernorm(reshape(x, dims: [36, 4]), shift: 4, to: i32)", "at most 16 bits"},
    };
    std::string body = kHead;
    body += "weight far : u8[4] = random(seed: 1);"
            "weight near : u8[4] = random(seed: 1, lo: 1, hi: 4);";
    std::size_t number = 0;
    for (const auto& form : forms)
        body += "output o" + std::to_string(number++) + " = " + form.expression + ";";
    const ir::LayerPlan plan = ir::planLayers(*test::programOf("design d {" + body + "}"));
    ASSERT_EQ(plan.unsupported.size(), std::size(forms));
    for (std::size_t k = 0; k < std::size(forms); ++k) {
        EXPECT_EQ(plan.unsupported[k].code, "unsupported-op");
        EXPECT_NE(plan.unsupported[k].message.find(forms[k].why), std::string::npos)
            << plan.unsupported[k].message;
    }
}

/// Sums, differences and products of elements have a unit of their own.
TEST(LayerPlan, ElementsArePassesOfTheirOwn) {
    const struct {
        const char* expression;
        std::size_t others;
        bool weight;
    } forms[] = {
        {"sub(x, r)", 1, false}, {"mul(x, x)", 0, false}, {"mul(x, t)", 1, false},
        {"sub(w, x)", 0, true},  {"add(x, w)", 0, true},  {"mul(x, s)", 0, true},
    };
    for (const auto& form : forms) {
        const auto parsed =
            test::programOf("design d {" + std::string(kHead) +
                            "weight w : i8[6, 6, 4] = zeros; input r : i8[6, 6, 4] = zeros; "
                            "input t : i8[4] = zeros; output y = requant(" +
                            form.expression + ", shift: 1); }");
        const ir::LayerPlan plan = ir::planLayers(*parsed);
        EXPECT_EQ(plan.firstUnbuildable(), nullptr) << form.expression;
        ASSERT_EQ(plan.layers.size(), 2U) << form.expression;
        EXPECT_TRUE(plan.layers[0].rows) << form.expression;
        EXPECT_TRUE(plan.layers[0].epilogue.empty()) << form.expression;
        EXPECT_EQ(plan.layers[0].others.size(), form.others) << form.expression;
        EXPECT_EQ(plan.layers[0].weight.has_value(), form.weight) << form.expression;
    }
}

TEST(LayerPlan, WhatIsAddedToItselfIsMultiplied) {
    EXPECT_EQ(planOf("output o = add(x, x);"), "o = pass(x) requant");
    EXPECT_EQ(planOf("let y = relu(qadd(x, x, mul: [1, 2], shift: 3)); output o = y;"),
              "y = pass(x) requant relu");
    // Modulo 2^32, which no requantisation is.
    const ir::LayerPlan wide = ir::planLayers(
        *test::programOf("design d { input x : i32[4, 4] = zeros; output o = add(x, x); }"));
    ASSERT_EQ(wide.layers.size(), 1U);
    EXPECT_TRUE(wide.layers[0].rows);
}

/// What reads a value without a unit is no further mistake.
TEST(LayerPlan, NamesNothingTwice) {
    const ir::LayerPlan plan =
        ir::planLayers(*test::programOf(std::string("design d {") + kHead +
                                        "weight far : u8[4] = random(seed: 1); output y = "
                                        "relu(requant(requant(x, shift: far), shift: 4)); }"));
    EXPECT_EQ(plan.unsupported.size(), 1U);
}

} // namespace marquetry
