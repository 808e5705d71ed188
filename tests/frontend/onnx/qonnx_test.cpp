#include "tests/frontend/onnx/both_ways.h"
#include "tests/frontend/onnx/model_builder.h"

namespace marquetry::frontend::onnx {
namespace {

constexpr const char* kQonnx = "qonnx.custom_op.general";

class QonnxModel : public ModelBuilder {
public:
    QonnxModel() {
        domain(kQonnx, 1);
        floats("zero", {}, {0});
    }

    void quant(const std::string& from, const std::string& to, const TestDims& dims,
               const std::vector<float>& scales, float bits, bool isSigned, bool isNarrow) {
        floats(to + "_scale", dims, scales);
        floats(to + "_bits", {}, {bits});
        auto& made = node("Quant", {from, to + "_scale", "zero", to + "_bits"}, to, kQonnx);
        number(made, "signed", isSigned ? 1 : 0);
        number(made, "narrow", isNarrow ? 1 : 0);
        auto& rounding = *made.add_attribute();
        rounding.set_name("rounding_mode");
        rounding.set_type(::onnx::AttributeProto::STRING);
        rounding.set_s("ROUND");
    }
};

std::vector<float> numbers(std::size_t count, int modulus, float step) {
    std::vector<float> made;
    for (std::size_t k = 0; k < count; ++k)
        made.push_back(
            step * static_cast<float>(static_cast<int>(k * 7 % static_cast<std::size_t>(modulus)) -
                                      modulus / 2));
    return made;
}

/// Two layers as FINN's: 3-bit weights per row, BatchNormalization, 3-bit activations.
std::string perceptron() {
    QonnxModel model;
    model.input("x", {1, 10});
    model.quant("x", "xq", {}, {0.03125F}, 8, true, true);
    model.floats("w", {6, 10}, numbers(60, 11, 0.1F));
    model.quant("w", "wq", {6, 1}, {0.25F, 0.125F, 0.3F, 0.17F, 0.0625F, 0.2F}, 3, true, true);
    auto& turned = model.node("Transpose", {"wq"}, "wt");
    ModelBuilder::list(turned, "perm", {1, 0});
    model.node("MatMul", {"xq", "wt"}, "y");
    model.floats("gamma", {6}, {1, 0.5F, 2, 1.5F, 0.75F, 1});
    model.floats("beta", {6}, {0, 0.25F, -0.5F, 0.1F, 0, 1});
    model.floats("mean", {6}, {0.1F, 0, -0.2F, 0.3F, 0, 0});
    model.floats("variance", {6}, {1, 2, 0.5F, 1, 3, 1});
    model.node("BatchNormalization", {"y", "gamma", "beta", "mean", "variance"}, "n");
    model.node("Relu", {"n"}, "r");
    model.quant("r", "rq", {}, {0.25F}, 3, false, false);
    model.output("rq");
    return model.bytes();
}

/// A padded convolution with scales that are powers of two, as nn2FPGA's.
std::string paddedConvolution() {
    QonnxModel model;
    model.input("x", {1, 2, 5, 5});
    model.quant("x", "xq", {}, {0.0078125F}, 8, true, false);
    model.floats("w", {3, 2, 3, 3}, numbers(54, 13, 0.05F));
    model.quant("w", "wq", {}, {0.015625F}, 8, true, true);
    model.floats("b", {3}, {0.5F, -0.25F, 0.125F});
    model.quant("b", "bq", {}, {0.0001220703125F}, 16, true, false);
    auto& conv = model.node("Conv", {"xq", "wq", "bq"}, "y");
    ModelBuilder::list(conv, "kernel_shape", {3, 3});
    ModelBuilder::list(conv, "strides", {2, 2});
    ModelBuilder::list(conv, "pads", {1, 1, 1, 1});
    model.node("Relu", {"y"}, "r");
    model.quant("r", "rq", {}, {0.015625F}, 8, false, false);
    model.output("rq");
    return model.bytes();
}

class Qonnx : public testing::TestWithParam<std::string (*)()> {};

TEST_P(Qonnx, EqualsAnEvaluationWithFloat64OnRandomInputs) {
    BothWays both(GetParam()());
    ASSERT_TRUE(both.good()) << both.why();
    EXPECT_FALSE(both.hasTail());
    for (std::uint64_t seed = 0; seed < 100 && !HasFailure(); ++seed)
        both.compare(seed);
    EXPECT_GE(both.compared, 600U);
}

INSTANTIATE_TEST_SUITE_P(Small, Qonnx, testing::Values(perceptron, paddedConvolution),
                         [](const auto& network) {
                             return network.param == perceptron ? "perceptron" : "convolution";
                         });

} // namespace
} // namespace marquetry::frontend::onnx
