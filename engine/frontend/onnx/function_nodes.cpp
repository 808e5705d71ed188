#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/frontend/onnx/requantise.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

namespace marquetry::frontend::onnx {
namespace {

using Function = std::function<WideReal(const WideReal&)>;

WideReal wideNumber(const Rational& value) {
    return WideReal(value.numerator().str()) / WideReal(value.denominator().str());
}

/// Clamps, which are monotone, may wait for what is done behind them.
void giveClamped(const NodeUse& use, const AffineTensor& x, const std::optional<Rational>& low,
                 const std::optional<Rational>& high) {
    AffineTensor result = x;
    if (!x.parts.empty()) {
        for (AffineTensor& part : result.parts) {
            part.low = low ? std::max(*low, part.low.value_or(*low)) : part.low;
            part.high = high ? std::min(*high, part.high.value_or(*high)) : part.high;
        }
        return use.give(std::move(result));
    }
    if (x.function) {
        const auto clamped = tabulated(use, x.term(), [&](std::int64_t at) {
            WideReal y = x.function(at);
            if (low && y < wideNumber(*low))
                y = wideNumber(*low);
            return high && y > wideNumber(*high) ? wideNumber(*high) : y;
        });
        if (!clamped)
            return;
        result.function = *clamped;
        return use.give(std::move(result));
    }
    if (low) {
        result.low = std::max(*low, x.low.value_or(*low));
        if (result.high)
            result.high = std::max(*result.high, *low);
    }
    if (high) {
        result.high = std::min(*high, result.high.value_or(*high));
        if (result.low)
            result.low = std::min(*result.low, *high);
    }
    use.give(std::move(result));
}

void relu(const NodeUse& use) {
    if (const AffineTensor* x = use.affine(0, "an input"))
        giveClamped(use, *x, Rational(0), std::nullopt);
}

/// A bound of Clip: an attribute before opset 11, an input since.
bool clipBound(const NodeUse& use, const std::string& key, std::size_t k,
               std::optional<Rational>& bound) {
    if (use.node().has(key)) {
        const double value = use.node().real(key, 0);
        // Exporters write the largest floats for "none".
        if (std::isfinite(value) && std::abs(value) < 3e38)
            bound = exactly(value);
        return !std::isnan(value);
    }
    if (!use.has(k))
        return true;
    const KnownTensor* known = use.known(k, "bounds");
    if (!known || known->size() != 1)
        return false;
    if (!known->isQuantised() && isReal(known->raw->element) &&
        std::isinf(known->raw->reals.front()))
        return true;
    bound = numberAt(use, k, "bounds");
    return bound.has_value();
}

void clip(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    std::optional<Rational> low;
    std::optional<Rational> high;
    if (!x)
        return;
    if (!clipBound(use, "min", 1, low) || !clipBound(use, "max", 2, high) ||
        (low && high && *low > *high)) {
        use.fail("onnx-unsupported", "has bounds that are no two numbers in order");
        return;
    }
    giveClamped(use, *x, low, high);
}

/// Max is a clamp below, Min one above, where all inputs but one are constants.
template <bool greater>
void extreme(const NodeUse& use) {
    const AffineTensor* x = nullptr;
    std::optional<Rational> bound;
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        if (use.isAffine(k)) {
            if (x) {
                use.fail("onnx-unsupported", "compares two tensors that the network computes",
                         "compare with constants: Relu, Clip");
                return;
            }
            x = &use.input(k).affine;
            continue;
        }
        const auto number = numberAt(use, k, "bounds");
        if (!number)
            return;
        if (!bound || (greater ? *number > *bound : *number < *bound))
            bound = *number;
    }
    if (!x)
        x = use.affine(0, "an input");
    if (x)
        giveClamped(use, *x, greater ? bound : std::nullopt, greater ? std::nullopt : bound);
}

/// The function so far: what is pending of an activation of at most 8 bits.
std::optional<std::function<WideReal(std::int64_t)>> functionSoFar(const NodeUse& use,
                                                                   const AffineTensor& x) {
    if (x.function)
        return x.function;
    const bool simple = x.parts.empty() && x.terms.size() == 1 && !x.step &&
                        x.term().scale.isUniform() && x.offset.isUniform();
    if (!simple || ir::info(use.builder().value(x.term().value).type.scalar).bits > 8)
        return use.fail("onnx-unsupported", "is a function of numbers of more than 8 bits",
                        "quantise to 8 bits before the activation");
    const auto bound = [](const std::optional<Rational>& value) {
        return value ? std::optional(wideNumber(*value)) : std::nullopt;
    };
    return [scale = wideNumber(x.term().scale.value()), offset = wideNumber(x.offset.value()),
            low = bound(x.low), high = bound(x.high)](std::int64_t at) {
        const WideReal y = scale * at + offset;
        if (low && y < *low)
            return *low;
        return high && y > *high ? *high : y;
    };
}

void giveFunction(const NodeUse& use, const Function& f) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto before = x ? functionSoFar(use, *x) : std::nullopt;
    if (!before)
        return;
    AffineTensor result = *x;
    result.low.reset();
    result.high.reset();
    const auto table = tabulated(use, x->term(), [&](std::int64_t at) { return f((*before)(at)); });
    if (!table)
        return;
    result.function = *table;
    use.give(std::move(result));
}

WideReal sigmoid(const WideReal& x) {
    return 1 / (1 + exp(WideReal(-x)));
}

WideReal clampedLine(const WideReal& x, const WideReal& slope, const WideReal& offset) {
    const WideReal y = slope * x + offset;
    if (y < 0)
        return 0;
    return y > 1 ? WideReal(1) : y;
}

/// The attribute's float as the file has it.
WideReal attribute(const NodeUse& use, const std::string& key, float fallback) {
    return WideReal(use.node().real(key, static_cast<double>(fallback)));
}

void leakyRelu(const NodeUse& use) {
    giveFunction(use, [alpha = attribute(use, "alpha", 0.01F)](const WideReal& x) {
        return x < 0 ? WideReal(alpha * x) : x;
    });
}

void elu(const NodeUse& use) {
    giveFunction(use, [alpha = attribute(use, "alpha", 1.0F)](const WideReal& x) {
        return x < 0 ? WideReal(alpha * (exp(x) - 1)) : x;
    });
}

void selu(const NodeUse& use) {
    giveFunction(use, [alpha = attribute(use, "alpha", 1.67326319F),
                       gamma = attribute(use, "gamma", 1.05070102F)](const WideReal& x) {
        return WideReal(gamma * (x < 0 ? WideReal(alpha * (exp(x) - 1)) : x));
    });
}

void hardSigmoid(const NodeUse& use) {
    giveFunction(use,
                 [slope = attribute(use, "alpha", 0.2F), offset = attribute(use, "beta", 0.5F)](
                     const WideReal& x) { return clampedLine(x, slope, offset); });
}

void hardSwish(const NodeUse& use) {
    giveFunction(use, [](const WideReal& x) {
        return WideReal(x * clampedLine(x, WideReal(1) / 6, WideReal(0.5)));
    });
}

void gelu(const NodeUse& use) {
    const bool byTanh = use.node().text("approximate", "none") == "tanh";
    giveFunction(use, [byTanh](const WideReal& x) {
        const WideReal root = sqrt(WideReal(2));
        if (!byTanh)
            return WideReal(x * (1 + boost::math::erf(WideReal(x / root))) / 2);
        const WideReal pi = boost::math::constants::pi<WideReal>();
        const WideReal inner = sqrt(WideReal(2 / pi)) * (x + WideReal("0.044715") * x * x * x);
        return WideReal(x * (1 + tanh(inner)) / 2);
    });
}

template <WideReal (*f)(const WideReal&)>
void plainFunction(const NodeUse& use) {
    giveFunction(use, f);
}

WideReal tanhOf(const WideReal& x) {
    return tanh(x);
}
WideReal expOf(const WideReal& x) {
    return exp(x);
}
WideReal erfOf(const WideReal& x) {
    return boost::math::erf(x);
}
WideReal absOf(const WideReal& x) {
    return abs(x);
}
WideReal softplusOf(const WideReal& x) {
    return log(WideReal(1 + exp(x)));
}
WideReal softsignOf(const WideReal& x) {
    return x / (1 + abs(x));
}
WideReal swishOf(const WideReal& x) {
    return x * sigmoid(x);
}
WideReal mishOf(const WideReal& x) {
    return x * tanh(softplusOf(x));
}

} // namespace

void addFunctionNodes(HandlerTable& table) {
    table["Relu"] = relu;
    table["Clip"] = clip;
    table["Max"] = extreme<true>;
    table["Min"] = extreme<false>;
    table["LeakyRelu"] = leakyRelu;
    table["Elu"] = elu;
    table["Selu"] = selu;
    table["HardSigmoid"] = hardSigmoid;
    table["HardSwish"] = hardSwish;
    table["Gelu"] = gelu;
    table["com.microsoft.Gelu"] = gelu;
    table["Sigmoid"] = plainFunction<sigmoid>;
    table["Tanh"] = plainFunction<tanhOf>;
    table["Exp"] = plainFunction<expOf>;
    table["Erf"] = plainFunction<erfOf>;
    table["Abs"] = plainFunction<absOf>;
    table["Softplus"] = plainFunction<softplusOf>;
    table["Softsign"] = plainFunction<softsignOf>;
    table["Swish"] = plainFunction<swishOf>;
    table["Mish"] = plainFunction<mishOf>;
}

} // namespace marquetry::frontend::onnx
