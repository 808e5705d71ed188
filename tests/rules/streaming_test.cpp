// R-STREAM: a streamed call stands beside the call of a convolution where its side condition holds,
// and computes the same.
#include "engine/egraph/saturate.h"
#include "engine/ir/interpreter.h"
#include "engine/rules/lowering.h"
#include "engine/support/rng.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace marquetry {

namespace {

rules::Lowered streamedGraph(const std::string& text, bool streams,
                             std::vector<std::string> without = {}) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.streams = streams;
    params.without = std::move(without);
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

/// The stream units in the class of a call.
std::set<std::string> streamsOf(const rules::Lowered& lowered, const rules::CallSite& site) {
    const egraph::EGraph& egraph = *lowered.egraph;
    std::set<std::string> found;
    for (const egraph::ENodeId node : egraph.enodes(egraph.find(site.call))) {
        const egraph::EClassId unit = egraph.children(node)[0];
        const std::string name =
            egraph.language().name(egraph.op(egraph.enodes(egraph.find(unit)).front()));
        if (name.starts_with("Stream["))
            found.insert(name);
    }
    return found;
}

/// From the program alone, with words of 8 elements.
std::set<std::string> expectedStreams(const rules::Lowered& lowered, const ir::Layer& layer) {
    const ir::Program& program = *lowered.program;
    const ir::Value& anchor = program.value(layer.anchor);
    if (anchor.op != ir::OpKind::Conv)
        return {};
    const ir::Value& weight = program.value(anchor.operands[1]);
    const ir::Value& image = program.value(anchor.operands[0]);
    const std::int64_t window = weight.type.elements() / weight.type.dims[0];
    const std::int64_t rows = weight.type.dims[0];
    const bool bytes = image.type.scalar == ir::Scalar::I8 || image.type.scalar == ir::Scalar::U8;
    bool adds = false;
    for (const ir::EpilogueOp& op : layer.epilogue) {
        const ir::Value& value = program.value(op.value);
        // What multiplies needs the lanes of a unit's write-back.
        adds |= value.op == ir::OpKind::Add || value.params.mul != 1;
    }
    if (weight.kind != ir::ValueKind::Weight || !bytes || adds || window > 32 ||
        rows * window > 192 || rows > 8 || weight.type.dims[3] > 8)
        return {};
    std::set<std::string> names;
    for (const std::int64_t parallel : {1, 2, 4, 8}) {
        if (parallel / 2 >= rows)
            continue;
        const std::int64_t clocks = (rows + parallel - 1) / parallel;
        names.insert("Stream[" + layer.name + ", " +
                     (clocks == 1 ? "1" : "1/" + std::to_string(clocks)) + "]");
    }
    return names;
}

} // namespace

TEST(Streaming, BothSidesAgree) {
    SplitMix64 rng(17);
    for (int k = 0; k < 240; ++k) {
        const std::int64_t kernel = k < 4 ? 1 : rng.range(1, 4);
        const std::int64_t channels = rng.range(1, kernel > 3 ? 2 : 3);
        const std::int64_t pad = rng.range(0, kernel - 1);
        const std::int64_t height = k % 2 == 0 ? kernel : rng.range(kernel, kernel + 6);
        const std::int64_t width = k % 3 == 0 ? kernel : rng.range(kernel, kernel + 6);
        std::ostringstream text;
        text << "design d { input x : " << (rng.range(0, 1) == 0 ? "i8" : "u8") << "[" << height
             << ", " << width << ", " << channels << "] = random(seed: " << k
             << "); weight w : " << (rng.range(0, 1) == 0 ? "i8" : "u8") << "[" << rng.range(1, 5)
             << ", " << kernel << ", " << kernel << ", " << channels
             << "] = random(seed: " << 1000 + k
             << "); output y = conv(x, w, stride: " << rng.range(1, 3) << ", pad: " << pad
             << "); }";
        const auto program = test::programOf(text.str());
        const ir::LayerPlan plan = ir::planLayers(*program);
        const auto conv = rules::streamable(*program, plan.layers[0], 8);
        ASSERT_TRUE(conv.has_value()) << text.str();
        const auto run = ir::interpret(*program, {});
        ASSERT_TRUE(run.has_value());
        const ir::Tensor streamed =
            rules::denoteStream(*conv, {run->values[plan.layers[0].input.index()],
                                        run->values[plan.layers[0].weight->index()]});
        ASSERT_EQ(streamed, run->values[plan.layers[0].anchor.index()]) << text.str();
    }
}

TEST(Streaming, CallsOfTheSideConditionOnRandomPrograms) {
    int streamed = 0, others = 0;
    for (std::uint64_t seed = 0; seed < 220; ++seed) {
        const std::string text = test::randomProgramText(seed, {4, 6, 6});
        const rules::Lowered lowered = streamedGraph(text, true);
        for (const rules::CallSite& site : lowered.calls) {
            const ir::Layer& layer = lowered.plan.layers[site.layer];
            const auto expected = expectedStreams(lowered, layer);
            ASSERT_EQ(streamsOf(lowered, site), expected) << text << layer.name;
            ++(expected.empty() ? others : streamed);
        }
        EXPECT_TRUE(lowered.egraph->conflicts().empty());
    }
    EXPECT_GT(streamed, 100);
    EXPECT_GT(others, 100);
}

TEST(Streaming, NothingWithoutBeingAskedFor) {
    const std::string text =
        "design d { input x : i8[8, 8, 2] = zeros; weight w : i8[3, 3, 3, 2] = zeros; "
        "output y = conv(x, w); }";
    const auto streams = [&](bool asked, std::vector<std::string> without) {
        const rules::Lowered lowered = streamedGraph(text, asked, std::move(without));
        return streamsOf(lowered, lowered.calls[0]).size();
    };
    EXPECT_EQ(streams(true, {}), 3U);
    EXPECT_EQ(streams(false, {}), 0U);
    EXPECT_EQ(streams(true, {"streams"}), 0U);
}

} // namespace marquetry
