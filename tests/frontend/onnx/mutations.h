// Broken files made of good ones: bytes flipped, cut, repeated; names, numbers, operators
// exchanged.
#pragma once

#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"
#include "engine/support/rng.h"
#include "tests/frontend/onnx/model_builder.h"

#include <gtest/gtest.h>

#include <limits>

namespace marquetry::frontend::onnx {

/// Residual addition, pools, a table and a matrix behind convolutions.
inline ModelBuilder mixedModel() {
    ModelBuilder model;
    model.input("x", {1, 2, 4, 4});
    model.quantised("x", "in", 0.5F, 3);
    model.weights("w", {2, 2, 1, 1}, {1, -2, 3, 4}, 0.25F);
    model.node("Conv", {"in_d", "w"}, "c");
    model.quantised("c", "mid", 0.75F, -7);
    model.node("Add", {"mid_d", "in_d"}, "s");
    model.quantised("s", "sum", 0.625F, 5);
    model.node("Sigmoid", {"sum_d"}, "g");
    model.quantised("g", "gate", 0.00390625F, -128);
    auto& pool = model.node("AveragePool", {"gate_d"}, "a");
    ModelBuilder::list(pool, "kernel_shape", {2, 2});
    ModelBuilder::list(pool, "strides", {2, 2});
    model.quantised("a", "pool", 0.00390625F, -128);
    model.node("Flatten", {"pool_d"}, "f");
    model.weights("m", {3, 8}, std::vector<int>(24, 7), 0.0625F);
    auto& gemm = model.node("Gemm", {"f", "m"}, "y");
    ModelBuilder::number(gemm, "transB", 1);
    model.quantised("y", "out", 0.03125F, 0);
    model.output("out_d");
    return model;
}

/// QONNX: weights and activations of three bits, a normalisation.
inline ModelBuilder qonnxModel() {
    ModelBuilder model(11);
    model.domain("onnx.brevitas", 1);
    const auto quant = [&](const std::string& from, const std::string& to, bool isSigned) {
        ModelBuilder::number(model.node("Quant", {from, "s", "z", "bits"}, to, "onnx.brevitas"),
                             "signed", isSigned ? 1 : 0);
    };
    model.input("x", {1, 4});
    model.floats("s", {}, {0.375F});
    model.floats("z", {}, {0});
    model.floats("bits", {}, {3});
    model.floats("w", {2, 4}, {0.1F, -0.5F, 0.75F, 1.0F, -1.2F, 0.3F, 0.0F, 0.6F});
    quant("x", "x_q", true);
    quant("w", "w_q", true);
    ModelBuilder::list(model.node("Transpose", {"w_q"}, "w_t"), "perm", {1, 0});
    model.node("MatMul", {"x_q", "w_t"}, "y");
    for (const std::string name : {"gamma", "beta", "mean", "variance"})
        model.floats(name, {2}, {0.5F, 1.25F});
    model.node("BatchNormalization", {"y", "gamma", "beta", "mean", "variance"}, "n");
    model.node("Relu", {"n"}, "r");
    quant("r", "q", false);
    model.output("q");
    return model;
}

/// Pads, both kinds of rows, layouts, shapes that are computed, signs, sums of scales of channels.
inline ModelBuilder layoutModel() {
    ModelBuilder model(17);
    model.domain("onnx.brevitas", 1);
    model.input("x", {1, 2, 3, 4});
    model.quantised("x", "in", 0.5F, 3);
    model.ints("pads", {8}, {0, 0, 1, 0, 0, 0, 0, 2}, ::onnx::TensorProto::INT64);
    model.floats("value", {}, {0});
    model.node("Pad", {"in_d", "pads", "value"}, "p");
    model.weights("w", {2, 2, 2, 2}, std::vector<int>(16, 3), 0.25F);
    model.node("Conv", {"p", "w"}, "c");
    model.quantised("c", "mid", 2, 0);
    model.floats("none", {0}, {});
    model.floats("factors", {4}, {1, 1, 2, 2});
    ModelBuilder::number(model.node("Concat", {"mid_d", "mid_d"}, "j"), "axis", 1);
    model.node("Resize", {"j", "none", "factors"}, "u");
    model.node("Shape", {"u"}, "shape");
    model.ints("last", {1}, {3}, ::onnx::TensorProto::INT64);
    model.node("Gather", {"shape", "last"}, "width");
    model.ints("open", {1}, {-1}, ::onnx::TensorProto::INT64);
    ModelBuilder::number(model.node("Concat", {"open", "width"}, "dims"), "axis", 0);
    model.node("Reshape", {"u", "dims"}, "rows");
    model.node("LayerNormalization", {"rows"}, "n");
    model.quantised("n", "norm", 0.03125F, 0);
    ModelBuilder::list(model.node("Transpose", {"norm_d"}, "t"), "perm", {1, 0});
    model.node("MatMul", {"norm_d", "t"}, "m");
    model.node("Softmax", {"m"}, "s");
    model.quantised("s", "soft", 0.00390625F, -128);
    model.floats("one", {}, {1});
    model.node("BipolarQuant", {"soft_d", "one"}, "b", "onnx.brevitas");
    model.output("b");
    return model;
}

inline const std::vector<ModelBuilder>& goodModels() {
    static const std::vector<ModelBuilder> kModels = {smallModel(), mixedModel(), qonnxModel(),
                                                      layoutModel()};
    return kModels;
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : rng_(seed) {}

    std::string broken() {
        ModelBuilder model = goodModels()[pick(4)];
        const std::size_t changes = 1 + pick(3);
        if (pick(2) == 0) {
            for (std::size_t k = 0; k < changes; ++k)
                changeMeaning(model.graph());
            return model.bytes();
        }
        std::string bytes = model.bytes();
        for (std::size_t k = 0; k < changes && !bytes.empty(); ++k)
            changeBytes(bytes);
        return bytes;
    }

private:
    std::size_t pick(std::size_t below) {
        return below == 0 ? 0 : static_cast<std::size_t>(rng_.next() % below);
    }

    std::int64_t oddNumber() {
        static const std::vector<std::int64_t> kNumbers = {
            0,         1,         -1,        2,         3,  7,   -8,       1 << 20,
            INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 64, 255, 1LL << 40};
        return kNumbers[pick(kNumbers.size())];
    }

    float oddFloat() {
        using Limits = std::numeric_limits<float>;
        static const std::vector<float> kNumbers = {0.0F,
                                                    -1.0F,
                                                    Limits::quiet_NaN(),
                                                    Limits::infinity(),
                                                    Limits::denorm_min(),
                                                    Limits::max(),
                                                    Limits::min(),
                                                    1e-20F,
                                                    0.3F,
                                                    1e20F};
        return kNumbers[pick(kNumbers.size())];
    }

    void changeBytes(std::string& bytes) {
        const std::size_t at = pick(bytes.size());
        switch (pick(4)) {
        case 0:
            bytes[at] = static_cast<char>(rng_.next());
            break;
        case 1:
            bytes.resize(at);
            break;
        case 2:
            bytes.insert(at, bytes.substr(pick(bytes.size()), pick(40)));
            break;
        default:
            bytes.erase(at, 1 + pick(20));
        }
    }

    std::string someTensor(const ::onnx::GraphProto& graph) {
        const auto& node = graph.node(static_cast<int>(pick(graph.node_size())));
        if (pick(2) == 0 && node.input_size() > 0)
            return node.input(static_cast<int>(pick(node.input_size())));
        return node.output_size() > 0 ? node.output(0) : "";
    }

    std::size_t pick(int below) { return pick(static_cast<std::size_t>(below)); }

    void changeNode(::onnx::GraphProto& graph) {
        auto& node = *graph.mutable_node(static_cast<int>(pick(graph.node_size())));
        auto operators = handlers().begin();
        switch (pick(5)) {
        case 0:
            if (node.input_size() > 0)
                node.set_input(static_cast<int>(pick(node.input_size())), someTensor(graph));
            break;
        case 1:
            std::advance(operators, static_cast<std::ptrdiff_t>(pick(handlers().size())));
            node.set_op_type(operators->first.substr(operators->first.rfind('.') + 1));
            break;
        case 2:
            node.clear_input();
            break;
        case 3:
            for (auto& attribute : *node.mutable_attribute()) {
                attribute.set_i(oddNumber());
                for (auto& value : *attribute.mutable_ints())
                    value = pick(2) == 0 ? value : oddNumber();
            }
            break;
        default:
            ModelBuilder::list(node,
                               std::vector<std::string>{"pads", "dilations", "strides", "axes",
                                                        "kernel_shape", "perm"}[pick(6)],
                               TestDims(pick(5), oddNumber()));
        }
    }

    void changeTensor(::onnx::GraphProto& graph) {
        auto& tensor = *graph.mutable_initializer(static_cast<int>(pick(graph.initializer_size())));
        switch (pick(4)) {
        case 0:
            if (tensor.float_data_size() > 0)
                tensor.set_float_data(0, oddFloat());
            break;
        case 1:
            if (tensor.int32_data_size() > 0)
                tensor.set_int32_data(0, static_cast<int>(oddNumber()));
            break;
        case 2:
            if (tensor.dims_size() > 0)
                tensor.set_dims(0, oddNumber());
            else
                tensor.add_dims(oddNumber());
            break;
        default:
            tensor.set_data_type(static_cast<int>(pick(24)));
        }
    }

    void changeMeaning(::onnx::GraphProto& graph) {
        if (graph.node_size() == 0 || graph.initializer_size() == 0)
            return;
        switch (pick(6)) {
        case 0:
        case 1:
            return changeNode(graph);
        case 2:
        case 3:
            return changeTensor(graph);
        case 4:
            graph.mutable_node()->DeleteSubrange(static_cast<int>(pick(graph.node_size())), 1);
            return;
        default: {
            auto& shape =
                *graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
            if (shape.dim_size() > 0)
                shape.mutable_dim(static_cast<int>(pick(shape.dim_size())))
                    ->set_dim_value(oddNumber());
        }
        }
    }

    SplitMix64 rng_;
};

/// Each is imported and run, or refused with errors that name the file.
inline void tryBrokenFiles(std::uint64_t firstSeed, std::uint64_t count) {
    std::size_t imported = 0;
    for (std::uint64_t seed = firstSeed; seed < firstSeed + count; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto network = importOnnx(Mutator(seed).broken(), "", "broken.onnx");
        if (!network) {
            for (const Diagnostic& error : network.error()) {
                EXPECT_FALSE(error.code.empty());
                EXPECT_EQ(error.file, "broken.onnx");
            }
            continue;
        }
        ++imported;
        std::map<std::string, ir::Tensor> inputs;
        for (const ir::ValueId id : network->program.inputs) {
            const ir::Value& value = network->program.value(id);
            inputs[value.name] = {value.type, std::vector<std::int64_t>(
                                                  static_cast<std::size_t>(value.type.elements()))};
        }
        if (network->program.macs() < 10'000'000) {
            EXPECT_TRUE(ir::interpret(network->program, inputs));
        }
    }
    // Some changes hurt nothing, and most do.
    EXPECT_GT(imported, 0U);
    EXPECT_LT(imported, count);
}

} // namespace marquetry::frontend::onnx
