// What a QDQ or QONNX file means, evaluated with float64 and nothing of the importer: for
// comparison.
//
// Tensors are dense, in the file's order. Operators are those of the published networks and of the
// examples.
#pragma once

#include "tests/frontend/onnx/float_tensors.h"

#include <onnx/onnx_pb.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <string>

namespace marquetry::frontend::onnx {

class FloatEvaluation {
public:
    /// Called with each node and the tensor it gives, which may be exchanged for what follows.
    using Look = std::function<void(const ::onnx::NodeProto&, FloatTensor&)>;

    explicit FloatEvaluation(const ::onnx::ModelProto& model) : graph_(model.graph()) {
        for (const auto& initialiser : graph_.initializer()) {
            constants_[initialiser.name()] = read(initialiser);
            types_[initialiser.name()] = initialiser.data_type();
        }
    }

    /// Every tensor by name.
    std::map<std::string, FloatTensor> run(
        const std::string& input, FloatTensor value,
        const Look& look = [](const ::onnx::NodeProto&, FloatTensor&) {}) {
        values_ = constants_;
        values_[input] = std::move(value);
        for (const auto& node : graph_.node()) {
            FloatTensor result = evaluate(node);
            look(node, result);
            values_[node.output(0)] = std::move(result);
        }
        return values_;
    }

private:
    using Node = ::onnx::NodeProto;

    template <class T>
    static void append(const std::string& raw, std::vector<double>& numbers) {
        for (std::size_t at = 0; at + sizeof(T) <= raw.size(); at += sizeof(T)) {
            T value;
            std::memcpy(&value, raw.data() + at, sizeof value);
            numbers.push_back(static_cast<double>(value));
        }
    }

    static FloatTensor read(const ::onnx::TensorProto& proto) {
        FloatTensor tensor;
        tensor.dims.assign(proto.dims().begin(), proto.dims().end());
        tensor.data.assign(proto.float_data().begin(), proto.float_data().end());
        tensor.data.insert(tensor.data.end(), proto.int32_data().begin(), proto.int32_data().end());
        const std::string& raw = proto.raw_data();
        switch (proto.data_type()) {
        case ::onnx::TensorProto::INT8:
            append<std::int8_t>(raw, tensor.data);
            break;
        case ::onnx::TensorProto::INT32:
            append<std::int32_t>(raw, tensor.data);
            break;
        case ::onnx::TensorProto::INT64:
            append<std::int64_t>(raw, tensor.data);
            break;
        default:
            append<float>(raw, tensor.data);
        }
        return tensor;
    }

    const FloatTensor& in(const Node& node, int k) const { return values_.at(node.input(k)); }

    static std::vector<std::int64_t> list(const Node& node, const std::string& key,
                                          std::vector<std::int64_t> fallback = {}) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.name() == key)
                return {attribute.ints().begin(), attribute.ints().end()};
        }
        return fallback;
    }

    static std::int64_t number(const Node& node, const std::string& key,
                               std::int64_t fallback = 0) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.name() == key)
                return attribute.i();
        }
        return fallback;
    }

    FloatTensor evaluate(const Node& node) const {
        const std::string& op = node.op_type();
        if (op == "Quant")
            return quant(node);
        if (op == "QuantizeLinear" || op == "DequantizeLinear")
            return stepped(node, op == "QuantizeLinear");
        if (op == "Conv")
            return convolution(in(node, 0), in(node, 1),
                               node.input_size() > 2 ? in(node, 2) : FloatTensor{},
                               window(node, {in(node, 1).dims.begin() + 2, in(node, 1).dims.end()}),
                               number(node, "group", 1));
        if (op == "MaxPool" || op == "AveragePool")
            return pooled(in(node, 0), window(node, list(node, "kernel_shape")), op == "MaxPool");
        if (op == "MatMul")
            return matrixProduct(in(node, 0), in(node, 1));
        if (op == "Gemm")
            return elementwise(matrixProduct(in(node, 0), transposed(in(node, 1), {1, 0})),
                               in(node, 2), std::plus<>());
        if (op == "BatchNormalization")
            return normalised(node);
        return rows(node, op);
    }

    FloatTensor rows(const Node& node, const std::string& op) const {
        if (op == "Softmax")
            return byRows(in(node, 0), softmaxRow);
        if (op == "LayerNormalization") {
            const FloatTensor x = byRows(in(node, 0), [](double* row, std::int64_t length) {
                normaliseRow(row, length, static_cast<double>(1e-5F));
            });
            return elementwise(elementwise(x, in(node, 1), std::multiplies<>()), in(node, 2),
                               std::plus<>());
        }
        return layouts(node, op);
    }

    FloatTensor layouts(const Node& node, const std::string& op) const {
        if (op == "Concat") {
            std::vector<FloatTensor> parts;
            for (int k = 0; k < node.input_size(); ++k)
                parts.push_back(in(node, k));
            return joined(parts, static_cast<std::size_t>(number(node, "axis")));
        }
        if (op == "Resize")
            return repeated(in(node, 0), static_cast<std::int64_t>(in(node, 2).at(2)),
                            static_cast<std::int64_t>(in(node, 2).at(3)));
        if (op == "Transpose")
            return onnx::transposed(in(node, 0), list(node, "perm", {1, 0}));
        FloatTensor x = in(node, 0);
        if (op == "Flatten") {
            x.dims = {1, std::ssize(x.data)};
            return x;
        }
        if (op == "Reshape") {
            x.dims.clear();
            for (const double dim : in(node, 1).data)
                x.dims.push_back(static_cast<std::int64_t>(dim));
            return x;
        }
        return simple(node, op);
    }

    FloatTensor simple(const Node& node, const std::string& op) const {
        FloatTensor x = in(node, 0);
        if (op == "Relu") {
            for (double& value : x.data)
                value = std::max(value, 0.0);
            return x;
        }
        if (op == "Add")
            return elementwise(x, in(node, 1), std::plus<>());
        if (op == "Mul")
            return elementwise(x, in(node, 1), std::multiplies<>());
        throw std::logic_error("no evaluation of " + op);
    }

    /// Scales are one for all, or those of an axis.
    FloatTensor stepped(const Node& node, bool quantises) const {
        FloatTensor x = in(node, 0);
        const FloatTensor& scale = in(node, 1);
        const FloatTensor& zero = in(node, 2);
        std::int64_t behind = 1;
        for (std::int64_t k = number(node, "axis", 1) + 1; k < std::ssize(x.dims); ++k)
            behind *= x.dims[static_cast<std::size_t>(k)];
        const auto count = std::ssize(scale.data);
        const bool isSigned = types_.at(node.input(2)) == ::onnx::TensorProto::INT8;
        for (std::int64_t k = 0; k < std::ssize(x.data); ++k) {
            const std::int64_t c = count == 1 ? 0 : k / behind % count;
            if (quantises)
                x.at(k) = std::clamp(std::nearbyint(x.at(k) / scale.at(c)) + zero.at(c),
                                     isSigned ? -128.0 : 0.0, isSigned ? 127.0 : 255.0);
            else
                x.at(k) = (x.at(k) - zero.at(c)) * scale.at(c);
        }
        return x;
    }

    FloatTensor quant(const Node& node) const {
        FloatTensor x = in(node, 0);
        const FloatTensor& scale = in(node, 1);
        const double zero = in(node, 2).data[0];
        const double levels = std::exp2(in(node, 3).data[0]);
        const bool isSigned = number(node, "signed") != 0;
        const double narrow = static_cast<double>(number(node, "narrow"));
        const double least = isSigned ? -levels / 2 + narrow : 0;
        const double greatest = isSigned ? levels / 2 - 1 : levels - 1 - narrow;
        const std::size_t run = x.data.size() / scale.data.size();
        for (std::size_t k = 0; k < x.data.size(); ++k) {
            const double s = scale.data[k / run];
            const double steps = std::nearbyint(x.data[k] / s + zero);
            x.data[k] = (std::clamp(steps, least, greatest) - zero) * s;
        }
        return x;
    }

    FloatTensor normalised(const Node& node) const {
        FloatTensor x = in(node, 0);
        for (std::size_t k = 0; k < x.data.size(); ++k) {
            const double deviation = std::sqrt(in(node, 4).data[k] + static_cast<double>(1e-5F));
            x.data[k] = (x.data[k] - in(node, 3).data[k]) / deviation * in(node, 1).data[k] +
                        in(node, 2).data[k];
        }
        return x;
    }

    static FloatWindow window(const Node& node, const std::vector<std::int64_t>& kernel) {
        const auto strides = list(node, "strides", {1, 1});
        const auto pads = list(node, "pads", {0, 0, 0, 0});
        return {kernel[0], kernel[1], strides[0], strides[1], pads[0], pads[1], pads[2], pads[3]};
    }

    ::onnx::GraphProto graph_;
    std::map<std::string, FloatTensor> constants_, values_;
    std::map<std::string, int> types_;
};

} // namespace marquetry::frontend::onnx
