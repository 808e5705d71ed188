#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/quantise.h"

#include <cmath>

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;
using quant::RoundingMode;

PerChannel negatedProduct(const PerChannel& scale, std::int64_t zero) {
    PerChannel offset = scale;
    for (Rational& value : offset.values)
        value = Rational(-zero) * value;
    return offset;
}

bool isBlocked(const NodeUse& use) {
    if (use.node().integer("block_size", 0) == 0)
        return false;
    use.fail("onnx-unsupported", "quantises in blocks", "quantise each channel or whole tensors");
    return true;
}

/// round(value ÷ scale + zero) of one number; exact, but by doubles where they decide.
std::int64_t quantisedNumber(double value, const Rational& scale, double nearScale,
                             std::int64_t zero, const QuantRange& range) {
    const double near = value / nearScale + static_cast<double>(zero);
    const double cell = near - std::floor(near);
    const bool sure =
        std::abs(near) < 1e6 && cell > 1e-6 && std::abs(cell - 0.5) > 1e-6 && cell < 1 - 1e-6;
    Integer steps;
    if (sure)
        steps = static_cast<std::int64_t>(
            range.mode == RoundingMode::Down ? std::floor(near) : std::floor(near + 0.5));
    else
        steps = quant::rounded(exactly(value) / scale + Rational(zero), range.mode);
    if (steps < range.least)
        return range.least;
    return steps > range.greatest ? range.greatest : quant::toInt64(steps);
}

/// Weights that the file quantises itself.
void quantizeKnown(const NodeUse& use) {
    const KnownTensor& x = use.input(0).known;
    const std::int64_t axis = use.node().integer("axis", 1);
    const Element element =
        use.isKnown(2) && use.input(2).known.raw ? use.input(2).known.raw->element : Element::Uint8;
    const auto scales = scalesAt(use, 1, x.dims, axis);
    const auto zeros = scales ? zerosAt(use, 2, x.dims, axis) : std::nullopt;
    if (!zeros || x.isQuantised() || !isReal(x.raw->element) || !allFinite(use, x, "weights"))
        return;
    auto raw = std::make_shared<OnnxConstant>();
    raw->element = element;
    raw->dims = x.dims;
    const QuantRange range{lowestOf(element), highestOf(element)};
    std::vector<double> near;
    for (const Rational& value : scales->values)
        near.push_back(value.toDouble());
    for (std::size_t k = 0; k < x.size(); ++k) {
        const auto at = static_cast<std::int64_t>(k);
        const auto channel = static_cast<std::size_t>(at / scales->stride % scales->extent);
        const std::int64_t zero = quant::toInt64(zeros->at(at).numerator());
        const QuantRange moved{range.least - zero, range.greatest - zero, range.mode};
        raw->ints.push_back(
            quantisedNumber(x.raw->reals[k], scales->values[channel], near[channel], 0, moved) +
            zero);
    }
    use.give(knownTensor(std::move(raw)));
}

void quantizeLinear(const NodeUse& use) {
    if (use.isKnown(0))
        return quantizeKnown(use);
    const auto target = isBlocked(use) ? std::nullopt : linearTarget(use, 1, 2, Element::Uint8);
    const AffineTensor* x = target ? use.affine(0, "an input") : nullptr;
    if (!x)
        return;
    if (auto result = quantised(use, *x, *target))
        use.give(std::move(*result));
}

/// Zero points that are integers of this element.
bool areOf(const NodeUse& use, const PerChannel& zeros, Element element) {
    for (const Rational& value : zeros.values) {
        if (!isInteger(element) ||
            (value >= Rational(lowestOf(element)) && value <= Rational(highestOf(element))))
            continue;
        use.fail("onnx-zero-point",
                 "has the zero point " + value.text() + ", which is no " + nameOf(element));
        return false;
    }
    return true;
}

/// The real values of an activation whose scales and zero points may be those of an axis.
std::optional<AffineTensor> dequantisedAlong(const NodeUse& use, std::int64_t axis) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto scales = x ? scalesAt(use, 1, x->shape, axis) : std::nullopt;
    const auto zeros = scales ? zerosAt(use, 2, x->shape, axis) : std::nullopt;
    if (!zeros || !areOf(use, *zeros, x->element))
        return std::nullopt;
    const auto offset =
        combined(*scales, *zeros, elementsOf(x->shape),
                 [](const Rational& scale, const Rational& zero) { return -(scale * zero); });
    auto result = offset ? affineMap(use, *x, *scales, *offset) : std::nullopt;
    if (result)
        result->element = Element::Float;
    return result;
}

void dequantizeLinear(const NodeUse& use) {
    if (isBlocked(use) || !use.has(0))
        return;
    if (use.isKnown(0)) {
        if (auto known = knownDequantised(use, 0, 1, 2, use.node().integer("axis", 1)))
            use.give(std::move(*known));
    } else if (auto result = dequantisedAlong(use, use.node().integer("axis", 1))) {
        use.give(std::move(*result));
    }
}

std::optional<std::int64_t> quantZero(const NodeUse& use, const QuantRange& range) {
    const auto zero = numberAt(use, 2, "zero points");
    if (!zero)
        return std::nullopt;
    if (!zero->isInteger() || *zero < Rational(range.least) || *zero > Rational(range.greatest))
        return use.fail("onnx-zero-point",
                        "has the zero point " + zero->text() + ", which is none of its integers");
    return quant::toInt64(zero->numerator());
}

void quantKnown(const NodeUse& use, const QuantRange& range, std::int64_t zero) {
    const KnownTensor& x = use.input(0).known;
    const auto scale = broadcastScales(use, 1, x.dims);
    if (!scale || !allFinite(use, x, "weights"))
        return;
    std::vector<double> near;
    for (const Rational& value : scale->values)
        near.push_back(value.toDouble());
    auto ints = std::make_shared<std::vector<std::int64_t>>();
    const bool direct = !x.isQuantised() && isReal(x.raw->element);
    for (std::size_t k = 0; k < x.size(); ++k) {
        const auto channel =
            static_cast<std::size_t>(static_cast<std::int64_t>(k) / scale->stride % scale->extent);
        const double value = direct ? x.raw->reals[k] : x.at(k).toDouble();
        ints->push_back(quantisedNumber(value, scale->values[channel], near[channel], zero, range) -
                        zero);
    }
    KnownTensor result;
    result.dims = x.dims;
    result.ints = std::move(ints);
    result.scale = *scale;
    result.least = range.least - zero;
    result.greatest = range.greatest - zero;
    use.give(std::move(result));
}

void quantNode(const NodeUse& use) {
    const auto range = quantRange(use);
    const auto zero = range ? quantZero(use, *range) : std::nullopt;
    if (!zero)
        return;
    if (use.isKnown(0))
        return quantKnown(use, *range, *zero);
    const AffineTensor* x = use.affine(0, "an input");
    const auto scale = x ? broadcastScales(use, 1, x->shape) : std::nullopt;
    // The zero point is inside the rounding here: it goes to the offset.
    const PerChannel one = PerChannel::all(Rational(1));
    const auto moved =
        scale ? affineMap(use, *x, one, negatedProduct(*scale, -*zero)) : std::nullopt;
    if (!moved)
        return;
    QuantTarget target;
    target.scale = *scale;
    target.inside = *zero;
    target.least = range->least;
    target.greatest = range->greatest;
    target.mode = range->mode;
    target.name = use.tensorName();
    const auto integers = quantised(use, *moved, target);
    auto result =
        integers ? affineMap(use, *integers, *scale, negatedProduct(*scale, *zero)) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

} // namespace

std::optional<QuantTarget> linearTarget(const NodeUse& use, std::size_t scale, std::size_t zero,
                                        Element fallback) {
    QuantTarget target;
    target.element = use.isKnown(zero) && use.input(zero).known.raw
                         ? use.input(zero).known.raw->element
                         : fallback;
    const auto scales = scalesAt(use, scale, {1}, 0);
    const auto point = scales ? zeroAt(use, zero, target.element) : std::nullopt;
    if (!point)
        return std::nullopt;
    const bool narrow = target.element == Element::Int8 || target.element == Element::Uint8 ||
                        target.element == Element::Int16 || target.element == Element::Uint16;
    if (!narrow)
        return use.fail("onnx-unsupported", "quantises to " + nameOf(target.element),
                        "quantise activations to 8 or 16 bits");
    target.scale = *scales;
    target.zero = *point;
    target.least = lowestOf(target.element);
    target.greatest = highestOf(target.element);
    target.name = use.tensorName();
    return target;
}

std::optional<AffineTensor> dequantised(const NodeUse& use, std::size_t k, std::size_t scale,
                                        std::size_t zero) {
    const AffineTensor* x = use.affine(k, "an input");
    const auto scales = x ? scalesAt(use, scale, {1}, 0) : std::nullopt;
    const auto point = scales ? zeroAt(use, zero, x->element) : std::nullopt;
    if (!point)
        return std::nullopt;
    auto result = affineMap(use, *x, *scales, negatedProduct(*scales, *point));
    if (result)
        result->element = Element::Float;
    return result;
}

std::optional<KnownTensor> knownDequantised(const NodeUse& use, std::size_t k, std::size_t scale,
                                            std::size_t zero, std::int64_t axis) {
    const KnownTensor* x = use.known(k, "weights");
    if (!x)
        return std::nullopt;
    const bool integers =
        !x->isQuantised() && isInteger(x->raw->element) && x->raw->element != Element::Int64;
    if (!integers)
        return use.fail("onnx-unsupported", "dequantises what is not integers of 8 to 32 bits");
    const auto scales = scalesAt(use, scale, x->dims, axis);
    const auto zeros = scales ? zerosAt(use, zero, x->dims, axis) : std::nullopt;
    if (!zeros)
        return std::nullopt;
    if (!areOf(use, *zeros, x->raw->element))
        return std::nullopt;
    KnownTensor result;
    result.dims = x->dims;
    result.scale = *scales;
    auto ints = std::make_shared<std::vector<std::int64_t>>(x->raw->ints);
    std::int64_t least = 0;
    std::int64_t greatest = 0;
    for (const Rational& value : zeros->values) {
        const std::int64_t point = quant::toInt64(value.numerator());
        least = std::min(least, -point);
        greatest = std::max(greatest, -point);
    }
    for (std::size_t at = 0; at < ints->size(); ++at)
        (*ints)[at] -= quant::toInt64(zeros->at(static_cast<std::int64_t>(at)).numerator());
    result.least = lowestOf(x->raw->element) + least;
    result.greatest = highestOf(x->raw->element) + greatest;
    result.ints = std::move(ints);
    return result;
}

std::optional<QuantRange> quantRange(const NodeUse& use) {
    const auto width = numberAt(use, 3, "bit widths");
    if (!width)
        return std::nullopt;
    if (!width->isInteger() || *width < Rational(1) || *width > Rational(32))
        return use.fail("onnx-unsupported", "quantises to " + width->text() + " bits",
                        "use 2 to 8 bits for activations and weights");
    const std::int64_t levels = std::int64_t{1} << quant::toInt64(width->numerator());
    const bool isSigned = use.node().integer("signed", 1) != 0;
    const bool narrow = use.node().integer("narrow", 0) != 0;
    QuantRange range;
    range.least = isSigned ? -levels / 2 + (narrow ? 1 : 0) : 0;
    range.greatest = isSigned ? levels / 2 - 1 : levels - (narrow ? 2 : 1);
    const std::string mode = use.node().text("rounding_mode", "ROUND");
    if (mode == "FLOOR")
        range.mode = RoundingMode::Down;
    else if (mode != "ROUND" && mode != "HALF_EVEN")
        return use.fail("onnx-unsupported", "rounds as " + mode + " says", "use ROUND or FLOOR");
    return range;
}

std::optional<InputGrid> inputGrid(const NodeUse& use) {
    const std::string key = handlerKey(use.node());
    if (key == "QuantizeLinear") {
        const auto target = linearTarget(use, 1, 2, Element::Uint8);
        if (!target)
            return std::nullopt;
        return InputGrid{target->scale.value(), target->zero, target->least, target->greatest};
    }
    const auto range = quantRange(use);
    const auto zero = range ? quantZero(use, *range) : std::nullopt;
    const auto scale = zero ? scalesAt(use, 1, {1}, 0) : std::nullopt;
    if (!scale)
        return std::nullopt;
    return InputGrid{scale->value(), *zero, range->least, range->greatest};
}

void addQuantiseNodes(HandlerTable& table) {
    table["QuantizeLinear"] = quantizeLinear;
    table["DequantizeLinear"] = dequantizeLinear;
    table["com.microsoft.QuantizeLinear"] = quantizeLinear;
    table["com.microsoft.DequantizeLinear"] = dequantizeLinear;
    table["qonnx.Quant"] = quantNode;
    table["Quant"] = quantNode; // some exporters leave the domain out
    addShiftAndSignNodes(table);
}

} // namespace marquetry::frontend::onnx
