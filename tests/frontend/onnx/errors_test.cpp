#include "engine/frontend/onnx/imported.h"
#include "tests/frontend/onnx/model_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>

namespace marquetry::frontend::onnx {
namespace {

using testing::HasSubstr;

/// The first error of a model; an empty code when there is none.
Diagnostic firstError(const std::string& bytes, const std::string& folder = "") {
    const auto network = importOnnx(bytes, folder, "m.onnx");
    return network ? Diagnostic{} : network.error().front();
}

void expectError(const std::string& bytes, const std::string& code, const std::string& text) {
    const Diagnostic error = firstError(bytes);
    EXPECT_EQ(error.code, code) << error.message;
    EXPECT_THAT(error.message, HasSubstr(text));
}

TEST(OnnxErrors, WhatIsNoModelIsToldSo) {
    expectError("", "onnx-format", "no graph");
    expectError("design d { }", "onnx-format", "no ONNX model");
    expectError(std::string(1000, '\xff'), "onnx-format", "no ONNX model");
    const std::string whole = smallModel().bytes();
    expectError(whole.substr(0, whole.size() / 2), "onnx-format", "cut off");
}

TEST(OnnxErrors, OpsetsOutsideTheRangeAreRefused) {
    for (const std::int64_t opset : {8, 22, -1}) {
        ModelBuilder model = smallModel();
        model.model().mutable_opset_import(0)->set_version(opset);
        expectError(model.bytes(), "onnx-opset", std::to_string(opset));
    }
}

TEST(OnnxErrors, CyclesAreFound) {
    ModelBuilder model;
    model.input("x", {1, 4});
    model.node("Add", {"x", "b"}, "a");
    model.node("Relu", {"a"}, "b");
    model.output("b");
    expectError(model.bytes(), "onnx-graph", "cycle");
}

TEST(OnnxErrors, TensorsThatNothingDefinesAreNamed) {
    ModelBuilder model = smallModel();
    model.graph().mutable_node(3)->set_input(1, "lost");
    expectError(model.bytes(), "onnx-missing-tensor", "'lost'");
}

TEST(OnnxErrors, TensorsAreDefinedOnce) {
    ModelBuilder model = smallModel();
    model.node("Relu", {"y"}, "in_d");
    expectError(model.bytes(), "onnx-graph", "a value already");
}

TEST(OnnxErrors, DimensionsAreWithinBounds) {
    for (const std::int64_t dim : {-5LL, 1LL << 40}) {
        ModelBuilder model = smallModel();
        model.graph().mutable_initializer(2)->set_dims(0, dim);
        EXPECT_EQ(firstError(model.bytes()).code, "onnx-tensor") << dim;
        ModelBuilder input = smallModel();
        input.graph()
            .mutable_input(0)
            ->mutable_type()
            ->mutable_tensor_type()
            ->mutable_shape()
            ->mutable_dim(1)
            ->set_dim_value(dim);
        EXPECT_EQ(firstError(input.bytes()).code, "onnx-graph") << dim;
    }
    ModelBuilder wide;
    wide.input("x", {1, 1 << 20, 1 << 10});
    wide.node("Relu", {"x"}, "y");
    wide.output("y");
    expectError(wide.bytes(), "too-large", "'x'");
}

TEST(OnnxErrors, StringTensorsAreRefused) {
    ModelBuilder model = smallModel();
    auto& tensor = *model.graph().add_initializer();
    tensor.set_name("words");
    tensor.set_data_type(::onnx::TensorProto::STRING);
    tensor.add_dims(1);
    tensor.add_string_data("word");
    expectError(model.bytes(), "onnx-tensor", "'words' holds strings");
}

class ExternalData : public testing::Test {
protected:
    void SetUp() override {
        folder_ = temporary_.path();
        std::filesystem::create_directories(folder_ / "inside");
        std::ofstream(folder_ / "inside" / "w.bin") << "12345678";
        std::ofstream(folder_ / "outside.bin") << "12345678";
    }

    Diagnostic load(const std::string& location, const std::string& offset = "0") {
        ModelBuilder model = smallModel();
        auto& tensor = *model.graph().mutable_initializer(2); // eight weights
        tensor.clear_int32_data();
        tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
        for (const auto& [key, value] :
             {std::pair("location", location), std::pair("offset", offset)}) {
            auto& entry = *tensor.add_external_data();
            entry.set_key(key);
            entry.set_value(value);
        }
        return firstError(model.bytes(), (folder_ / "inside").string());
    }

    test::TemporaryFolder temporary_;
    std::filesystem::path folder_;
};

TEST_F(ExternalData, IsReadInTheModelsFolderOnly) {
    EXPECT_EQ(load("w.bin").code, "");
    std::filesystem::create_symlink(folder_ / "outside.bin", folder_ / "inside" / "link.bin");
    for (const std::string location :
         {"../outside.bin", "/etc/passwd", "link.bin", "lost.bin", ".", ""})
        EXPECT_EQ(load(location).code, "onnx-external-data") << location;
}

TEST_F(ExternalData, IsAsLongAsItsTensor) {
    EXPECT_EQ(load("w.bin", "1").code, "onnx-external-data");
    EXPECT_EQ(load("w.bin", "99999999999999999999").code, "onnx-external-data");
    EXPECT_EQ(load("w.bin", "-1").code, "onnx-external-data");
}

TEST(OnnxErrors, ScalesArePositiveNormalNumbers) {
    using Limits = std::numeric_limits<float>;
    for (const float scale :
         {0.0F, -0.5F, Limits::quiet_NaN(), Limits::infinity(), Limits::denorm_min()}) {
        for (const int initialiser : {0, 3, 4}) { // of the input, of the weights
            ModelBuilder model = smallModel();
            auto& tensor = *model.graph().mutable_initializer(initialiser);
            if (tensor.float_data_size() == 0)
                continue;
            tensor.set_float_data(0, scale);
            const Diagnostic error = firstError(model.bytes());
            EXPECT_EQ(error.code, "onnx-scale") << tensor.name() << scale;
            EXPECT_THAT(error.message, HasSubstr("_node'"));
        }
    }
}

TEST(OnnxErrors, ZeroPointsAreWithinTheirType) {
    ModelBuilder model = smallModel();
    model.graph().mutable_initializer(1)->set_int32_data(0, 200);
    expectError(model.bytes(), "onnx-tensor", "none of int8");
    ModelBuilder qonnx;
    qonnx.input("x", {1, 4});
    qonnx.floats("s", {}, {0.5F});
    qonnx.floats("z", {}, {200});
    qonnx.floats("bits", {}, {4});
    qonnx.node("Quant", {"x", "s", "z", "bits"}, "q", "onnx.brevitas");
    qonnx.output("q");
    expectError(qonnx.bytes(), "onnx-zero-point", "200");
}

TEST(OnnxErrors, AttributesAreFiniteNumbers) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    for (const char* const key : {"alpha", "beta"}) {
        ModelBuilder model;
        model.input("x", {1, 2});
        model.quantised("x", "in", 0.5F, 0);
        model.weights("w", {2, 2}, {1, 2, 3, 4}, 0.5F);
        model.floats("c", {2}, {1, 2});
        ModelBuilder::real(model.node("Gemm", {"in_d", "w", "c"}, "y"), key, none);
        model.output("y");
        expectError(model.bytes(), "onnx-tensor", std::string("'") + key + "'");
    }
    ModelBuilder table;
    table.input("x", {1, 2});
    table.quantised("x", "in", 0.5F, 0);
    ModelBuilder::real(table.node("LeakyRelu", {"in_d"}, "y"), "alpha", none);
    table.quantised("y", "out", 0.5F, 0);
    table.output("out_q");
    expectError(table.bytes(), "onnx-unsupported", "has no value for -128");
}

TEST(OnnxErrors, FloatNetworksAreRefusedWithAHint) {
    ModelBuilder model;
    model.input("x", {1, 2});
    model.floats("w", {2, 2}, {0.5F, 1.5F, 0.25F, 3.0F});
    model.node("MatMul", {"x", "w"}, "y");
    model.output("y");
    expectError(model.bytes(), "onnx-not-quantised", "floats");
    EXPECT_THAT(firstError(model.bytes()).hint, HasSubstr("quantise"));
}

TEST(OnnxErrors, AllOperatorsThatAreNotImportedAreNamedAtOnce) {
    ModelBuilder model = smallModel();
    model.node("Loop", {"y"}, "l");
    model.node("LSTM", {"l"}, "m");
    model.node("Odd", {"m"}, "o", "some.domain");
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    ASSERT_FALSE(network);
    std::string all = format(network.error());
    for (const char* const name : {"'l_node' (Loop)", "'m_node' (LSTM)", "(some.domain.Odd)"})
        EXPECT_THAT(all, HasSubstr(name));
}

TEST(OnnxErrors, ManyFaultsAreCounted) {
    ModelBuilder model = smallModel();
    for (int k = 0; k < 100; ++k)
        model.node("Loop", {"y"}, "l" + std::to_string(k));
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    ASSERT_FALSE(network);
    EXPECT_EQ(network.error().size(), 41U);
    EXPECT_THAT(network.error().back().message, HasSubstr("60 more"));
}

TEST(OnnxErrors, GraphsOfVeryManyNodesAreRefused) {
    ModelBuilder model;
    model.input("n0", {1, 4});
    for (int k = 0; k < 100'000; ++k)
        model.node("Relu", {"n" + std::to_string(k)}, "n" + std::to_string(k + 1));
    model.output("n100000");
    expectError(model.bytes(), "too-large", "100000 nodes");
}

TEST(OnnxErrors, SmallMessagesThatTakeMuchMemoryAreRefused) {
    // A graph of 16 million nodes without anything takes 32 MB of file and some GB of memory.
    std::string nodes;
    for (int k = 0; k < (16 << 20); ++k)
        nodes += std::string("\x0a\x00", 2);
    std::string bytes = "\x3a";
    for (std::size_t size = nodes.size(); true; size >>= 7) {
        bytes += static_cast<char>((size & 0x7f) | (size > 0x7f ? 0x80 : 0));
        if (size <= 0x7f)
            break;
    }
    expectError(bytes + nodes, "too-large", "memory");
}

TEST(OnnxErrors, BatchesAboveOneAreRefused) {
    ModelBuilder model = smallModel();
    model.graph()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_value(4);
    expectError(model.bytes(), "onnx-unsupported", "a batch of 4");
}

} // namespace
} // namespace marquetry::frontend::onnx
