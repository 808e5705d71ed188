#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/node_numbers.h"

#include <cmath>

namespace marquetry::frontend::onnx {
namespace {

PerChannel mapped(PerChannel numbers, const std::function<Rational(const Rational&)>& f) {
    for (Rational& value : numbers.values)
        value = f(value);
    return numbers;
}

PerChannel none() {
    return PerChannel::all(Rational(0));
}

/// Which of two inputs is computed and which is known, when it is one of each.
struct Operands {
    const AffineTensor* computed = nullptr;
    PerChannel known;
    bool knownFirst = false;
};

std::optional<Operands> operandsOf(const NodeUse& use) {
    Operands operands;
    operands.knownFirst = use.isKnown(0);
    const std::size_t at = operands.knownFirst ? 1 : 0;
    operands.computed = use.affine(at, "an input");
    const KnownTensor* known = operands.computed ? use.known(1 - at, "constants") : nullptr;
    const auto numbers =
        known ? broadcastNumbers(use, *known, operands.computed->shape) : std::nullopt;
    if (!numbers)
        return std::nullopt;
    operands.known = *numbers;
    return operands;
}

void giveMapped(const NodeUse& use, const AffineTensor& tensor, const PerChannel& factor,
                const PerChannel& addend) {
    if (auto result = affineMap(use, tensor, factor, addend)) {
        result->element = tensor.element;
        use.give(std::move(*result));
    }
}

/// The terms of both; two of one value and one scale are one.
std::optional<AffineTensor> sum(const NodeUse& use, const AffineTensor& a, const AffineTensor& b) {
    if (a.shape != b.shape)
        return use.fail("onnx-unsupported", "adds tensors of different shapes",
                        "broadcasts of activations are not imported");
    const auto left = settled(use, a);
    const auto right = left ? settled(use, b) : std::nullopt;
    if (!right)
        return std::nullopt;
    AffineTensor result = *left;
    const auto plus = [](const Rational& x, const Rational& y) { return x + y; };
    const auto offset = combined(left->offset, right->offset, elementsOf(a.shape), plus);
    if (!offset)
        return use.fail("onnx-unsupported", "adds tensors with offsets of different channels");
    result.offset = *offset;
    const AffineTerm& more = right->term();
    AffineTerm& first = result.terms.front();
    if (first.value == more.value && first.layout == more.layout) {
        const auto scale = combined(first.scale, more.scale, elementsOf(a.shape), plus);
        if (!scale)
            return use.fail("onnx-unsupported", "adds tensors with scales of different channels");
        first.scale = *scale;
    } else {
        result.terms.push_back(more);
    }
    return result;
}

/// Integers of 8 and 16 bits that the file computes with as they are wrap around in its runtime.
bool wraps(const NodeUse& use) {
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        const Element element = use.isAffine(k) ? use.input(k).affine.element : Element::Float;
        if (!isInteger(element) || highestOf(element) > highestOf(Element::Uint16))
            continue;
        use.fail("onnx-unsupported",
                 "computes with numbers of " + nameOf(element) + ", which wrap around",
                 "dequantise them, or cast them to int32");
        return true;
    }
    return false;
}

void addOrSubtract(const NodeUse& use, bool minus) {
    if (wraps(use))
        return;
    if (use.isAffine(0) && use.isAffine(1)) {
        const AffineTensor& a = use.input(0).affine;
        const auto b =
            affineMap(use, use.input(1).affine, PerChannel::all(Rational(minus ? -1 : 1)), none());
        auto result = b ? sum(use, a, *b) : std::nullopt;
        if (result)
            use.give(std::move(*result));
        return;
    }
    const auto operands = operandsOf(use);
    if (!operands)
        return;
    const bool negateKnown = minus && !operands->knownFirst;
    const bool negateComputed = minus && operands->knownFirst;
    giveMapped(use, *operands->computed, PerChannel::all(Rational(negateComputed ? -1 : 1)),
               negateKnown ? mapped(operands->known, [](const Rational& v) { return -v; })
                           : operands->known);
}

void add(const NodeUse& use) {
    addOrSubtract(use, false);
}

void subtract(const NodeUse& use) {
    addOrSubtract(use, true);
}

/// Two functions of the same integers are one function of them.
bool multipliedFunctions(const NodeUse& use, const AffineTensor& a, const AffineTensor& b) {
    const bool alike = a.terms.size() == 1 && b.terms.size() == 1 && a.parts.empty() &&
                       b.parts.empty() && a.term().value == b.term().value &&
                       (a.function || b.function);
    if (!alike)
        return false;
    const auto functionOf =
        [](const AffineTensor& tensor) -> std::function<WideReal(std::int64_t)> {
        if (tensor.function)
            return tensor.function;
        const auto wide = [](const Rational& v) {
            return WideReal(v.numerator().str()) / WideReal(v.denominator().str());
        };
        return [scale = wide(tensor.term().scale.value()), offset = wide(tensor.offset.value())](
                   std::int64_t x) { return WideReal(scale * x + offset); };
    };
    const bool plain =
        (a.function || (a.isPlain() && a.term().scale.isUniform() && a.offset.isUniform())) &&
        (b.function || (b.isPlain() && b.term().scale.isUniform() && b.offset.isUniform()));
    if (!plain)
        return false;
    AffineTensor result = a.function ? a : b;
    const auto product =
        tabulated(use, result.term(), [f = functionOf(a), g = functionOf(b)](std::int64_t x) {
            return WideReal(f(x) * g(x));
        });
    if (product) {
        result.function = *product;
        use.give(std::move(result));
    }
    return true;
}

void multiplyTensors(const NodeUse& use, const AffineTensor& a, const AffineTensor& b) {
    if (multipliedFunctions(use, a, b))
        return;
    if (a.shape != b.shape) {
        use.fail("onnx-unsupported", "multiplies tensors of different shapes",
                 "broadcasts of activations are not imported");
        return;
    }
    const auto x = onGrid(use, a);
    const auto y = x ? onGrid(use, b) : std::nullopt;
    if (!y)
        return;
    const auto second =
        arranged(use, y->term, x->term.layout, use.builder().value(x->term.value).type.dims);
    const auto left = second ? withoutZero(use, *x, x->term.value) : std::nullopt;
    const auto right = left ? withoutZero(use, *y, *second) : std::nullopt;
    const auto value =
        right ? use.emit(use.tensorName(), ir::OpKind::Mul, {*left, *right}) : std::nullopt;
    if (!value)
        return;
    AffineTensor result;
    result.shape = a.shape;
    result.terms = {{*value, x->term.layout, PerChannel::all(x->scale * y->scale)}};
    use.give(std::move(result));
}

void multiply(const NodeUse& use) {
    if (wraps(use))
        return;
    if (use.isAffine(0) && use.isAffine(1))
        return multiplyTensors(use, use.input(0).affine, use.input(1).affine);
    if (const auto operands = operandsOf(use))
        giveMapped(use, *operands->computed, operands->known, none());
}

/// Division of integers drops what is behind the point.
void divide(const NodeUse& use) {
    const auto operands = operandsOf(use);
    if (!operands)
        return;
    const auto& values = operands->known.values;
    const bool zero =
        std::any_of(values.begin(), values.end(), [](const Rational& v) { return v.isZero(); });
    if (operands->knownFirst || zero) {
        use.fail("onnx-unsupported", "divides by what the network computes, or by 0");
        return;
    }
    const PerChannel inverse =
        mapped(operands->known, [](const Rational& v) { return Rational(1) / v; });
    auto result = affineMap(use, *operands->computed, inverse, none());
    if (!result)
        return;
    result->element = operands->computed->element;
    if (isInteger(result->element))
        result->step = RoundStep::Truncate;
    use.give(std::move(*result));
}

/// The root of a positive number, to 2^-100 of it.
Rational rootOf(const Rational& value) {
    const quant::Integer wide = value.numerator() * value.denominator();
    const quant::Integer scaled = wide << 240;
    return Rational(sqrt(scaled), quant::Integer(value.denominator() << 120));
}

void batchNormalization(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    if (x->shape.size() < 2) {
        use.fail("onnx-shape", "normalises a tensor without channels");
        return;
    }
    const LayoutFactor channel{x->shape[1], stridesOf(x->shape)[1]};
    if (!use.importer().spend(0, channel.extent, 0))
        return;
    PerChannel factor{channel.extent, channel.stride, {}};
    PerChannel addend = factor;
    std::array<const KnownTensor*, 4> numbers{};
    for (std::size_t k = 0; k < 4; ++k) {
        numbers[k] = use.known(k + 1, "parameters");
        if (!numbers[k] || !allFinite(use, *numbers[k], "parameters"))
            return;
        if (static_cast<std::int64_t>(numbers[k]->size()) != channel.extent) {
            use.fail("onnx-shape", "has parameters that do not fit its channels");
            return;
        }
    }
    const auto epsilon = use.number("epsilon", static_cast<double>(1e-5F));
    if (!epsilon)
        return;
    for (std::size_t c = 0; c < numbers[0]->size(); ++c) {
        const Rational variance = numbers[3]->at(c) + *epsilon;
        if (variance.sign() <= 0) {
            use.fail("onnx-tensor", "has a variance that is not positive");
            return;
        }
        factor.values.push_back(numbers[0]->at(c) / rootOf(variance));
        addend.values.push_back(numbers[1]->at(c) - factor.values.back() * numbers[2]->at(c));
    }
    giveMapped(use, *x, factor, addend);
}

bool carriesIntegers(const AffineTensor& tensor) {
    const auto whole = [](const PerChannel& numbers) {
        return std::all_of(numbers.values.begin(), numbers.values.end(),
                           [](const Rational& v) { return v.isInteger(); });
    };
    return tensor.isPlain() && whole(tensor.term().scale) && whole(tensor.offset);
}

void cast(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    AffineTensor result = *x;
    // Element types of the file by their numbers in it.
    static const std::map<std::int64_t, Element> kElements = {
        {1, Element::Float}, {11, Element::Double}, {3, Element::Int8},
        {2, Element::Uint8}, {5, Element::Int16},   {4, Element::Uint16},
        {6, Element::Int32}, {12, Element::Uint32}, {7, Element::Int64}};
    const auto to = kElements.find(use.node().integer("to", 0));
    if (to == kElements.end()) {
        use.fail("onnx-unsupported", "casts to a type that is not imported");
        return;
    }
    const bool whole = x->step || isInteger(x->element) || carriesIntegers(*x);
    if (isInteger(to->second) && !whole)
        result.step = RoundStep::Truncate;
    if (isInteger(to->second) && to->second != Element::Int64 && to->second != Element::Int32) {
        const auto plain = settled(use, result);
        if (!plain)
            return;
        result = *plain;
        const ir::Range range = rangeOf(use, result.term());
        if (range.lo < lowestOf(to->second) || range.hi > highestOf(to->second)) {
            use.fail("onnx-unsupported", "casts numbers that do not fit " + nameOf(to->second),
                     "clip them first");
            return;
        }
    }
    result.element = to->second;
    use.give(std::move(result));
}

void negate(const NodeUse& use) {
    if (const AffineTensor* x = use.affine(0, "an input"))
        giveMapped(use, *x, PerChannel::all(Rational(-1)), none());
}

template <RoundStep step>
void roundStep(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    AffineTensor result = *x;
    if (x->step || carriesIntegers(*x))
        return use.give(std::move(result));
    if (!x->parts.empty() || x->function || x->low || x->high) {
        use.fail("onnx-unsupported", "rounds what is clipped or a function",
                 "round first, then clip");
        return;
    }
    result.step = step;
    use.give(std::move(result));
}

} // namespace

void addArithmeticNodes(HandlerTable& table) {
    table["Add"] = add;
    table["Sub"] = subtract;
    table["Mul"] = multiply;
    table["Div"] = divide;
    table["Neg"] = negate;
    table["BatchNormalization"] = batchNormalization;
    table["Cast"] = cast;
    table["Floor"] = roundStep<RoundStep::Floor>;
    table["Ceil"] = roundStep<RoundStep::Ceil>;
    table["Round"] = roundStep<RoundStep::Nearest>;
}

} // namespace marquetry::frontend::onnx
