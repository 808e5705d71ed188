#include "engine/quant/real_function.h"

#include "engine/quant/gauss_error.h"

#include <boost/math/constants/constants.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace marquetry::quant {
namespace {

constexpr std::array<std::pair<RealFunction, std::string_view>, 13> kNames = {{
    {RealFunction::Identity, "identity"},
    {RealFunction::Relu, "relu"},
    {RealFunction::LeakyRelu, "leaky-relu"},
    {RealFunction::HardSigmoid, "hard-sigmoid"},
    {RealFunction::HardSwish, "hard-swish"},
    {RealFunction::Sigmoid, "sigmoid"},
    {RealFunction::Tanh, "tanh"},
    {RealFunction::Erf, "erf"},
    {RealFunction::Gelu, "gelu"},
    {RealFunction::GeluTanh, "gelu-tanh"},
    {RealFunction::Silu, "silu"},
    {RealFunction::Exp, "exp"},
    {RealFunction::Elu, "elu"},
}};

RealValue exactly(Rational value) {
    return {std::move(value), 0, std::nullopt};
}

RealValue nearly(Rational value, int nudge) {
    return {std::move(value), nudge, std::nullopt};
}

RealValue about(Digits120 value) {
    return {{}, 0, std::move(value)};
}

Digits120 digitsOf(const Rational& x) {
    return Digits120(x.numerator()) / Digits120(x.denominator());
}

Rational clamped01(const Rational& x) {
    return std::clamp(x, Rational(0), Rational(1));
}

Digits120 sigmoid(const Digits120& x) {
    return 1 / (1 + exp(-x));
}

/// erf(x·√(square / x²)), added to `base` while it is in fixed point: 1 + erf keeps its digits
/// where erf is nearly −1.
Digits120 withErrorFunction(int base, const Rational& x, const Rational& square) {
    const unsigned bits = errorFunctionBits(square);
    const Integer value = x.sign() * errorFunction(square, bits) + (Integer(base) << bits);
    return ldexp(Digits120(value), -static_cast<int>(bits));
}

/// Where 1 − |f| is below 10^-60 for the functions that tend to 1 or −1.
Rational far(RealFunction function) {
    if (function == RealFunction::Erf)
        return Rational(12);
    return Rational(function == RealFunction::Gelu ? 20 : 200);
}

/// Where f is below 10^-430 for the functions that tend to 0.
Rational nothing(RealFunction function) {
    const bool square = function == RealFunction::Gelu || function == RealFunction::GeluTanh;
    return Rational(square ? -45 : -1'000'000);
}

/// Below this x² is nothing beside x.
const Rational& tiny() {
    static const Rational kTiny(Integer(1), boost::multiprecision::pow(Integer(10), 40));
    return kTiny;
}

/// The first terms of the power series say on which side of a rational the value is.
RealValue nearZero(RealFunction function, const FunctionParams& params, const Rational& x) {
    switch (function) {
    case RealFunction::Sigmoid:
        return nearly(Rational(1, 2), x.sign());
    case RealFunction::Exp:
        return nearly(Rational(1), x.sign());
    case RealFunction::Tanh:
        return nearly(x, -x.sign());
    case RealFunction::Elu:
        return nearly(params.alpha * x, params.alpha.sign());
    case RealFunction::Erf:
        return about(digitsOf(x) * boost::math::constants::two_div_root_pi<Digits120>());
    default: // gelu in both forms, silu: x/2 + c·x², c > 0
        return nearly(x / Rational(2), 1);
    }
}

/// Far to the right; of elu the rational part was done.
RealValue farRight(RealFunction function, const Rational& x) {
    switch (function) {
    case RealFunction::Sigmoid:
    case RealFunction::Tanh:
    case RealFunction::Erf:
        return nearly(Rational(1), -1);
    default: // gelu in both forms, silu
        return nearly(x, -1);
    }
}

/// Far to the left, for the functions that do not tend to 0 there.
RealValue farLeft(RealFunction function, const FunctionParams& params) {
    if (function == RealFunction::Elu)
        return nearly(-params.alpha, params.alpha.sign());
    return nearly(Rational(-1), 1);
}

Digits120 byDigits(RealFunction function, const FunctionParams& params, const Rational& exact) {
    const Digits120 x = digitsOf(exact);
    using namespace boost::math::constants;
    switch (function) {
    case RealFunction::Sigmoid:
        return sigmoid(x);
    case RealFunction::Tanh: {
        const Digits120 square = exp(-2 * abs(x));
        const Digits120 value = (1 - square) / (1 + square);
        return x < 0 ? Digits120(-value) : value;
    }
    case RealFunction::Erf:
        return withErrorFunction(0, exact, exact * exact);
    case RealFunction::Gelu:
        return x / 2 * withErrorFunction(1, exact, exact * exact / Rational(2));
    case RealFunction::GeluTanh: {
        const Digits120 cubic = x + Digits120(44715) / 1'000'000 * x * x * x;
        return x * sigmoid(2 * cubic * root_two_div_pi<Digits120>());
    }
    case RealFunction::Silu:
        return x * sigmoid(x);
    case RealFunction::Elu:
        return digitsOf(params.alpha) * (exp(x) - 1);
    default:
        return exp(x);
    }
}

bool tendsToOneRight(RealFunction function) {
    return function != RealFunction::Exp && function != RealFunction::Elu;
}

bool staysAwayLeft(RealFunction function) {
    return function == RealFunction::Tanh || function == RealFunction::Erf ||
           function == RealFunction::Elu;
}

RealValue transcendental(RealFunction function, const FunctionParams& params, const Rational& x) {
    if (x.abs() < tiny())
        return nearZero(function, params, x);
    if (x > far(function) && tendsToOneRight(function))
        return farRight(function, x);
    if (x < -far(function) && staysAwayLeft(function))
        return farLeft(function, params);
    if (x < nothing(function))
        return nearly(Rational(0),
                      function == RealFunction::Sigmoid || function == RealFunction::Exp ? 1 : -1);
    // Saturates whatever the scale is (kScaleBits).
    if (x > Rational(1'000'000))
        return nearly(Rational(powerOfTwo(4096)), 1);
    return about(byDigits(function, params, x));
}

Rational valueAtZero(RealFunction function) {
    if (function == RealFunction::Sigmoid)
        return Rational(1, 2);
    return Rational(function == RealFunction::Exp ? 1 : 0);
}

} // namespace

std::string_view toString(RealFunction function) {
    for (const auto& [known, name] : kNames)
        if (known == function)
            return name;
    return "";
}

std::optional<RealFunction> realFunctionNamed(std::string_view name) {
    for (const auto& [function, known] : kNames)
        if (known == name)
            return function;
    return std::nullopt;
}

RealValue evaluate(RealFunction function, const FunctionParams& params, const Rational& x) {
    const bool negative = x.sign() < 0;
    switch (function) {
    case RealFunction::Identity:
        return exactly(x);
    case RealFunction::Relu:
        return exactly(negative ? Rational(0) : x);
    case RealFunction::LeakyRelu:
        return exactly(negative ? params.alpha * x : x);
    case RealFunction::HardSigmoid:
        return exactly(clamped01(params.alpha * x + params.beta));
    case RealFunction::HardSwish:
        return exactly(x * clamped01(x / Rational(6) + Rational(1, 2)));
    case RealFunction::Elu:
        if (!negative || params.alpha.isZero())
            return exactly(negative ? Rational(0) : x);
        break;
    default:
        break;
    }
    if (x.isZero())
        return exactly(valueAtZero(function));
    return transcendental(function, params, x);
}

} // namespace marquetry::quant
