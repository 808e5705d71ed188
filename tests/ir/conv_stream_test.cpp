// A convolution as a stream program is the convolution, on random shapes and weights.
#include "tests/support/programs.h"

#include "engine/ir/conv_stream.h"
#include "engine/ir/stream_interpreter.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <sstream>

namespace marquetry {

namespace {

template <class... Parts>
std::string cat(const Parts&... parts) {
    std::ostringstream text;
    (text << ... << parts);
    return text.str();
}

struct Case {
    std::shared_ptr<const ir::Program> program;
    ir::LayerPlan plan;
    ir::InterpreterResult run;
};

Case caseOf(const std::string& text) {
    Case c;
    c.program = test::programOf(text);
    c.plan = ir::planLayers(*c.program);
    auto run = ir::interpret(*c.program, {});
    EXPECT_TRUE(run.has_value());
    c.run = *std::move(run);
    return c;
}

/// Every channel of the padded image, offset as the stream wants it.
std::map<std::string, ir::StreamData>
channelsOf(const ir::ConvStream& conv, const ir::StreamProgram& program, const ir::Tensor& image) {
    std::map<std::string, ir::StreamData> inputs;
    for (std::int64_t c = 0; c < conv.channels; ++c) {
        ir::StreamData data{program.graph.node(program.graph.inputs[0]).type, {}};
        for (std::int64_t y = -conv.pad; y < conv.height + conv.pad; ++y)
            for (std::int64_t x = -conv.pad; x < conv.width + conv.pad; ++x) {
                const bool inside = y >= 0 && y < conv.height && x >= 0 && x < conv.width;
                const auto at = static_cast<std::size_t>((y * conv.width + x) * conv.channels + c);
                data.words.push_back((inside ? image.data[at] : 0) + conv.offset());
            }
        data.words.resize(static_cast<std::size_t>(conv.frame()), conv.offset());
        inputs["x" + std::to_string(c)] = std::move(data);
    }
    return inputs;
}

} // namespace

TEST(ConvStream, IsTheConvolution) {
    SplitMix64 rng(5);
    for (int k = 0; k < 220; ++k) {
        const std::int64_t kernel = k == 0 ? 1 : rng.range(1, 4);
        const std::int64_t pad = rng.range(0, kernel - 1);
        const std::int64_t stride = rng.range(1, 3);
        const std::int64_t height = rng.range(kernel, kernel + 5);
        const std::int64_t width = rng.range(kernel, kernel + 5);
        const std::int64_t channels = rng.range(1, 2);
        const std::int64_t rows = rng.range(1, 4);
        const char* scalar = rng.range(0, 1) == 0 ? "i8" : "u8";
        const std::string text =
            cat("design d { input x : ", scalar, "[", height, ", ", width, ", ", channels,
                "] = random(seed: ", k, "); weight w : i8[", rows, ", ", kernel, ", ", kernel, ", ",
                channels, "] = random(seed: ", k + 1000,
                "); output y = conv(x, w, stride: ", stride, ", pad: ", pad, "); }");
        const Case c = caseOf(text);
        const auto conv = ir::convStreamOf(*c.program, c.plan.layers[0]);
        ASSERT_TRUE(conv.has_value()) << text;
        const ir::Tensor& weight = c.run.values[c.plan.layers[0].weight->index()];
        const ir::StreamProgram program = ir::convStreamProgram(*conv, weight);
        const auto outputs = ir::interpret(
            program, channelsOf(*conv, program, c.run.values[c.plan.layers[0].input.index()]));
        ASSERT_TRUE(outputs.has_value()) << text;
        const ir::Tensor& expected = c.run.values[c.plan.layers[0].anchor.index()];
        const int bits = ir::convSumBits(*conv, weight);
        for (std::int64_t y = 0; y < expected.type.dims[0]; ++y)
            for (std::int64_t x = 0; x < expected.type.dims[1]; ++x)
                for (std::int64_t row = 0; row < rows; ++row) {
                    const std::int64_t last =
                        (y * stride + kernel - 1) * conv->paddedWidth() + x * stride + kernel - 1;
                    const std::int64_t sum = expected.data[static_cast<std::size_t>(
                        (y * expected.type.dims[1] + x) * rows + row)];
                    ASSERT_EQ((*outputs)[static_cast<std::size_t>(row)]
                                  .words[static_cast<std::size_t>(last)],
                              sum & 0xffff'ffff)
                        << text << " at " << y << ", " << x << ", " << row;
                    ASSERT_LT(sum, std::int64_t{1} << (bits - 1)) << text;
                    ASSERT_GE(sum, -(std::int64_t{1} << (bits - 1))) << text;
                }
    }
}

TEST(ConvStream, KnowsItsSideCondition) {
    const auto streams = [](const std::string& text) {
        const auto program = test::programOf(text);
        const ir::LayerPlan plan = ir::planLayers(*program);
        return ir::convStreamOf(*program, plan.layers[0]).has_value();
    };
    const auto conv = [](int rows, const char* scalar, const char* write) {
        return cat("design d { input x : ", scalar, "[8, 8, 4] = zeros; weight w : i8[", rows,
                   ", 2, 2, 4] = zeros; input z : i32[7, 7, ", rows,
                   "] = zeros; output y = ", write, "; output q = relu(z); }");
    };
    EXPECT_TRUE(streams(conv(12, "i8", "conv(x, w)"))); // 12 · 16 products: the most
    EXPECT_FALSE(streams(conv(13, "i8", "conv(x, w)")));
    EXPECT_FALSE(streams(conv(2, "i16", "conv(x, w)")));
    EXPECT_FALSE(streams(conv(2, "i8", "add(conv(x, w), z)")));
    EXPECT_FALSE(streams("design d { input x : i8[8] = zeros; weight w : i8[2, 8] = zeros; "
                         "output y = mv(w, x); }"));
    EXPECT_FALSE(streams("design d { input x : i8[4, 4, 1] = zeros; input w : i8[1, 2, 2, 1] = "
                         "zeros; output y = conv(x, w); }"));
}

} // namespace marquetry
