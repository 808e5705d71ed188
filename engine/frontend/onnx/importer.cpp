#include "engine/frontend/onnx/importer.h"

#include "engine/support/quote.h"

#include <cmath>

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

bool Importer::spend(std::int64_t numbers, std::int64_t scales, std::int64_t factors) {
    numbers_ += numbers;
    scales_ += scales;
    factors_ += factors;
    const bool good =
        numbers_ <= kMostComputed && scales_ <= kMostScales && factors_ <= kMostFactors;
    if (!good && !exhausted_)
        faults_.add("too-large",
                    "the network computes more than is imported: 2^25 numbers of constants, 2^21 "
                    "scales and offsets, 2^17 requantisation factors",
                    "import a smaller network, its constants folded");
    exhausted_ = !good;
    return good;
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

namespace {

/// Numbers that nobody else holds.
std::int64_t ownNumbers(const KnownTensor& known) {
    const bool own = (known.ints && known.ints.use_count() == 1) ||
                     (!known.ints && known.raw && known.raw.use_count() == 1);
    return own ? static_cast<std::int64_t>(known.size()) : 0;
}

std::int64_t scalesOf(const AffineTensor& tensor) {
    std::int64_t count = std::ssize(tensor.offset.values);
    for (const AffineTerm& term : tensor.terms)
        count += std::ssize(term.scale.values) + std::ssize(term.bounds.ranges);
    for (const AffineTensor& part : tensor.parts)
        count += scalesOf(part);
    return count;
}

/// Constants of thousands of nodes multiplied make numbers that nothing can be computed with.
bool isShort(const PerChannel& numbers) {
    const auto isShortInteger = [](const quant::Integer& n) {
        return n == 0 || msb(quant::Integer(abs(n))) < 4096;
    };
    return std::all_of(numbers.values.begin(), numbers.values.end(), [&](const Rational& v) {
        return isShortInteger(v.numerator()) && isShortInteger(v.denominator());
    });
}

bool areShort(const AffineTensor& tensor) {
    return isShort(tensor.offset) &&
           std::all_of(tensor.terms.begin(), tensor.terms.end(),
                       [](const AffineTerm& term) { return isShort(term.scale); }) &&
           std::all_of(tensor.parts.begin(), tensor.parts.end(), areShort);
}

} // namespace

void NodeUse::give(GraphValue value, std::size_t output) const {
    if (output >= node_.outputs.size() || node_.outputs[output] < 0)
        return;
    const bool affine = value.kind == GraphValue::Kind::Affine;
    if (affine && !areShort(value.affine)) {
        fail("onnx-scale", "has scales of more than 4096 bits",
             "fold the constants before the export");
        return;
    }
    if (importer_.spend(affine ? 0 : ownNumbers(value.known), affine ? scalesOf(value.affine) : 0,
                        0))
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

std::optional<Rational> NodeUse::number(const std::string& key, double fallback) const {
    const double value = node_.real(key, fallback);
    if (std::isfinite(value))
        return exactly(value);
    return fail("onnx-tensor", "has an attribute " + inQuotes(key) + " that is no finite number",
                "the file is damaged; export it again");
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
