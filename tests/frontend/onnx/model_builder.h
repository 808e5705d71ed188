// ONNX models made by tests, through the classes that exporters use.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

using TestDims = std::vector<std::int64_t>;

class ModelBuilder {
public:
    explicit ModelBuilder(std::int64_t opset = 13) {
        model_.set_ir_version(8);
        model_.set_producer_name("test");
        domain("", opset);
        graph().set_name("net");
    }

    ::onnx::ModelProto& model() { return model_; }
    ::onnx::GraphProto& graph() { return *model_.mutable_graph(); }
    std::string bytes() const { return model_.SerializeAsString(); }

    void domain(const std::string& name, std::int64_t version) {
        auto* set = model_.add_opset_import();
        set->set_domain(name);
        set->set_version(version);
    }

    void input(const std::string& name, const TestDims& dims,
               int type = ::onnx::TensorProto::FLOAT) {
        describe(*graph().add_input(), name, dims, type);
    }
    void output(const std::string& name, const TestDims& dims = {},
                int type = ::onnx::TensorProto::FLOAT) {
        describe(*graph().add_output(), name, dims, type);
    }

    ::onnx::TensorProto& floats(const std::string& name, const TestDims& dims,
                                const std::vector<float>& values) {
        auto& tensor = initialiser(name, dims, ::onnx::TensorProto::FLOAT);
        for (const float value : values)
            tensor.add_float_data(value);
        return tensor;
    }
    ::onnx::TensorProto& ints(const std::string& name, const TestDims& dims,
                              const std::vector<int>& values,
                              int type = ::onnx::TensorProto::INT8) {
        auto& tensor = initialiser(name, dims, type);
        for (const int value : values) {
            if (type == ::onnx::TensorProto::INT64)
                tensor.add_int64_data(value);
            else
                tensor.add_int32_data(value);
        }
        return tensor;
    }

    ::onnx::NodeProto& node(const std::string& op, const std::vector<std::string>& inputs,
                            const std::string& output, const std::string& domain = "") {
        auto& made = *graph().add_node();
        made.set_name(output + "_node");
        made.set_op_type(op);
        made.set_domain(domain);
        for (const std::string& name : inputs)
            made.add_input(name);
        made.add_output(output);
        return made;
    }

    static void list(::onnx::NodeProto& node, const std::string& key, const TestDims& values) {
        auto& attribute = named(node, key, ::onnx::AttributeProto::INTS);
        for (const std::int64_t value : values)
            attribute.add_ints(value);
    }
    static void number(::onnx::NodeProto& node, const std::string& key, std::int64_t value) {
        named(node, key, ::onnx::AttributeProto::INT).set_i(value);
    }
    static void real(::onnx::NodeProto& node, const std::string& key, float value) {
        named(node, key, ::onnx::AttributeProto::FLOAT).set_f(value);
    }

    /// QuantizeLinear to `name`_q, and DequantizeLinear of it to `name`_d.
    void quantised(const std::string& from, const std::string& name, float scale, int zero) {
        floats(name + "_scale", {}, {scale});
        ints(name + "_zero", {}, {zero});
        node("QuantizeLinear", {from, name + "_scale", name + "_zero"}, name + "_q");
        node("DequantizeLinear", {name + "_q", name + "_scale", name + "_zero"}, name + "_d");
    }
    /// Integers of one scale, dequantised to `name`.
    void weights(const std::string& name, const TestDims& dims, const std::vector<int>& values,
                 float scale, int type = ::onnx::TensorProto::INT8) {
        ints(name + "_ints", dims, values, type);
        floats(name + "_scale", {}, {scale});
        node("DequantizeLinear", {name + "_ints", name + "_scale"}, name);
    }

private:
    static ::onnx::AttributeProto& named(::onnx::NodeProto& node, const std::string& key,
                                         ::onnx::AttributeProto::AttributeType type) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(type);
        return attribute;
    }

    static void describe(::onnx::ValueInfoProto& info, const std::string& name,
                         const TestDims& dims, int type) {
        info.set_name(name);
        auto& tensor = *info.mutable_type()->mutable_tensor_type();
        tensor.set_elem_type(type);
        tensor.mutable_shape();
        for (const std::int64_t dim : dims) {
            auto& added = *tensor.mutable_shape()->add_dim();
            if (dim == -1)
                added.set_dim_param("N");
            else
                added.set_dim_value(dim);
        }
    }

    ::onnx::TensorProto& initialiser(const std::string& name, const TestDims& dims, int type) {
        auto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(type);
        for (const std::int64_t dim : dims)
            tensor.add_dims(dim);
        return tensor;
    }

    ::onnx::ModelProto model_;
};

/// A convolution of 2 × 2 on 1 × 3 × 3 between its quantisations, then a softmax.
inline ModelBuilder smallModel() {
    ModelBuilder model;
    model.input("x", {-1, 1, 3, 3});
    model.quantised("x", "in", 0.5F, 3);
    model.weights("w", {2, 1, 2, 2}, {1, -2, 3, 4, -5, 6, 7, -8}, 0.25F);
    model.weights("b", {2}, {10, -20}, 0.125F, ::onnx::TensorProto::INT32);
    auto& conv = model.node("Conv", {"in_d", "w", "b"}, "y");
    ModelBuilder::list(conv, "pads", {1, 0, 0, 1});
    model.quantised("y", "out", 0.75F, -7);
    model.node("Softmax", {"out_d"}, "p");
    model.output("p");
    return model;
}

} // namespace marquetry::frontend::onnx
