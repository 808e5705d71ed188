#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/pools.h"
#include "engine/frontend/onnx/quantise.h"

namespace marquetry::frontend::onnx {
namespace {

/// Quantised to the element of the first input where there is no zero point.
void giveQuantised(const NodeUse& use, const std::optional<AffineTensor>& real, std::size_t scale,
                   std::size_t zero) {
    if (!real)
        return;
    const Element element = use.isAffine(0) ? use.input(0).affine.element : Element::Uint8;
    const auto target = linearTarget(use, scale, zero, element);
    if (!target)
        return;
    if (auto result = quantised(use, *real, *target))
        use.give(std::move(*result));
}

/// Biases are integers of the scale of the products.
std::optional<PerChannel> integerBias(const NodeUse& use, std::size_t k,
                                      const AffineTensor& product) {
    const auto ints = integersAt(use, k, "biases");
    if (!ints || !use.importer().spend(0, std::ssize(*ints), 0))
        return std::nullopt;
    const PerChannel& scale = product.term().scale;
    PerChannel bias{std::ssize(*ints), 1, {}};
    for (std::size_t c = 0; c < ints->size(); ++c) {
        const Rational& factor =
            scale.isUniform() || c >= scale.values.size() ? scale.values.front() : scale.values[c];
        bias.values.push_back(Rational((*ints)[c]) * factor);
    }
    return bias;
}

void qLinearConv(const NodeUse& use) {
    const auto x = dequantised(use, 0, 1, 2);
    const auto weights = x ? knownDequantised(use, 3, 4, 5, 0) : std::nullopt;
    auto product = weights ? convolved(use, *x, *weights, std::nullopt) : std::nullopt;
    if (product && use.has(8)) {
        auto bias = integerBias(use, 8, *product);
        if (!bias)
            return;
        if (!bias->isUniform() && bias->extent != product->shape[1]) {
            use.fail("onnx-shape", "has a bias that does not fit its results");
            return;
        }
        bias->stride = bias->isUniform() ? 1 : stridesOf(product->shape)[1];
        product = affineMap(use, *product, PerChannel::all(Rational(1)), *bias);
    }
    giveQuantised(use, product, 6, 7);
}

void qLinearMatMul(const NodeUse& use) {
    const auto x = dequantised(use, 0, 1, 2);
    if (x && use.isAffine(3)) {
        const auto y = dequantised(use, 3, 4, 5);
        return giveQuantised(use, y ? activationProduct(use, *x, *y) : std::nullopt, 6, 7);
    }
    const auto weights = x ? knownDequantised(use, 3, 4, 5, 1) : std::nullopt;
    if (weights)
        giveQuantised(use, multiplied(use, *x, *weights, false), 6, 7);
}

void qGemm(const NodeUse& use) {
    const bool transposed = use.node().integer("transB", 0) != 0;
    const auto x = dequantised(use, 0, 1, 2);
    const auto weights = x ? knownDequantised(use, 3, 4, 5, transposed ? 0 : 1) : std::nullopt;
    auto product = weights ? multiplied(use, *x, *weights, transposed) : std::nullopt;
    if (!product)
        return;
    if (use.node().integer("transA", 0) != 0) {
        use.fail("onnx-unsupported", "transposes its input");
        return;
    }
    const auto alpha = use.number("alpha", 1);
    if (!alpha)
        return;
    product = affineMap(use, *product, PerChannel::all(*alpha), PerChannel::all(Rational(0)));
    if (product && use.has(6)) {
        const auto bias = integerBias(use, 6, *product);
        if (!bias)
            return;
        if (!bias->isUniform() && bias->extent != product->shape.back()) {
            use.fail("onnx-shape", "has a bias that does not fit its results");
            return;
        }
        product = affineMap(use, *product, PerChannel::all(Rational(1)), *bias);
    }
    giveQuantised(use, product, 7, 8);
}

/// The real values of operand k, an activation or a constant, for the handlers of floats.
bool giveOperand(const NodeUse& use, const OnnxNode& inner, std::size_t at, std::size_t k) {
    const int tensor = inner.inputs[at];
    if (use.isKnown(k)) {
        auto known = knownDequantised(use, k, k + 1, k + 2, 0);
        if (known)
            use.importer().value(tensor) = GraphValue::of(std::move(*known));
        return known.has_value();
    }
    auto real = dequantised(use, k, k + 1, k + 2);
    if (real)
        use.importer().value(tensor) = GraphValue::of(std::move(*real));
    return real.has_value();
}

/// A float operator between its own dequantisations and quantisation.
void wrapped(const NodeUse& use, const std::string& op, const std::vector<std::size_t>& operands,
             std::size_t scale, std::size_t zero) {
    OnnxNode inner = use.node();
    inner.op = op;
    inner.domain.clear();
    inner.inputs.clear();
    for (std::size_t k = 0; k < operands.size(); ++k)
        inner.inputs.push_back(use.importer().scratch(k));
    inner.outputs = {use.importer().scratch(operands.size())};
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (!use.has(operands[k]) || !giveOperand(use, inner, k, operands[k]))
            return;
    }
    use.importer().value(inner.outputs[0]) = {};
    handlers().at(op)(NodeUse(use.importer(), inner));
    const GraphValue result = use.importer().value(inner.outputs[0]);
    if (result.kind == GraphValue::Kind::Affine)
        giveQuantised(use, result.affine, scale, zero);
}

void qLinearAdd(const NodeUse& use) {
    wrapped(use, "Add", {0, 3}, 6, 7);
}

void qLinearMul(const NodeUse& use) {
    wrapped(use, "Mul", {0, 3}, 6, 7);
}

void qLinearLeakyRelu(const NodeUse& use) {
    wrapped(use, "LeakyRelu", {0}, 3, 4);
}

void qLinearSigmoid(const NodeUse& use) {
    wrapped(use, "Sigmoid", {0}, 3, 4);
}

bool isChannelsLast(const NodeUse& use) {
    if (use.node().integer("channels_last", 0) == 0)
        return false;
    use.fail("onnx-unsupported", "has its channels last", "export with channels_last=0");
    return true;
}

void qLinearAveragePool(const NodeUse& use) {
    const auto x = isChannelsLast(use) ? std::nullopt : dequantised(use, 0, 1, 2);
    if (x)
        giveQuantised(use, averagePooled(use, *x), 3, 4);
}

void qLinearGlobalAveragePool(const NodeUse& use) {
    const auto x = isChannelsLast(use) ? std::nullopt : dequantised(use, 0, 1, 2);
    if (x)
        giveQuantised(use, globallyAveraged(use, *x), 3, 4);
}

/// Scale and zero point of the result first, then three inputs for each piece.
void qLinearConcat(const NodeUse& use) {
    AffineTensor result;
    for (std::size_t k = 2; k + 2 < use.inputs(); k += 3) {
        auto part = dequantised(use, k, k + 1, k + 2);
        if (!part)
            return;
        result.parts.push_back(std::move(*part));
    }
    if (result.parts.empty())
        return;
    result.shape = result.parts.front().shape;
    const auto axis = axisOf(use, use.node().integer("axis", 1), result.shape.size());
    if (!axis)
        return;
    result.axis = *axis;
    result.shape[*axis] = 0;
    for (const AffineTensor& part : result.parts) {
        Dims rest = part.shape;
        if (rest.size() == result.shape.size()) {
            result.shape[*axis] += part.shape[*axis];
            rest[*axis] = result.shape[*axis];
        }
        if (rest != result.shape) {
            use.fail("onnx-shape", "joins tensors that do not fit");
            return;
        }
    }
    giveQuantised(use, result, 0, 1);
}

} // namespace

void addQOperatorNodes(HandlerTable& table) {
    table["QLinearConv"] = qLinearConv;
    table["QLinearMatMul"] = qLinearMatMul;
    const HandlerTable microsoft = {{"QLinearConv", qLinearConv},
                                    {"QLinearMatMul", qLinearMatMul},
                                    {"QGemm", qGemm},
                                    {"QLinearAdd", qLinearAdd},
                                    {"QLinearMul", qLinearMul},
                                    {"QLinearLeakyRelu", qLinearLeakyRelu},
                                    {"QLinearSigmoid", qLinearSigmoid},
                                    {"QLinearAveragePool", qLinearAveragePool},
                                    {"QLinearGlobalAveragePool", qLinearGlobalAveragePool},
                                    {"QLinearConcat", qLinearConcat}};
    for (const auto& [name, handler] : microsoft)
        table["com.microsoft." + name] = handler;
}

} // namespace marquetry::frontend::onnx
