// Files that ask for more work or memory than their size: each node within its own limits, all of
// them together beyond what is imported.
#include "tests/frontend/onnx/run_model.h"

#include <gmock/gmock.h>

namespace marquetry::frontend::onnx {
namespace {

using testing::HasSubstr;

constexpr int kManyNodes = 19'000;

std::string name(const std::string& stem, int k) {
    return stem + std::to_string(k);
}

/// The codes of all errors, each once; empty when the model is imported.
std::set<std::string> codesOf(const ModelBuilder& model) {
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    std::set<std::string> codes;
    if (!network) {
        for (const Diagnostic& error : network.error())
            codes.insert(error.code);
    }
    return codes;
}

const std::set<std::string> kTooLarge = {"too-large"};

ModelBuilder quantisedModel(const TestDims& dims) {
    ModelBuilder model;
    model.input("x", dims);
    model.quantised("x", "in", 0.5F, 3);
    return model;
}

TEST(OnnxLimits, ConstantsThatDoubleAreNotFolded) {
    ModelBuilder model = quantisedModel({1, 4});
    model.ints("c0", {1}, {1}, ::onnx::TensorProto::INT64);
    for (int k = 0; k < 60; ++k)
        ModelBuilder::number(model.node("Concat", {name("c", k), name("c", k)}, name("c", k + 1)),
                             "axis", 0);
    model.node("Reshape", {"in_d", "c60"}, "y");
    model.output("y");
    EXPECT_EQ(codesOf(model), kTooLarge);
}

TEST(OnnxLimits, ManyLargeConstantsAreNotMade) {
    ModelBuilder model = quantisedModel({1, 4});
    model.ints("shape", {1}, {1 << 22}, ::onnx::TensorProto::INT64);
    for (int k = 0; k < kManyNodes; ++k)
        model.node("ConstantOfShape", {"shape"}, name("c", k));
    model.node("Relu", {"in_d"}, "y");
    model.output("y");
    EXPECT_EQ(codesOf(model), kTooLarge);
}

TEST(OnnxLimits, WeightsAreNotTurnedOverAndOver) {
    ModelBuilder model = quantisedModel({1, 4});
    model.weights("w", {64, 64}, std::vector<int>(64 * 64, 3), 0.5F);
    for (int k = 0; k < kManyNodes; ++k)
        ModelBuilder::list(model.node("Transpose", {"w"}, name("t", k)), "perm", {1, 0});
    model.node("Relu", {"in_d"}, "y");
    model.output("y");
    EXPECT_EQ(codesOf(model), kTooLarge);
}

TEST(OnnxLimits, FunctionsOfFunctionsAreComputedOnce) {
    ModelBuilder model = quantisedModel({1, 4});
    model.node("Sigmoid", {"in_d"}, "f0");
    for (int k = 0; k < 200; ++k)
        model.node("Mul", {name("f", k), name("f", k)}, name("f", k + 1));
    model.quantised("f200", "out", 0.5F, 0);
    model.output("out_q", {}, ::onnx::TensorProto::INT8);
    EXPECT_EQ(outputOf(model, Numbers{-128, 0, 3, 127}), (Numbers{0, 0, 0, 0}));
}

TEST(OnnxLimits, DeepFunctionsDoNotEndTheProgram) {
    ModelBuilder model = quantisedModel({1, 4});
    for (int k = 0; k < kManyNodes; ++k)
        model.node("Tanh", {k == 0 ? "in_d" : name("f", k - 1)}, name("f", k));
    model.quantised(name("f", kManyNodes - 1), "out", 0.5F, 0);
    model.output("out_q", {}, ::onnx::TensorProto::INT8);
    EXPECT_EQ(codesOf(model), kTooLarge);
}

TEST(OnnxLimits, ScalesDoNotGrowWithoutEnd) {
    ModelBuilder model = quantisedModel({1, 4});
    model.floats("c", {}, {1.1F});
    for (int k = 0; k < kManyNodes; ++k)
        model.node("Mul", {k == 0 ? "in_d" : name("p", k - 1), "c"}, name("p", k));
    model.output(name("p", kManyNodes - 1));
    EXPECT_EQ(codesOf(model), std::set<std::string>{"onnx-scale"});
}

TEST(OnnxLimits, ChannelsOfManyNodesAreCounted) {
    ModelBuilder model = quantisedModel({1, 4096});
    model.floats("c", {4096}, std::vector<float>(4096, 0.5F));
    for (int k = 0; k < 4096; ++k)
        model.graph().mutable_initializer(2)->set_float_data(k, static_cast<float>(k));
    for (int k = 0; k < kManyNodes; ++k)
        model.node("Add", {k == 0 ? "in_d" : name("s", k - 1), "c"}, name("s", k));
    model.output(name("s", kManyNodes - 1));
    EXPECT_EQ(codesOf(model), kTooLarge);
}

/// The error of a sum of two tensors of this type.
std::string errorOfSum(int type) {
    ModelBuilder model;
    model.input("a", {4}, type);
    model.input("b", {4}, type);
    model.floats("s", {}, {0.3F});
    model.node("DequantizeLinear", {"a", "s"}, "a_d");
    model.floats("t", {}, {0.7F});
    model.node("DequantizeLinear", {"b", "t"}, "b_d");
    model.node("Add", {"a_d", "b_d"}, "y");
    model.quantised("y", "out", 0.9F, 0);
    model.output("out_q", {}, ::onnx::TensorProto::INT8);
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    return network ? "" : format(network.error());
}

TEST(OnnxLimits, SumsOfWideTensorsAreNotTriedPairByPair) {
    EXPECT_EQ(errorOfSum(::onnx::TensorProto::INT8), "");
    EXPECT_THAT(errorOfSum(::onnx::TensorProto::INT16), HasSubstr("more than are looked at"));
    EXPECT_THAT(errorOfSum(::onnx::TensorProto::INT32), HasSubstr("more than 16 bits"));
}

TEST(OnnxLimits, ImportsEndWhenTheyAreStopped) {
    std::stop_source source;
    source.request_stop();
    ImportOptions options;
    options.stop = source.get_token();
    const auto network = importOnnx(smallModel().bytes(), "", "m.onnx", options);
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().front().code, "cancelled");
}

} // namespace
} // namespace marquetry::frontend::onnx
