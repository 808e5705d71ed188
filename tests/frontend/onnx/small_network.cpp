#include "tests/frontend/onnx/small_network.h"

#include <onnx/onnx_pb.h>

#include <vector>

namespace marquetry::test {

namespace {

using onnx::TensorProto;

void addTensor(onnx::GraphProto& graph, const std::string& name, int type,
               const std::vector<std::int64_t>& dims, const void* bytes, std::size_t size) {
    TensorProto& tensor = *graph.add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    for (const std::int64_t dim : dims)
        tensor.add_dims(dim);
    tensor.set_raw_data(bytes, size);
}

void addQuantiser(onnx::GraphProto& graph, const std::string& name, float scale, std::int8_t zero) {
    addTensor(graph, name + "_scale", TensorProto::FLOAT, {}, &scale, sizeof scale);
    addTensor(graph, name + "_zero", TensorProto::INT8, {}, &zero, 1);
}

void addNode(onnx::GraphProto& graph, const std::string& type,
             const std::vector<std::string>& inputs, const std::string& output) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(type);
    node.set_name(output + "_node");
    for (const std::string& input : inputs)
        node.add_input(input);
    node.add_output(output);
}

void addPort(onnx::ValueInfoProto& port, const std::string& name, bool dynamic) {
    port.set_name(name);
    auto& type = *port.mutable_type()->mutable_tensor_type();
    type.set_elem_type(TensorProto::FLOAT);
    auto& batch = *type.mutable_shape()->add_dim();
    if (dynamic)
        batch.set_dim_param("batch");
    else
        batch.set_dim_value(1);
    for (const std::int64_t dim : {2, 2, 3})
        type.mutable_shape()->add_dim()->set_dim_value(dim);
}

} // namespace

std::string smallNetwork() {
    onnx::ModelProto model;
    model.set_ir_version(8);
    model.add_opset_import()->set_version(13);
    onnx::GraphProto& graph = *model.mutable_graph();
    graph.set_name("small");
    addPort(*graph.add_input(), "image.1", true);
    addPort(*graph.add_output(), "result", true);
    addQuantiser(graph, "x", kInputScale, kInputZero);
    addQuantiser(graph, "w", kWeightScale, 0);
    addQuantiser(graph, "y", kOutputScale, kOutputZero);
    addTensor(graph, "weights", TensorProto::INT8, {2, 2, 1, 1}, kWeights, sizeof kWeights);
    addNode(graph, "QuantizeLinear", {"image.1", "x_scale", "x_zero"}, "xq");
    addNode(graph, "DequantizeLinear", {"xq", "x_scale", "x_zero"}, "xr");
    addNode(graph, "DequantizeLinear", {"weights", "w_scale", "w_zero"}, "wr");
    addNode(graph, "Conv", {"xr", "wr"}, "c");
    addNode(graph, "QuantizeLinear", {"c", "y_scale", "y_zero"}, "yq");
    addNode(graph, "DequantizeLinear", {"yq", "y_scale", "y_zero"}, "result");
    return model.SerializeAsString();
}

} // namespace marquetry::test
