#include "engine/frontend/onnx/model_file.h"

#include "engine/frontend/onnx/proto_tensor.h"
#include "engine/frontend/onnx/topological_order.h"
#include "engine/support/quote.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <new>
#include <unordered_map>

namespace marquetry::frontend::onnx {
namespace {

/// Small messages take a hundred times their bytes in memory: what an arena may hold is limited.
constexpr std::size_t kMostArenaBytes = std::size_t{320} << 20;
thread_local std::size_t arenaBytesLeft = 0;

void* takeBlock(std::size_t size) {
    if (size > arenaBytesLeft)
        throw std::bad_alloc();
    arenaBytesLeft -= size;
    return ::operator new(size);
}

void giveBlockBack(void* block, std::size_t) {
    ::operator delete(block);
}

bool parseModel(std::string_view bytes, ::onnx::ModelProto& model) {
    namespace io = google::protobuf::io;
    io::ArrayInputStream array(bytes.data(), static_cast<int>(bytes.size()));
    io::CodedInputStream coded(&array);
    coded.SetRecursionLimit(64);
    return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

using Names = std::unordered_map<std::string, int>;

class Reader {
public:
    Reader(const ::onnx::ModelProto& proto, const std::string& folder, Faults& faults)
        : proto_(proto),
          graph_(proto.graph()),
          faults_(faults),
          tensors_{folder, faults, kMostNumbers} {}

    OnnxModel read();

private:
    void readOpsets();
    void readInitialisers();
    void readPorts();
    void readNodes();
    OnnxNode readNode(const ::onnx::NodeProto& node, int index);
    OnnxAttribute readAttribute(const ::onnx::AttributeProto& attribute, const OnnxNode& node);
    GraphPort readPort(const ::onnx::ValueInfoProto& info);
    void checkDefinitions();
    int tensor(const std::string& name);
    void define(int id, const std::string& by);

    const ::onnx::ModelProto& proto_;
    const ::onnx::GraphProto& graph_;
    Faults& faults_;
    TensorReader tensors_;
    OnnxModel model_;
    Names names_;
    std::vector<bool> defined_;
};

int Reader::tensor(const std::string& name) {
    if (name.empty())
        return -1;
    const auto [entry, isNew] = names_.try_emplace(name, static_cast<int>(model_.tensors.size()));
    if (isNew) {
        model_.tensors.push_back({name, nullptr});
        defined_.push_back(false);
    }
    return entry->second;
}

void Reader::define(int id, const std::string& by) {
    if (id < 0)
        return;
    if (defined_[static_cast<std::size_t>(id)])
        faults_.add("onnx-graph",
                    by + " defines the tensor " +
                        inQuotes(model_.tensors[static_cast<std::size_t>(id)].name) +
                        ", which has a value already",
                    "each tensor of a graph is defined once");
    defined_[static_cast<std::size_t>(id)] = true;
}

void Reader::readOpsets() {
    for (const auto& set : proto_.opset_import())
        model_.opsets[set.domain() == "ai.onnx" ? "" : set.domain()] = set.version();
    const std::int64_t opset = model_.opset();
    if (opset >= kLeastOpset && opset <= kMostOpset)
        return;
    faults_.add("onnx-opset",
                "the file uses the operators of opset " + std::to_string(opset) +
                    ", and those of " + std::to_string(kLeastOpset) + " to " +
                    std::to_string(kMostOpset) + " are imported",
                "export it with opset_version=13, or convert it with onnx.version_converter");
}

void Reader::readInitialisers() {
    if (graph_.sparse_initializer_size() > 0)
        faults_.add("onnx-tensor", "the graph has sparse tensors", "save them as dense ones");
    for (const auto& initialiser : graph_.initializer()) {
        const int id = tensor(initialiser.name());
        if (id < 0) {
            faults_.add("onnx-graph", "an initialiser has no name");
            continue;
        }
        define(id, "an initialiser");
        ConstantPointer constant = tensors_.read(initialiser, initialiser.name());
        model_.tensors[static_cast<std::size_t>(id)].constant = std::move(constant);
    }
}

GraphPort Reader::readPort(const ::onnx::ValueInfoProto& info) {
    GraphPort port;
    port.tensor = tensor(info.name());
    const auto& type = info.type().tensor_type();
    port.element = elementOf(type.elem_type());
    port.hasShape = info.type().has_tensor_type() && type.has_shape();
    for (const auto& dim : type.shape().dim())
        port.dims.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
    const bool bad =
        std::any_of(type.shape().dim().begin(), type.shape().dim().end(), [](const auto& dim) {
            return dim.has_dim_value() && (dim.dim_value() < 1 || dim.dim_value() > (1LL << 31));
        });
    if (bad || port.dims.size() > 8)
        faults_.add("onnx-graph",
                    "the shape of " + inQuotes(info.name()) +
                        " has dimensions below 1 or above 2^31, or more than 8 of them",
                    "give the network an input of a fixed size");
    return port;
}

void Reader::readPorts() {
    for (const auto& info : graph_.input()) {
        const GraphPort port = readPort(info);
        const auto id = static_cast<std::size_t>(port.tensor);
        const bool hasValue = port.tensor >= 0 && defined_[id];
        if (port.tensor < 0)
            faults_.add("onnx-graph", "an input has no name");
        // Files before version 4 of the format list initialisers among the inputs.
        if (port.tensor < 0 || hasValue)
            continue;
        define(port.tensor, "an input");
        model_.inputs.push_back(port);
    }
}

OnnxAttribute Reader::readAttribute(const ::onnx::AttributeProto& proto, const OnnxNode& node) {
    using Proto = ::onnx::AttributeProto;
    using Kind = OnnxAttribute::Kind;
    OnnxAttribute attribute;
    switch (proto.type()) {
    case Proto::INT:
        attribute.kind = Kind::Int;
        attribute.number = proto.i();
        break;
    case Proto::FLOAT:
        attribute.kind = Kind::Real;
        attribute.real = static_cast<double>(proto.f());
        break;
    case Proto::STRING:
        attribute.kind = Kind::Text;
        attribute.text = proto.s();
        break;
    case Proto::INTS:
        attribute.kind = Kind::Ints;
        attribute.ints.assign(proto.ints().begin(), proto.ints().end());
        break;
    case Proto::FLOATS:
        attribute.kind = Kind::Reals;
        attribute.reals.assign(proto.floats().begin(), proto.floats().end());
        break;
    case Proto::TENSOR:
        attribute.kind = Kind::Tensor;
        attribute.tensor = tensors_.read(proto.t(), node.name + "." + proto.name());
        break;
    default:
        break;
    }
    return attribute;
}

OnnxNode Reader::readNode(const ::onnx::NodeProto& proto, int index) {
    OnnxNode node;
    node.name = proto.name().empty() ? "node " + std::to_string(index + 1) : proto.name();
    node.op = proto.op_type();
    node.domain = proto.domain() == "ai.onnx" ? "" : proto.domain();
    for (const auto& name : proto.input())
        node.inputs.push_back(tensor(name));
    for (const auto& name : proto.output())
        node.outputs.push_back(tensor(name));
    for (const int id : node.outputs)
        define(id, "the node " + inQuotes(node.name));
    for (const auto& attribute : proto.attribute())
        node.attributes[attribute.name()] = readAttribute(attribute, node);
    return node;
}

void Reader::readNodes() {
    if (graph_.node_size() > kMostNodes) {
        faults_.add("too-large", "the graph has " + std::to_string(graph_.node_size()) +
                                     " nodes; the limit is " + std::to_string(kMostNodes));
        return;
    }
    if (graph_.node_size() == 0)
        faults_.add("onnx-format", "the file holds no graph of ONNX",
                    "give the .onnx file that an exporter wrote");
    model_.nodes.reserve(static_cast<std::size_t>(graph_.node_size()));
    for (const auto& node : graph_.node())
        model_.nodes.push_back(readNode(node, static_cast<int>(model_.nodes.size())));
}

void Reader::checkDefinitions() {
    const auto check = [&](int id, const std::string& user) {
        if (id < 0 || defined_[static_cast<std::size_t>(id)])
            return;
        defined_[static_cast<std::size_t>(id)] = true; // said once
        faults_.add("onnx-missing-tensor",
                    user + " reads the tensor " +
                        inQuotes(model_.tensors[static_cast<std::size_t>(id)].name) +
                        ", which nothing in the file defines",
                    "an initialiser or a node is missing; export the file again");
    };
    for (const OnnxNode& node : model_.nodes) {
        for (const int id : node.inputs)
            check(id, "the node " + inQuotes(node.name));
    }
    for (const GraphPort& port : model_.outputs)
        check(port.tensor, "an output of the graph");
}

OnnxModel Reader::read() {
    model_.name = graph_.name();
    model_.producer = proto_.producer_name();
    readInitialisers();
    readPorts();
    readNodes();
    for (const auto& info : graph_.output())
        model_.outputs.push_back(readPort(info));
    // Of what is no model the opset need not be spoken of.
    if (graph_.node_size() > 0)
        readOpsets();
    checkDefinitions();
    sortNodes(model_, faults_);
    return std::move(model_);
}

} // namespace

OnnxModel readModel(std::string_view bytes, const std::string& folder, Faults& faults) {
    if (bytes.size() > kMostModelBytes) {
        faults.add("too-large", "the file has " + std::to_string(bytes.size()) +
                                    " bytes; the limit is " + std::to_string(kMostModelBytes));
        return {};
    }
    google::protobuf::ArenaOptions options;
    options.block_alloc = takeBlock;
    options.block_dealloc = giveBlockBack;
    options.max_block_size = std::size_t{1} << 20;
    arenaBytesLeft = kMostArenaBytes;
    google::protobuf::Arena arena(options);
    try {
        auto* const proto = google::protobuf::Arena::CreateMessage<::onnx::ModelProto>(&arena);
        if (parseModel(bytes, *proto))
            return Reader(*proto, folder, faults).read();
    } catch (const std::bad_alloc&) {
        faults.add("too-large", "the file's parts take too much memory",
                   "import a smaller network");
        return {};
    }
    faults.add("onnx-format", "the file is no ONNX model, or it is cut off",
               "give the .onnx file that an exporter wrote, whole");
    return {};
}

} // namespace marquetry::frontend::onnx
