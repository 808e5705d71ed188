// Operators that look at whole rows: softmax and layer normalisation. The language's are integer
// algorithms that approximate the real ones; how far they may be from them is said
// (docs/networks.md, "Rows", has the derivation).
#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/quantise.h"
#include "engine/frontend/onnx/rows.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <cmath>
#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

std::string threeDigits(double number) {
    TextOut out;
    out.precision(3);
    out << number;
    return out.str();
}

void warnOfApproximation(const NodeUse& use, const std::string& how) {
    use.importer().warnOfApproximation("the node " + inQuotes(use.node().name) + " (" +
                                       use.node().op + ") " + how);
}

/// The dimensions of a shape that make up a row, behind all others.
struct RowOrder {
    std::vector<std::size_t> order;
    std::int64_t length = 1;
};

std::optional<ir::ValueId> arrangedRows(const NodeUse& use, const AffineTerm& term,
                                        const Dims& shape, const RowOrder& rows) {
    return arranged(use, term, layoutOf(shape, rows.order),
                    {elementsOf(shape) / rows.length, rows.length});
}

/// One dimension since opset 13, all from it on before.
std::optional<RowOrder> softmaxRows(const NodeUse& use, const Dims& shape) {
    std::int64_t opset = use.importer().model().opset();
    // That of com.microsoft says whose softmax it is.
    opset = use.node().integer("opset", opset);
    const bool whole = opset < 13;
    const auto axis = axisOf(use, use.node().integer("axis", whole ? 1 : -1), shape.size());
    if (!axis)
        return std::nullopt;
    RowOrder rows;
    rows.order.resize(shape.size());
    std::iota(rows.order.begin(), rows.order.end(), std::size_t{0});
    if (whole) {
        for (std::size_t k = *axis; k < shape.size(); ++k)
            rows.length *= shape[k];
        return rows;
    }
    rows.length = shape[*axis];
    std::rotate(rows.order.begin() + static_cast<std::ptrdiff_t>(*axis),
                rows.order.begin() + static_cast<std::ptrdiff_t>(*axis) + 1, rows.order.end());
    return rows;
}

/// Integers in steps of ln 2 / 16. Their offset is that of a whole row, and left out; the factor is
/// a multiple of a power of two near the exact one, so that every accumulator has one.
std::optional<AffineTensor> inOctaves(const NodeUse& use, const AffineTensor& x) {
    const Rational& scale = x.term().scale.value();
    const double factor = scale.toDouble() * 16 / std::log(2.0);
    const ir::Range range = rangeOf(use, x.term());
    const double most =
        factor * static_cast<double>(std::max(std::abs(range.lo), std::abs(range.hi)));
    if (!(most < 1e9) || factor < 1e-9)
        return use.fail("onnx-scale", "has exponents above 10^7, or hardly any",
                        "calibrate the network anew");
    int exponent = 0;
    std::frexp(factor, &exponent);
    const int shift = kFactorBits - exponent;
    const auto mul = static_cast<std::int64_t>(std::llround(std::ldexp(factor, shift)));
    const Rational near =
        shift >= 0 ? Rational(quant::Integer(mul), quant::powerOfTwo(static_cast<unsigned>(shift)))
                   : Rational(quant::Integer(mul) << -shift);
    AffineTensor bare = x;
    bare.offset = PerChannel::all(Rational(0));
    QuantTarget target;
    target.scale = PerChannel::all(scale / near);
    const auto bound = static_cast<std::int64_t>(std::ceil(most)) + 1;
    target.least = -bound;
    target.greatest = bound;
    target.name = use.tensorName() + "_octaves";
    target.isTensor = false;
    return quantised(use, bare, target);
}

} // namespace

double softmaxBound(std::int64_t length) {
    if (length < 2)
        return 0;
    const double step = std::log(2.0) / 16;
    const double exponents = std::tanh(step * (1 + kFactorError) / 4);
    const double others = static_cast<double>(length - 1) / 2;
    const double table = std::max(0.5 / 255, others / (255 + others));
    return exponents + table + 0.5 / 255;
}

std::optional<AffineTensor> softmaxOf(const NodeUse& use, const AffineTensor& x) {
    const auto plain = settled(use, x);
    const auto rows = plain ? softmaxRows(use, plain->shape) : std::nullopt;
    if (!rows)
        return std::nullopt;
    if (!plain->term().scale.isUniform() || plain->term().scale.value().sign() <= 0)
        return use.fail("onnx-unsupported", "takes exponentials of numbers of different scales",
                        "quantise before the softmax");
    const auto octaves = inOctaves(use, *plain);
    const auto input =
        octaves ? arrangedRows(use, octaves->term(), plain->shape, *rows) : std::nullopt;
    const auto value =
        input ? use.emit(use.tensorName(), ir::OpKind::Softmax, {*input}) : std::nullopt;
    if (!value)
        return std::nullopt;
    warnOfApproximation(use, "takes exponentials of 8 bits in steps of 2^(1/16): each result is "
                             "within " +
                                 threeDigits(softmaxBound(rows->length)) + " of the exact one");
    AffineTensor result;
    result.shape = plain->shape;
    result.terms = {{*value, layoutOf(plain->shape, rows->order),
                     PerChannel::all(Rational(quant::Integer(1), quant::Integer(255)))}};
    result.offset = PerChannel::all(Rational(0));
    return result;
}

namespace {

void softmax(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    auto result = x ? softmaxOf(use, *x) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

void qLinearSoftmax(const NodeUse& use) {
    const auto x = dequantised(use, 0, 1, 2);
    const auto real = x ? softmaxOf(use, *x) : std::nullopt;
    const auto target = real ? linearTarget(use, 3, 4, use.input(0).affine.element) : std::nullopt;
    auto result = target ? quantised(use, *real, *target) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

/// Fraction bits with which the results of rows of this length fit 16 bits.
unsigned fractionBits(std::int64_t length) {
    const double most = std::sqrt(static_cast<double>(length)) + 1;
    unsigned bits = kMostFraction;
    while (bits > 0 && std::ldexp(most, static_cast<int>(bits)) > 32767)
        --bits;
    return bits;
}

/// A scale or bias of the normalised dimensions.
std::optional<PerChannel> rowNumbers(const NodeUse& use, std::size_t k, const Dims& shape,
                                     double fallback) {
    if (!use.has(k))
        return PerChannel::all(exactly(fallback));
    const KnownTensor* known = use.known(k, "scales and biases");
    return known ? broadcastNumbers(use, *known, shape) : std::nullopt;
}

double greatestOf(const PerChannel& numbers) {
    double most = 0;
    for (const Rational& value : numbers.values)
        most = std::max(most, std::abs(value.toDouble()));
    return most;
}

struct NormPlan {
    RowOrder rows;
    PerChannel gamma, beta;
    double epsilon = 0;
};

std::optional<NormPlan> normPlan(const NodeUse& use, const Dims& shape) {
    const auto axis = axisOf(use, use.node().integer("axis", -1), shape.size());
    if (!axis)
        return std::nullopt;
    for (std::size_t k = 1; k < use.node().outputs.size(); ++k) {
        if (use.node().outputs[k] >= 0)
            return use.fail("onnx-unsupported", "gives means and deviations too",
                            "remove the outputs behind the first");
    }
    NormPlan plan;
    plan.rows.order.resize(shape.size());
    std::iota(plan.rows.order.begin(), plan.rows.order.end(), std::size_t{0});
    for (std::size_t k = *axis; k < shape.size(); ++k)
        plan.rows.length *= shape[k];
    plan.epsilon = use.node().real("epsilon", static_cast<double>(1e-5F));
    if (!(plan.epsilon >= 0) || plan.epsilon > 1e30)
        return use.fail("onnx-tensor", "has an epsilon that is no positive number");
    const auto gamma = rowNumbers(use, 1, shape, 1);
    const auto beta = gamma ? rowNumbers(use, 2, shape, 0) : std::nullopt;
    if (!beta)
        return std::nullopt;
    plan.gamma = *gamma;
    plan.beta = *beta;
    return plan;
}

void layerNormalization(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto plan = x ? normPlan(use, x->shape) : std::nullopt;
    const auto plain = plan ? settled(use, *x) : std::nullopt;
    if (!plain)
        return;
    if (!plain->term().scale.isUniform() || !plain->offset.isUniform() ||
        plain->term().scale.value().sign() <= 0) {
        use.fail("onnx-unsupported", "normalises numbers of different scales",
                 "quantise before the normalisation");
        return;
    }
    const auto input = arrangedRows(use, plain->term(), plain->shape, plan->rows);
    ir::OpParams params;
    params.shift = fractionBits(plan->rows.length);
    params.to = ir::Scalar::I16;
    const auto value =
        input ? use.emit(use.tensorName(), ir::OpKind::LayerNorm, {*input}, params) : std::nullopt;
    if (!value)
        return;
    const NormBounds bounds =
        layerNormBounds(plan->rows.length, static_cast<unsigned>(params.shift), plan->epsilon,
                        plain->term().scale.value().toDouble());
    const double most = greatestOf(plan->gamma);
    warnOfApproximation(use, "normalises with an integer root and without epsilon: each result is "
                             "within " +
                                 threeDigits(most * bounds.usual) +
                                 " of the exact one where a row deviates by a step of its "
                                 "integers or more, and within " +
                                 threeDigits(most * bounds.always) + " always");
    AffineTensor result;
    result.shape = plain->shape;
    result.terms = {
        {*value, naturalLayout(plain->shape),
         PerChannel::all(
             Rational(quant::Integer(1), quant::powerOfTwo(static_cast<unsigned>(params.shift))))}};
    result.offset = PerChannel::all(Rational(0));
    if (auto scaled = affineMap(use, result, plan->gamma, plan->beta))
        use.give(std::move(*scaled));
}

} // namespace

NormBounds layerNormBounds(std::int64_t length, unsigned fraction, double epsilon, double scale) {
    const double others = static_cast<double>(std::max<std::int64_t>(1, length - 1));
    const double most = std::sqrt(others);
    const double root = 1.01 / (256 - 1.01);
    const double rounding = std::ldexp(0.5 * (1 + 1.0 / 254), -static_cast<int>(fraction));
    // What epsilon takes off where the variance of the integers is `variance`.
    const auto without = [&](double variance) {
        return most * (1 - std::sqrt(variance / (variance + epsilon / (scale * scale))));
    };
    const double least = others / (static_cast<double>(length) * static_cast<double>(length));
    const double integers = root + rounding;
    return {integers + without(1), integers + without(std::min(1.0, least))};
}

void addRowNodes(HandlerTable& table) {
    table["Softmax"] = softmax;
    table["com.microsoft.QLinearSoftmax"] = qLinearSoftmax;
    table["LayerNormalization"] = layerNormalization;
}

} // namespace marquetry::frontend::onnx
