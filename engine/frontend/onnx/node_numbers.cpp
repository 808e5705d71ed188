#include "engine/frontend/onnx/node_numbers.h"

#include <cmath>

namespace marquetry::frontend::onnx {
namespace {

/// The range of dimensions that are not 1 must be one run of the shape's own.
std::optional<LayoutFactor> channelOf(const Dims& dims, const Dims& shape) {
    if (dims.size() > shape.size())
        return std::nullopt;
    const Dims strides = stridesOf(shape);
    FlatLayout layout;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        const std::size_t at = shape.size() - dims.size() + k;
        if (dims[k] == 1)
            continue;
        if (dims[k] != shape[at])
            return std::nullopt;
        layout.push_back({dims[k], strides[at]});
    }
    layout = normalised(std::move(layout));
    if (layout.size() > 1)
        return std::nullopt;
    return layout.empty() ? LayoutFactor{} : layout.front();
}

std::optional<PerChannel> numbersOf(const NodeUse& use, const KnownTensor& known,
                                    const LayoutFactor& channel) {
    if (!use.importer().spend(0, static_cast<std::int64_t>(known.size()), 0))
        return std::nullopt;
    PerChannel numbers{channel.extent, channel.stride, {}};
    for (std::size_t k = 0; k < known.size(); ++k)
        numbers.values.push_back(known.at(k));
    return numbers;
}

std::optional<PerChannel> fromAxis(const NodeUse& use, const KnownTensor& known, const Dims& shape,
                                   std::int64_t axis) {
    if (known.size() == 1)
        return PerChannel::all(known.at(0));
    const auto at = axisOf(use, axis, shape.size());
    if (!at)
        return std::nullopt;
    if (known.dims.size() != 1 || known.dims[0] != shape[*at])
        return use.fail("onnx-shape",
                        "has " + std::to_string(known.size()) + " scales or zero points for " +
                            std::to_string(shape[*at]) + " channels",
                        "give one for all, or one for each channel");
    return numbersOf(use, known, {shape[*at], stridesOf(shape)[*at]});
}

bool goodScales(const NodeUse& use, const KnownTensor& known) {
    if (known.size() == 0 || known.isQuantised() || !isReal(known.raw->element)) {
        use.fail("onnx-scale", "has scales that are no floats", "scales are positive floats");
        return false;
    }
    for (const double scale : known.raw->reals) {
        const bool denormal = std::abs(scale) < static_cast<double>(1.17549435e-38F);
        if (std::isfinite(scale) && scale > 0 && !denormal)
            continue;
        use.fail("onnx-scale",
                 "has the scale " + std::to_string(scale) +
                     (std::isfinite(scale) && scale > 0 ? " (denormal)" : "") +
                     ", which is no positive normal number",
                 "calibrate the network anew: a range of it is empty or broken");
        return false;
    }
    return true;
}

bool isWhole(double value) {
    return std::isfinite(value) && std::abs(value) < 1e15 && std::floor(value) == value;
}

} // namespace

std::optional<std::size_t> axisOf(const NodeUse& use, std::int64_t axis, std::size_t rank) {
    const auto size = static_cast<std::int64_t>(rank);
    const std::int64_t at = axis < 0 ? axis + size : axis;
    if (at < 0 || at >= size)
        return use.fail("onnx-shape", "names the axis " + std::to_string(axis) +
                                          " of a tensor of " + std::to_string(size) +
                                          " dimensions");
    return static_cast<std::size_t>(at);
}

bool allFinite(const NodeUse& use, const KnownTensor& known, const std::string& what) {
    if (known.isQuantised() || !isReal(known.raw->element))
        return true;
    const auto& reals = known.raw->reals;
    if (std::all_of(reals.begin(), reals.end(), [](double v) { return std::isfinite(v); }))
        return true;
    use.fail("onnx-tensor", "has " + what + " that are infinite or not a number",
             "the training diverged, or the file is damaged");
    return false;
}

std::optional<PerChannel> broadcastNumbers(const NodeUse& use, const KnownTensor& known,
                                           const Dims& shape) {
    if (!allFinite(use, known, "constants"))
        return std::nullopt;
    if (known.size() == 1)
        return PerChannel::all(known.at(0));
    const auto channel = channelOf(known.dims, shape);
    if (!channel)
        return use.fail("onnx-unsupported",
                        "has constants that vary along more than one dimension, or that do not fit",
                        "constants for each channel, or one for all, are imported");
    return numbersOf(use, known, *channel);
}

std::optional<PerChannel> scalesAt(const NodeUse& use, std::size_t k, const Dims& shape,
                                   std::int64_t axis) {
    const KnownTensor* known = use.known(k, "scales");
    if (!known || !goodScales(use, *known))
        return std::nullopt;
    return fromAxis(use, *known, shape, axis);
}

std::optional<PerChannel> broadcastScales(const NodeUse& use, std::size_t k, const Dims& shape) {
    const KnownTensor* known = use.known(k, "scales");
    if (!known || !goodScales(use, *known))
        return std::nullopt;
    return broadcastNumbers(use, *known, shape);
}

std::optional<PerChannel> zerosAt(const NodeUse& use, std::size_t k, const Dims& shape,
                                  std::int64_t axis) {
    if (!use.has(k))
        return PerChannel::all(Rational(0));
    const KnownTensor* known = use.known(k, "zero points");
    if (!known)
        return std::nullopt;
    if (known->size() == 0 || known->isQuantised() || !isInteger(known->raw->element))
        return use.fail("onnx-zero-point", "has zero points that are no integers");
    const auto zeros = fromAxis(use, *known, shape, axis);
    return zeros ? std::optional(simplified(*zeros)) : std::nullopt;
}

std::optional<std::int64_t> zeroAt(const NodeUse& use, std::size_t k, Element element) {
    const auto zeros = zerosAt(use, k, {1}, 0);
    if (!zeros)
        return std::nullopt;
    if (!zeros->isUniform())
        return use.fail("onnx-unsupported", "has a zero point for each channel of an activation",
                        "quantise activations with one zero point");
    const std::int64_t zero = quant::toInt64(zeros->value().numerator());
    if (isInteger(element) && (zero < lowestOf(element) || zero > highestOf(element)))
        return use.fail("onnx-zero-point", "has the zero point " + std::to_string(zero) +
                                               ", which is no " + nameOf(element));
    return zero;
}

std::optional<KnownTensor> integerWeights(const NodeUse& use, std::size_t k) {
    const KnownTensor* known = use.known(k, "weights");
    if (!known)
        return std::nullopt;
    if (known->isQuantised())
        return *known;
    if (!use.importer().spend(static_cast<std::int64_t>(known->size()), 0, 0))
        return std::nullopt;
    KnownTensor result = *known;
    auto ints = std::make_shared<std::vector<std::int64_t>>();
    if (isReal(known->raw->element)) {
        const auto& reals = known->raw->reals;
        if (!std::all_of(reals.begin(), reals.end(), isWhole))
            return use.fail("onnx-not-quantised", "has weights that are floats",
                            "quantise the network first: quantize_static of ONNX Runtime, for "
                            "example");
        for (const double value : reals)
            ints->push_back(static_cast<std::int64_t>(value));
    } else {
        *ints = known->raw->ints;
    }
    const auto [least, greatest] = std::minmax_element(ints->begin(), ints->end());
    result.least = ints->empty() ? 0 : std::min<std::int64_t>(*least, -128);
    result.greatest = ints->empty() ? 0 : std::max<std::int64_t>(*greatest, 127);
    result.ints = std::move(ints);
    result.scale = PerChannel::all(Rational(1));
    return result;
}

std::optional<std::vector<std::int64_t>> integersAt(const NodeUse& use, std::size_t k,
                                                    const std::string& what) {
    const KnownTensor* known = use.known(k, what);
    if (!known)
        return std::nullopt;
    if (known->isQuantised() || !isInteger(known->raw->element))
        return use.fail("onnx-shape", "has " + what + " that are no integers");
    return known->raw->ints;
}

std::optional<Rational> numberAt(const NodeUse& use, std::size_t k, const std::string& what) {
    const KnownTensor* known = use.known(k, what);
    if (!known || !allFinite(use, *known, what))
        return std::nullopt;
    if (known->size() != 1)
        return use.fail("onnx-unsupported",
                        "has " + std::to_string(known->size()) + " numbers as " + what,
                        "one number is imported");
    return known->at(0);
}

} // namespace marquetry::frontend::onnx
