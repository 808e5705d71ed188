#include "engine/quant/gauss_error.h"

#include "engine/support/assert.h"

namespace marquetry::quant {
namespace {

/// atan(1 / x)·2^bits.
Integer arcTangent(unsigned x, unsigned bits) {
    Integer power = powerOfTwo(bits) / x, sum = power;
    for (unsigned n = 1; power != 0; ++n) {
        power /= -Integer(x * x);
        sum += power / (2 * n + 1);
    }
    return sum;
}

/// Machin's formula, with a few bits more than are asked for.
Integer pi(unsigned bits) {
    constexpr unsigned kGuard = 24;
    return (16 * arcTangent(5, bits + kGuard) - 4 * arcTangent(239, bits + kGuard)) >> kGuard;
}

} // namespace

unsigned errorFunctionBits(const Rational& square) {
    return 440 + 3 * static_cast<unsigned>(square.ceil());
}

// erf t = 2/√π · t · Σ (−t²)^n / (n!·(2n + 1)), where 2/√π · t is the root of 4·t²/π.
Integer errorFunction(const Rational& square, unsigned bits) {
    ENGINE_ASSERT(square.sign() >= 0 && square <= Rational(1024),
                  "the series is for small squares");
    const Integer scaled = (square.numerator() << bits) / square.denominator();
    Integer term = powerOfTwo(bits), sum = 0;
    for (int n = 0; term != 0; ++n) {
        sum += term / (2 * n + 1);
        // Towards 0 for both signs, so that the terms end.
        term = -(term * scaled / (n + 1)) / powerOfTwo(bits);
    }
    const Integer factor = boost::multiprecision::sqrt(
        Integer((4 * square.numerator() << (3 * bits)) / (square.denominator() * pi(bits))));
    return (factor * sum) >> bits;
}

} // namespace marquetry::quant
