#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"

namespace marquetry::frontend::onnx {
namespace {

std::optional<PerChannel> biasAt(const NodeUse& use, std::size_t k, std::int64_t outputs) {
    const KnownTensor* known = use.known(k, "a bias");
    if (!known || !allFinite(use, *known, "biases"))
        return std::nullopt;
    if (known->size() == 1)
        return PerChannel::all(known->at(0));
    if (static_cast<std::int64_t>(known->size()) != outputs)
        return use.fail("onnx-shape", "has a bias that does not fit its results");
    if (!use.importer().spend(0, outputs, 0))
        return std::nullopt;
    PerChannel bias{outputs, 1, {}};
    for (std::size_t at = 0; at < known->size(); ++at)
        bias.values.push_back(known->at(at));
    return bias;
}

void conv(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto weights = x ? integerWeights(use, 1) : std::nullopt;
    if (!weights)
        return;
    std::optional<PerChannel> bias;
    if (use.has(2)) {
        bias = weights->dims.empty() ? std::nullopt : biasAt(use, 2, weights->dims[0]);
        if (!bias)
            return;
    }
    if (auto result = convolved(use, *x, *weights, bias))
        use.give(std::move(*result));
}

PerChannel times(PerChannel numbers, const Rational& factor) {
    for (Rational& value : numbers.values)
        value = value * factor;
    return numbers;
}

void gemm(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "a first matrix");
    const auto weights = x ? integerWeights(use, 1) : std::nullopt;
    if (!weights)
        return;
    const bool rowVector = x->shape.size() == 2 && (x->shape[0] == 1 || x->shape[1] == 1);
    if (use.node().integer("transA", 0) != 0 && !rowVector) {
        use.fail("onnx-unsupported", "transposes its input", "transpose the weights instead");
        return;
    }
    AffineTensor rows = *x;
    if (use.node().integer("transA", 0) != 0)
        std::swap(rows.shape[0], rows.shape[1]);
    const auto product = multiplied(use, rows, *weights, use.node().integer("transB", 0) != 0);
    if (!product)
        return;
    const auto alpha = use.number("alpha", 1);
    const auto beta = alpha ? use.number("beta", 1) : std::nullopt;
    if (!beta)
        return;
    PerChannel bias = PerChannel::all(Rational(0));
    if (use.has(2)) {
        const KnownTensor* known = use.known(2, "a bias");
        const auto numbers = known ? broadcastNumbers(use, *known, product->shape) : std::nullopt;
        if (!numbers)
            return;
        bias = times(*numbers, *beta);
    }
    if (auto result = affineMap(use, *product, PerChannel::all(*alpha), bias))
        use.give(std::move(*result));
}

void matMul(const NodeUse& use) {
    if (use.isAffine(0) && use.isAffine(1)) {
        auto product = activationProduct(use, use.input(0).affine, use.input(1).affine);
        if (product)
            use.give(std::move(*product));
        return;
    }
    const AffineTensor* x = use.affine(0, "a first matrix");
    const auto weights = x ? integerWeights(use, 1) : std::nullopt;
    if (!weights)
        return;
    if (auto result = multiplied(use, *x, *weights, false))
        use.give(std::move(*result));
}

/// Integers minus their zero point, which is input k.
std::optional<AffineTensor> centred(const NodeUse& use, std::size_t input, std::size_t zero) {
    const AffineTensor* x = use.affine(input, "an input");
    const auto point = x ? zeroAt(use, zero, x->element) : std::nullopt;
    if (!point)
        return std::nullopt;
    return affineMap(use, *x, PerChannel::all(Rational(1)), PerChannel::all(Rational(-*point)));
}

std::optional<KnownTensor> centredWeights(const NodeUse& use, std::size_t input, std::size_t zero,
                                          std::int64_t axis) {
    auto weights = integerWeights(use, input);
    const auto zeros = weights ? zerosAt(use, zero, weights->dims, axis) : std::nullopt;
    if (!zeros)
        return std::nullopt;
    for (const Rational& value : zeros->values) {
        if (!quant::fitsInt32(value.numerator()))
            return use.fail("onnx-zero-point", "has the zero point " + value.text());
    }
    auto ints = std::make_shared<std::vector<std::int64_t>>(*weights->ints);
    for (std::size_t k = 0; k < ints->size(); ++k)
        (*ints)[k] -= quant::toInt64(zeros->at(static_cast<std::int64_t>(k)).numerator());
    if (*zeros != PerChannel::all(Rational(0)) ||
        (weights->raw && weights->raw->element == Element::Uint8)) {
        weights->least = std::min<std::int64_t>(weights->least, -255);
        weights->greatest = std::max<std::int64_t>(weights->greatest, 255);
    }
    weights->ints = std::move(ints);
    return weights;
}

void convInteger(const NodeUse& use) {
    const auto x = centred(use, 0, 2);
    const auto weights = x ? centredWeights(use, 1, 3, 0) : std::nullopt;
    if (!weights)
        return;
    if (auto result = convolved(use, *x, *weights, std::nullopt)) {
        result->element = Element::Int32;
        use.give(std::move(*result));
    }
}

std::optional<AffineTensor> integerMatrix(const NodeUse& use) {
    const auto x = centred(use, 0, 2);
    if (x && use.isAffine(1)) {
        const auto y = centred(use, 1, 3);
        return y ? activationProduct(use, *x, *y) : std::nullopt;
    }
    const auto weights = x ? centredWeights(use, 1, 3, 1) : std::nullopt;
    return weights ? multiplied(use, *x, *weights, false) : std::nullopt;
}

void matMulInteger(const NodeUse& use) {
    if (auto result = integerMatrix(use)) {
        result->element = Element::Int32;
        use.give(std::move(*result));
    }
}

} // namespace

void addLinearNodes(HandlerTable& table) {
    table["Conv"] = conv;
    table["Gemm"] = gemm;
    table["MatMul"] = matMul;
    table["ConvInteger"] = convInteger;
    table["MatMulInteger"] = matMulInteger;
}

} // namespace marquetry::frontend::onnx
