// Functions of one real number at exact rational points.
//
// A value is rational (the piecewise linear functions, and the others where they meet one), or
// differs from a rational by next to nothing in a known direction (far out and near 0), or is a
// number of 120 digits. Of those a relative error of 10^-60 is assumed, which leaves the library's
// functions 60 digits for rounding and cancellation (requantisation.md, "Tables").
//
// Thread rule: pure.
#pragma once

#include "engine/quant/rational.h"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <optional>
#include <string_view>

namespace marquetry::quant {

enum class RealFunction : std::uint8_t {
    Identity,
    Relu,        ///< max(0, x)
    LeakyRelu,   ///< x, or alpha·x below 0
    HardSigmoid, ///< max(0, min(1, alpha·x + beta))
    HardSwish,   ///< x·max(0, min(1, x/6 + 1/2))
    Sigmoid,     ///< 1 / (1 + e^−x)
    Tanh,
    Erf,
    Gelu,     ///< x·(1 + erf(x/√2)) / 2
    GeluTanh, ///< x·(1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2
    Silu,     ///< x·sigmoid(x)
    Exp,
    Elu, ///< x, or alpha·(e^x − 1) below 0
};

std::string_view toString(RealFunction function);
std::optional<RealFunction> realFunctionNamed(std::string_view name);

struct FunctionParams {
    Rational alpha, beta;
};

using Digits120 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<120>,
                                                boost::multiprecision::et_off>;

struct RealValue {
    /// The value, or what it differs from; unless `digits` has it.
    Rational rational;
    /// Sign of value − rational. If it is not 0 they differ by less than 10^-38 times the
    /// rational; by less than 10^-430 where that is 0.
    int nudge = 0;
    std::optional<Digits120> digits;
};

RealValue evaluate(RealFunction function, const FunctionParams& params, const Rational& x);

} // namespace marquetry::quant
