#include "tests/frontend/onnx/run_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(OnnxStyles, QdqConvolutionIsTheExactRealOne) {
    ModelBuilder model = smallModel();
    const Numbers input = {3, 5, -128, 127, 0, 3, 3, -9, 100};
    // x − 3 in halves, weights in quarters, biases in eighths, results in three quarters less 7.
    Numbers expected;
    const int weights[2][4] = {{1, -2, 3, 4}, {-5, 6, 7, -8}};
    const int biases[2] = {10, -20};
    const auto at = [&](int y, int x) {
        return y < 0 || x > 2 ? 0 : input[static_cast<std::size_t>(y * 3 + x)] - 3;
    };
    for (int o = 0; o < 2; ++o) {
        for (int y = 0; y < 3; ++y) {
            for (int x = 0; x < 3; ++x) {
                const auto sum = weights[o][0] * at(y - 1, x) + weights[o][1] * at(y - 1, x + 1) +
                                 weights[o][2] * at(y, x) + weights[o][3] * at(y, x + 1) +
                                 biases[o];
                // sum / 8 ÷ 3/4 = sum / 6, half to even.
                const double steps = std::nearbyint(static_cast<double>(sum) / 6);
                expected.push_back(
                    std::clamp<std::int64_t>(static_cast<std::int64_t>(steps) - 7, -128, 127));
            }
        }
    }
    EXPECT_EQ(outputOf(model, input), expected);
}

TEST(OnnxStyles, FloatTailsAreCutAndToldOf) {
    const auto network = importOnnx(smallModel().bytes(), "", "m.onnx");
    ASSERT_TRUE(network) << format(network.error());
    EXPECT_THAT(network->cut, ElementsAre("p_node"));
    EXPECT_EQ(network->outputs.at(0).scale.value(), Rational(quant::Integer(3), quant::Integer(4)));
    EXPECT_THAT(format(network->warnings), HasSubstr("'p_node'; scale of 'p': 0.75"));
    EXPECT_THAT(format(network->warnings), HasSubstr("scale 0.500000, zero point 3"));
}

TEST(OnnxStyles, IntegerConvolutionTakesOffBothZeroPoints) {
    ModelBuilder model(13);
    model.input("x", {1, 1, 2, 2}, ::onnx::TensorProto::UINT8);
    model.ints("w", {1, 1, 2, 2}, {250, 0, 7, 128}, ::onnx::TensorProto::UINT8);
    model.ints("xz", {}, {10}, ::onnx::TensorProto::UINT8);
    model.ints("wz", {}, {128}, ::onnx::TensorProto::UINT8);
    model.node("ConvInteger", {"x", "w", "xz", "wz"}, "y");
    model.output("y", {}, ::onnx::TensorProto::INT32);
    EXPECT_THAT(outputOf(model, {0, 255, 20, 9}),
                ElementsAre(-10 * 122 + 245 * -128 + 10 * -121 + -1 * 0));
}

TEST(OnnxStyles, IntegerMatricesTakeOffBothZeroPoints) {
    ModelBuilder model(13);
    model.input("x", {2, 2}, ::onnx::TensorProto::UINT8);
    model.ints("w", {2, 1}, {-3, 5});
    model.ints("xz", {}, {7}, ::onnx::TensorProto::UINT8);
    model.ints("wz", {}, {1});
    model.node("MatMulInteger", {"x", "w", "xz", "wz"}, "y");
    model.output("y", {}, ::onnx::TensorProto::INT32);
    EXPECT_THAT(outputOf(model, {7, 9, 0, 255}), ElementsAre(8, 28 + 248 * 4));
}

TEST(OnnxStyles, QLinearMatrixRoundsHalfToEven) {
    ModelBuilder model(13);
    model.input("x", {1, 2}, ::onnx::TensorProto::INT8);
    model.floats("s", {}, {0.5F});
    model.ints("z", {}, {0});
    model.ints("w", {2, 3}, {1, 3, 5, 0, 0, 0});
    model.node("QLinearMatMul", {"x", "s", "z", "w", "s", "z", "s", "z"}, "y");
    model.output("y", {}, ::onnx::TensorProto::INT8);
    EXPECT_THAT(outputOf(model, {1, 0}), ElementsAre(0, 2, 2));
    EXPECT_THAT(outputOf(model, {-3, 0}), ElementsAre(-2, -4, -8));
}

TEST(OnnxStyles, QLinearAddOfMicrosoftIsOneRounding) {
    ModelBuilder model(13);
    model.domain("com.microsoft", 1);
    model.input("x", {1, 3}, ::onnx::TensorProto::INT8);
    model.floats("sa", {}, {0.5F});
    model.floats("sb", {}, {0.25F});
    model.ints("z", {}, {1});
    model.ints("b", {3}, {1, 2, 3});
    model.node("QLinearAdd", {"x", "sa", "z", "b", "sb", "z", "sa", "z"}, "y", "com.microsoft");
    model.output("y", {}, ::onnx::TensorProto::INT8);
    // (x − 1)/2 + (b − 1)/4, in halves, plus 1: ties at b = 2.
    EXPECT_THAT(outputOf(model, {5, 5, 5}), ElementsAre(5, 5, 6));
    EXPECT_THAT(outputOf(model, {-6, 6, 127}), ElementsAre(-6, 7, 127));
}

/// (x − z)·s + y/4 of channels with scales of their own, in quarters.
TEST(OnnxStyles, SumsTakeScalesOfChannelsThatAreMultiplesOfAStep) {
    const auto model = [](const std::vector<float>& scales) {
        ModelBuilder made;
        made.input("x", {1, 3, 1, 2}, ::onnx::TensorProto::INT8);
        made.input("y", {1, 3, 1, 2}, ::onnx::TensorProto::INT8);
        made.floats("sx", {3}, scales);
        made.ints("zx", {3}, {1, -2, 0});
        made.floats("sy", {}, {0.25F});
        ModelBuilder::number(made.node("DequantizeLinear", {"x", "sx", "zx"}, "xd"), "axis", 1);
        made.node("DequantizeLinear", {"y", "sy"}, "yd");
        made.node("Add", {"xd", "yd"}, "s");
        made.quantised("s", "out", 0.25F, 2);
        made.output("out_q", {}, ::onnx::TensorProto::INT8);
        return made;
    };
    // Halves of a quarter round to even: −3/2 and 1/2 of one, then 2 more.
    EXPECT_THAT(outputOf(model({0.5F, 0.125F, 0.25F}),
                         std::vector<Numbers>{{3, -100, 1, -1, 9, -9}, {5, 1, -3, 0, 1, 127}}),
                ElementsAre(4 + 5 + 2, -128, -2 + 2, 0 + 2, 9 + 1 + 2, 120));
    const auto refused = importOnnx(model({0.3F, 0.7F, 0.1F}).bytes(), "", "m.onnx");
    ASSERT_FALSE(refused);
    EXPECT_THAT(format(refused.error()), HasSubstr("no small multiples of one step"));
}

TEST(OnnxStyles, RequantShiftFloorsAndClips) {
    ModelBuilder model(13);
    model.domain("PACTOps", 1);
    model.input("x", {1, 2, 1, 2}, ::onnx::TensorProto::INT8);
    model.floats("mul", {1, 2, 1, 1}, {3, 5});
    model.floats("add", {1, 2, 1, 1}, {-1, 2});
    auto& node = model.node("RequantShift", {"x", "mul", "add"}, "y", "PACTOps");
    ModelBuilder::real(node, "div", 8);
    ModelBuilder::number(node, "n_levels_out", 16);
    ModelBuilder::number(node, "signed", 1);
    model.output("y");
    EXPECT_THAT(outputOf(model, {3, -3, 3, -30}), ElementsAre(1, -2, 2, -8));
}

TEST(OnnxStyles, IntegersInFloatsAreDividedAndClipped) {
    ModelBuilder model(9);
    model.input("x", {1, 2});
    model.floats("k", {1, 2}, {100, 7});
    model.floats("l", {1, 2}, {50, -90});
    model.floats("d", {}, {64});
    model.node("Mul", {"x", "k"}, "a");
    model.node("Add", {"a", "l"}, "b");
    model.node("Div", {"b", "d"}, "c");
    model.node("Floor", {"c"}, "f");
    auto& clip = model.node("Clip", {"f"}, "y");
    ModelBuilder::real(clip, "min", 0);
    ModelBuilder::real(clip, "max", 255);
    model.output("y");
    EXPECT_THAT(outputOf(model, {0, 0}), ElementsAre(0, 0));
    EXPECT_THAT(outputOf(model, {100, 40}), ElementsAre(157, 2));
    EXPECT_THAT(outputOf(model, {255, 255}), ElementsAre(255, 26));
}

TEST(OnnxStyles, JoinedTensorsTakeTheResultsScale) {
    ModelBuilder model;
    model.input("x", {1, 1, 1, 2});
    model.quantised("x", "a", 0.5F, 0);
    model.node("Relu", {"a_d"}, "r");
    model.quantised("r", "b", 0.25F, -128);
    ModelBuilder::number(model.node("Concat", {"a_d", "b_d"}, "c"), "axis", 1);
    model.quantised("c", "out", 1.0F, 4);
    model.output("out_q", {}, ::onnx::TensorProto::INT8);
    // −3/2 and 5/2; of them clipped at 0: 0 and 5/2. Half to even.
    EXPECT_THAT(outputOf(model, {-3, 5}), ElementsAre(2, 6, 4, 6));
}

TEST(OnnxStyles, TransposedInputsAreHeldAsTheyCome) {
    ModelBuilder model;
    model.input("x", {1, 2, 2, 3});
    ModelBuilder::list(model.node("Transpose", {"x"}, "t"), "perm", {0, 3, 1, 2});
    model.quantised("t", "in", 1.0F, 0);
    model.weights("w", {1, 3, 1, 1}, {1, 10, 100}, 1.0F);
    model.node("Conv", {"in_d", "w"}, "y");
    model.output("y");
    EXPECT_THAT(outputOf(model, {1, 2, 3, 4, 5, 6, 0, 0, 1, 1, 0, 0}),
                ElementsAre(321, 654, 100, 1));
}

TEST(OnnxStyles, FlattenedImagesMeetTheirWeightsInTheFilesOrder) {
    ModelBuilder model;
    model.input("x", {1, 2, 1, 2});
    model.quantised("x", "in", 1.0F, 0);
    model.weights("w", {2, 2, 1, 1}, {1, 0, 0, 1}, 1.0F);
    model.node("Conv", {"in_d", "w"}, "c");
    model.quantised("c", "mid", 1.0F, 0);
    model.node("Flatten", {"mid_d"}, "f");
    model.weights("m", {4, 1}, {1, 2, 4, 8}, 1.0F);
    model.node("MatMul", {"f", "m"}, "y");
    model.output("y");
    EXPECT_THAT(outputOf(model, {1, 3, 5, 7}), ElementsAre(1 + 6 + 20 + 56));
}

TEST(OnnxStyles, DilatedAndDepthwiseKernelsKeepTheirPlaces) {
    ModelBuilder model;
    model.input("x", {1, 2, 1, 5});
    model.quantised("x", "in", 1.0F, 0);
    model.weights("w", {2, 1, 1, 2}, {1, 10, 2, 20}, 1.0F);
    auto& conv = model.node("Conv", {"in_d", "w"}, "y");
    ModelBuilder::number(conv, "group", 2);
    ModelBuilder::list(conv, "dilations", {1, 3});
    model.output("y");
    EXPECT_THAT(outputOf(model, {1, 2, 3, 4, 5, 1, 1, 1, 2, 3}), ElementsAre(41, 52, 42, 62));
}

TEST(OnnxStyles, MatricesOfTwoActivationsTakeOffTheirZeroPoints) {
    ModelBuilder model;
    model.input("x", {2, 2});
    model.quantised("x", "in", 0.5F, 1);
    ModelBuilder::list(model.node("Transpose", {"in_d"}, "t"), "perm", {1, 0});
    model.node("MatMul", {"in_d", "t"}, "y");
    model.output("y");
    // (a b; c d)(a c; b d) with 1 taken off each.
    EXPECT_THAT(outputOf(model, {2, 3, 4, 0}), ElementsAre(5, 1, 1, 10));
}

TEST(OnnxStyles, FunctionsOfEightBitsAreTables) {
    ModelBuilder model;
    model.input("x", {1, 3});
    model.quantised("x", "in", 0.0625F, 0);
    model.node("Sigmoid", {"in_d"}, "s");
    model.node("Mul", {"in_d", "s"}, "m"); // x · sigmoid(x)
    model.quantised("m", "out", 0.0625F, 0);
    model.output("out_q", {}, ::onnx::TensorProto::INT8);
    EXPECT_THAT(outputOf(model, {0, 64, -32}), ElementsAre(0, 63, -4));
}

TEST(OnnxStyles, ShapesComputedByTheGraphAreFolded) {
    ModelBuilder model;
    model.input("x", {-1, 2, 2});
    model.quantised("x", "in", 1.0F, 0);
    model.node("Shape", {"in_d"}, "shape");
    model.ints("zero", {}, {0}, ::onnx::TensorProto::INT64);
    model.node("Gather", {"shape", "zero"}, "batch");
    model.ints("axes", {1}, {0}, ::onnx::TensorProto::INT64);
    model.node("Unsqueeze", {"batch", "axes"}, "first");
    model.ints("rest", {1}, {-1}, ::onnx::TensorProto::INT64);
    ModelBuilder::number(model.node("Concat", {"first", "rest"}, "dims"), "axis", 0);
    model.node("Reshape", {"in_d", "dims"}, "f");
    model.weights("m", {4, 1}, {1, 2, 4, 8}, 1.0F);
    model.node("MatMul", {"f", "m"}, "y");
    model.output("y");
    EXPECT_THAT(outputOf(model, {1, 1, 1, 2}), ElementsAre(23));
}

} // namespace
} // namespace marquetry::frontend::onnx
