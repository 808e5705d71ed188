#include "engine/frontend/onnx/float_tail.h"

#include "engine/frontend/onnx/handlers.h"

#include <set>

namespace marquetry::frontend::onnx {
namespace {

bool isOneOf(const OnnxNode& node, const std::set<std::string>& keys) {
    return keys.contains(handlerKey(node));
}

const std::set<std::string>& classifiers() {
    static const std::set<std::string> kKeys = {"Softmax",
                                                "LogSoftmax",
                                                "Hardmax",
                                                "ArgMax",
                                                "ArgMin",
                                                "TopK",
                                                "com.microsoft.QLinearSoftmax"};
    return kKeys;
}

const std::set<std::string>& functions() {
    static const std::set<std::string> kKeys = {"Sigmoid", "Tanh",     "Exp",      "Erf",
                                                "Elu",     "Selu",     "Softplus", "HardSigmoid",
                                                "Swish",   "Softsign", "Log",      "Sqrt"};
    return kKeys;
}

const std::set<std::string>& views() {
    static const std::set<std::string> kKeys = {"Identity",  "Reshape", "Flatten",   "Squeeze",
                                                "Unsqueeze", "Cast",    "Transpose", "Dropout"};
    return kKeys;
}

} // namespace

FloatTail::FloatTail(const OnnxModel& model) : endsInFloats_(model.tensors.size() + 3, true) {
    for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
        bool ends =
            isOneOf(*node, classifiers()) || isOneOf(*node, functions()) || isOneOf(*node, views());
        for (const int id : node->outputs)
            ends = ends && (id < 0 || endsInFloats_[static_cast<std::size_t>(id)]);
        for (const int id : node->inputs) {
            if (id >= 0 && !ends)
                endsInFloats_[static_cast<std::size_t>(id)] = false;
        }
    }
}

bool FloatTail::begins(const OnnxNode& node) const {
    if (isOneOf(node, classifiers()))
        return true;
    if (!isOneOf(node, functions()))
        return false;
    bool ends = true;
    for (const int id : node.outputs)
        ends = ends && (id < 0 || endsInFloats_[static_cast<std::size_t>(id)]);
    return ends;
}

bool FloatTail::goesOn(const OnnxNode& node) {
    static const std::set<std::string> kQuantisers = {"QuantizeLinear", "DequantizeLinear",
                                                      "qonnx.Quant", "com.microsoft.QuantizeLinear",
                                                      "com.microsoft.DequantizeLinear"};
    return isOneOf(node, classifiers()) || isOneOf(node, functions()) || isOneOf(node, views()) ||
           isOneOf(node, kQuantisers);
}

} // namespace marquetry::frontend::onnx
