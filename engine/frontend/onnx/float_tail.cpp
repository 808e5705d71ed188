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

/// Of every tensor whether all that stands behind it, step by step, is of this kind.
template <class IsKind>
std::vector<bool> endsIn(const OnnxModel& model, const IsKind& isKind) {
    std::vector<bool> ends(model.tensors.size() + 3, true);
    for (auto node = model.nodes.rbegin(); node != model.nodes.rend(); ++node) {
        bool all = isKind(*node);
        for (const int id : node->outputs)
            all = all && (id < 0 || ends[static_cast<std::size_t>(id)]);
        for (const int id : node->inputs) {
            if (id >= 0 && !all)
                ends[static_cast<std::size_t>(id)] = false;
        }
    }
    return ends;
}

bool endsBehind(const OnnxNode& node, const std::vector<bool>& ends) {
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](int id) { return id < 0 || ends[static_cast<std::size_t>(id)]; });
}

} // namespace

FloatTail::FloatTail(const OnnxModel& model)
    : endsInFloats_(endsIn(model,
                           [](const OnnxNode& node) {
                               return isOneOf(node, classifiers()) || isOneOf(node, functions()) ||
                                      isOneOf(node, views());
                           })),
      isLast_(endsIn(model, goesOn)) {}

bool FloatTail::begins(const OnnxNode& node) const {
    if (isOneOf(node, classifiers()))
        return endsBehind(node, isLast_);
    return isOneOf(node, functions()) && endsBehind(node, endsInFloats_);
}

bool FloatTail::goesOn(const OnnxNode& node) {
    static const std::set<std::string> kQuantisers = {"QuantizeLinear", "DequantizeLinear",
                                                      "qonnx.Quant", "com.microsoft.QuantizeLinear",
                                                      "com.microsoft.DequantizeLinear"};
    return isOneOf(node, classifiers()) || isOneOf(node, functions()) || isOneOf(node, views()) ||
           isOneOf(node, kQuantisers);
}

} // namespace marquetry::frontend::onnx
