#include "engine/frontend/onnx/importer.h"

#include "engine/support/quote.h"

namespace marquetry::frontend::onnx {

Importer::Importer(OnnxModel model, const ImportOptions& options, Faults& faults)
    : model_(std::move(model)),
      options_(options),
      faults_(faults),
      builder_(model_.name.empty() ? "network" : model_.name) {
    model_.tensors.resize(model_.tensors.size() + 3); // for scratch()
    values_.resize(model_.tensors.size());
    for (std::size_t k = 0; k < values_.size(); ++k) {
        if (model_.tensors[k].constant)
            values_[k] = GraphValue::of(knownTensor(model_.tensors[k].constant));
    }
}

bool NodeUse::isKnown(std::size_t k) const {
    return has(k) && input(k).kind == GraphValue::Kind::Known;
}

bool NodeUse::isAffine(std::size_t k) const {
    return has(k) && input(k).kind == GraphValue::Kind::Affine;
}

const KnownTensor* NodeUse::known(std::size_t k, const std::string& what) const {
    if (isKnown(k))
        return &input(k).known;
    fail("onnx-unsupported", "needs " + what + " that are known beforehand",
         "only networks whose parameters are constants are imported");
    return nullptr;
}

const AffineTensor* NodeUse::affine(std::size_t k, const std::string& what) const {
    if (isAffine(k))
        return &input(k).affine;
    fail("onnx-unsupported", "needs " + what + " that the network computes",
         "fold constants before the export (onnxsim, or constant folding of the exporter)");
    return nullptr;
}

void NodeUse::give(GraphValue value, std::size_t output) const {
    if (output < node_.outputs.size() && node_.outputs[output] >= 0)
        importer_.value(node_.outputs[output]) = std::move(value);
}

void NodeUse::give(KnownTensor known, std::size_t output) const {
    give(GraphValue::of(std::move(known)), output);
}

void NodeUse::give(AffineTensor affine, std::size_t output) const {
    give(GraphValue::of(std::move(affine)), output);
}

std::string NodeUse::tensorName(std::size_t output) const {
    if (output < node_.outputs.size() && node_.outputs[output] >= 0)
        return importer_.tensorName(node_.outputs[output]);
    return node_.name;
}

std::nullopt_t NodeUse::fail(const std::string& code, const std::string& message,
                             const std::string& hint) const {
    importer_.faults().add(
        code, "the node " + inQuotes(node_.name) + " (" + printable(node_.op) + ") " + message,
        hint);
    return std::nullopt;
}

std::optional<ir::ValueId> NodeUse::emit(const std::string& name, ir::OpKind kind,
                                         std::vector<ir::ValueId> operands,
                                         const ir::OpParams& params) const {
    auto value = builder().op(name, kind, std::move(operands), params);
    if (value)
        return *value;
    const Diagnostic& why = value.error().front();
    return fail(why.code, "cannot be an operator of a program: " + why.message, why.hint);
}

std::optional<ir::ValueId> NodeUse::emitWeight(const std::string& name, ir::Type type,
                                               std::vector<std::int64_t> values) const {
    if (!importer_.takesWeights(std::ssize(values)))
        return fail("too-large", "brings the weights of the program above 2^26",
                    "import a smaller network");
    auto value = builder().weight(name, std::move(type), std::move(values));
    if (value)
        return *value;
    const Diagnostic& why = value.error().front();
    return fail(why.code, "cannot be an operator of a program: " + why.message, why.hint);
}

} // namespace marquetry::frontend::onnx
