// What a QONNX file means, evaluated with float64 and nothing of the importer: for comparison.
//
// Tensors are dense, in the file's order. Operators are those of the published networks.
#pragma once

#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

struct FloatTensor {
    std::vector<std::int64_t> dims;
    std::vector<double> data;
};

class FloatEvaluation {
public:
    explicit FloatEvaluation(const ::onnx::ModelProto& model) : graph_(model.graph()) {
        for (const auto& initialiser : graph_.initializer())
            constants_[initialiser.name()] = read(initialiser);
    }

    /// Every tensor by name.
    std::map<std::string, FloatTensor> run(const std::string& input, FloatTensor value) {
        values_ = constants_;
        values_[input] = std::move(value);
        for (const auto& node : graph_.node())
            values_[node.output(0)] = evaluate(node);
        return values_;
    }

private:
    template <class T>
    static auto& at(T& tensor, std::int64_t k) {
        return tensor.data[static_cast<std::size_t>(k)];
    }

    static FloatTensor read(const ::onnx::TensorProto& proto) {
        FloatTensor tensor;
        tensor.dims.assign(proto.dims().begin(), proto.dims().end());
        for (const float value : proto.float_data())
            tensor.data.push_back(static_cast<double>(value));
        const std::string& raw = proto.raw_data();
        for (std::size_t at = 0; at + 4 <= raw.size(); at += 4) {
            float value = 0;
            std::memcpy(&value, raw.data() + at, 4);
            tensor.data.push_back(static_cast<double>(value));
        }
        return tensor;
    }

    const FloatTensor& in(const ::onnx::NodeProto& node, int k) const {
        return values_.at(node.input(k));
    }

    static std::vector<std::int64_t> list(const ::onnx::NodeProto& node, const std::string& key) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.name() == key)
                return {attribute.ints().begin(), attribute.ints().end()};
        }
        return {};
    }

    static std::int64_t number(const ::onnx::NodeProto& node, const std::string& key) {
        for (const auto& attribute : node.attribute()) {
            if (attribute.name() == key)
                return attribute.i();
        }
        return 0;
    }

    FloatTensor evaluate(const ::onnx::NodeProto& node) const {
        const std::string& op = node.op_type();
        if (op == "Quant")
            return quant(node);
        if (op == "Conv")
            return conv(node);
        if (op == "MatMul")
            return matMul(node);
        if (op == "MaxPool")
            return maxPool(node);
        if (op == "BatchNormalization")
            return normalised(node);
        return simple(node, op);
    }

    FloatTensor simple(const ::onnx::NodeProto& node, const std::string& op) const {
        FloatTensor x = in(node, 0);
        if (op == "Relu") {
            for (double& value : x.data)
                value = std::max(value, 0.0);
        } else if (op == "Add") {
            for (std::size_t k = 0; k < x.data.size(); ++k)
                x.data[k] += in(node, 1).data[k];
        } else if (op == "Flatten") {
            x.dims = {1, static_cast<std::int64_t>(x.data.size())};
        } else if (op == "Transpose") {
            const FloatTensor from = x;
            for (std::int64_t r = 0; r < from.dims[0]; ++r) {
                for (std::int64_t c = 0; c < from.dims[1]; ++c)
                    at(x, c * from.dims[0] + r) = at(from, r * from.dims[1] + c);
            }
            std::swap(x.dims[0], x.dims[1]);
        } else {
            throw std::logic_error("no evaluation of " + op);
        }
        return x;
    }

    FloatTensor quant(const ::onnx::NodeProto& node) const {
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

    FloatTensor normalised(const ::onnx::NodeProto& node) const {
        FloatTensor x = in(node, 0);
        for (std::size_t k = 0; k < x.data.size(); ++k) {
            const double deviation = std::sqrt(in(node, 4).data[k] + static_cast<double>(1e-5F));
            x.data[k] = (x.data[k] - in(node, 3).data[k]) / deviation * in(node, 1).data[k] +
                        in(node, 2).data[k];
        }
        return x;
    }

    FloatTensor matMul(const ::onnx::NodeProto& node) const {
        const FloatTensor& x = in(node, 0);
        const FloatTensor& w = in(node, 1);
        FloatTensor y{{1, w.dims[1]}, std::vector<double>(static_cast<std::size_t>(w.dims[1]))};
        for (std::int64_t k = 0; k < w.dims[0]; ++k) {
            for (std::int64_t n = 0; n < w.dims[1]; ++n)
                at(y, n) += at(x, k) * at(w, k * w.dims[1] + n);
        }
        return y;
    }

    struct Window {
        std::int64_t kernel, stride, pad, height, width;
    };

    static Window window(const ::onnx::NodeProto& node, const FloatTensor& x) {
        Window w{list(node, "kernel_shape")[0], list(node, "strides")[0], list(node, "pads")[0], 0,
                 0};
        w.height = (x.dims[2] + 2 * w.pad - w.kernel) / w.stride + 1;
        w.width = (x.dims[3] + 2 * w.pad - w.kernel) / w.stride + 1;
        return w;
    }

    /// Calls f(place in x, kernel place) for what a window holds inside of channel c.
    template <class F>
    static void inside(const FloatTensor& x, const Window& w, std::int64_t c, std::int64_t row,
                       std::int64_t column, const F& f) {
        for (std::int64_t dy = 0; dy < w.kernel; ++dy) {
            for (std::int64_t dx = 0; dx < w.kernel; ++dx) {
                const std::int64_t sy = row * w.stride + dy - w.pad;
                const std::int64_t sx = column * w.stride + dx - w.pad;
                if (sy >= 0 && sy < x.dims[2] && sx >= 0 && sx < x.dims[3])
                    f((c * x.dims[2] + sy) * x.dims[3] + sx, dy * w.kernel + dx);
            }
        }
    }

    FloatTensor conv(const ::onnx::NodeProto& node) const {
        const FloatTensor& x = in(node, 0);
        const FloatTensor& w = in(node, 1);
        const Window plan = window(node, x);
        FloatTensor y{{1, w.dims[0], plan.height, plan.width}, {}};
        for (std::int64_t o = 0; o < w.dims[0]; ++o) {
            for (std::int64_t row = 0; row < plan.height; ++row) {
                for (std::int64_t column = 0; column < plan.width; ++column) {
                    double sum = at(in(node, 2), o);
                    for (std::int64_t c = 0; c < x.dims[1]; ++c) {
                        const std::int64_t first = (o * x.dims[1] + c) * plan.kernel * plan.kernel;
                        inside(x, plan, c, row, column, [&](std::int64_t from, std::int64_t k) {
                            sum += at(x, from) * at(w, first + k);
                        });
                    }
                    y.data.push_back(sum);
                }
            }
        }
        return y;
    }

    FloatTensor maxPool(const ::onnx::NodeProto& node) const {
        const FloatTensor& x = in(node, 0);
        const Window plan = window(node, x);
        FloatTensor y{{1, x.dims[1], plan.height, plan.width}, {}};
        for (std::int64_t c = 0; c < x.dims[1]; ++c) {
            for (std::int64_t row = 0; row < plan.height; ++row) {
                for (std::int64_t column = 0; column < plan.width; ++column) {
                    double greatest = -1e300;
                    inside(x, plan, c, row, column, [&](std::int64_t from, std::int64_t) {
                        greatest = std::max(greatest, at(x, from));
                    });
                    y.data.push_back(greatest);
                }
            }
        }
        return y;
    }

    ::onnx::GraphProto graph_;
    std::map<std::string, FloatTensor> constants_, values_;
};

} // namespace marquetry::frontend::onnx
