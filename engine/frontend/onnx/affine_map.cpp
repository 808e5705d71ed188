#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/pads.h"

namespace marquetry::frontend::onnx {
namespace {

WideReal wideOf(const Rational& value) {
    return WideReal(value.numerator().str()) / WideReal(value.denominator().str());
}

std::optional<AffineTensor> mappedParts(const NodeUse& use, const AffineTensor& tensor,
                                        const PerChannel& factor, const PerChannel& addend) {
    if (!factor.isUniform() || !addend.isUniform())
        return use.fail("onnx-unsupported", "scales the channels of joined tensors",
                        "quantise behind the Concat");
    AffineTensor result = tensor;
    for (AffineTensor& part : result.parts) {
        auto mapped = affineMap(use, part, factor, addend);
        if (!mapped)
            return std::nullopt;
        part = std::move(*mapped);
    }
    return result;
}

std::optional<AffineTensor> mappedFunction(const NodeUse& use, const AffineTensor& tensor,
                                           const Rational& factor, const Rational& addend) {
    const auto mapped = tabulated(
        use, tensor.term(), [&tensor, a = wideOf(factor), b = wideOf(addend)](std::int64_t x) {
            return WideReal(tensor.function(x) * a + b);
        });
    if (!mapped)
        return std::nullopt;
    AffineTensor result = tensor;
    result.function = *mapped;
    return result;
}

void mapClamp(AffineTensor& tensor, const Rational& factor, const Rational& addend) {
    for (auto* bound : {&tensor.low, &tensor.high}) {
        if (*bound)
            *bound = **bound * factor + addend;
    }
    if (factor.sign() < 0)
        std::swap(tensor.low, tensor.high);
}

/// The terms and the offset of a sum; all else is as it was.
std::optional<AffineTensor> mappedTerms(const NodeUse& use, const AffineTensor& tensor,
                                        const PerChannel& factor, const PerChannel& addend) {
    AffineTensor result = tensor;
    const std::int64_t elements = elementsOf(tensor.shape);
    const auto product = [](const Rational& x, const Rational& y) { return x * y; };
    const auto sum = [](const Rational& x, const Rational& y) { return x + y; };
    bool good = true;
    for (AffineTerm& term : result.terms) {
        const auto scale = combined(term.scale, factor, elements, product);
        good = good && scale;
        if (scale)
            term.scale = simplified(*scale);
    }
    const auto moved = combined(tensor.offset, factor, elements, product);
    const auto offset = moved ? combined(*moved, addend, elements, sum) : std::nullopt;
    if (!good || !offset)
        return use.fail("onnx-unsupported", "has constants along two dimensions of a large tensor",
                        "fold them into the layer before");
    result.offset = simplified(*offset);
    return result;
}

} // namespace

std::optional<AffineTensor> affineMap(const NodeUse& use, const AffineTensor& tensor,
                                      const PerChannel& factor, const PerChannel& addend) {
    const PerChannel f = simplified(factor);
    const PerChannel a = simplified(addend);
    const bool uniform = f.isUniform() && a.isUniform();
    if (uniform && f.value() == Rational(1) && a.value().isZero())
        return tensor;
    if (tensor.pad && !uniform) {
        const auto whole = padded(use, tensor);
        return whole ? affineMap(use, *whole, f, a) : std::nullopt;
    }
    if (!tensor.parts.empty())
        return mappedParts(use, tensor, f, a);
    if (tensor.function && uniform)
        return mappedFunction(use, tensor, f.value(), a.value());
    const bool clamps = tensor.low || tensor.high;
    if (tensor.step || tensor.function || (clamps && (!uniform || f.value().isZero()))) {
        const auto plain = settled(use, tensor);
        return plain ? affineMap(use, *plain, f, a) : std::nullopt;
    }
    auto result = mappedTerms(use, tensor, f, a);
    if (!result)
        return std::nullopt;
    if (clamps)
        mapClamp(*result, f.value(), a.value());
    if (result->pad)
        result->pad->value = result->pad->value * f.value() + a.value();
    result->element = Element::Float;
    return result;
}

} // namespace marquetry::frontend::onnx
