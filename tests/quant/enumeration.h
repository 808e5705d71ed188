// Rounding and requantisation one accumulator at a time, in 128-bit integers: what the tests of
// engine/quant compare with. It shares no code with it.
#pragma once

#include "engine/quant/exact_factor.h"

#include <algorithm>
#include <optional>
#include <ostream>

namespace marquetry::quant {

// Another name for what -Wpedantic does not know.
__extension__ typedef __int128 Wide;

/// Numerator and denominator of a factor and an addend that fit 128 bits together.
struct SmallRequest {
    std::int64_t p = 1, q = 1; ///< x·p/q + c/q
    std::int64_t c = 0;
    std::int64_t lo = 0, hi = 0;
    RoundingMode mode = RoundingMode::Up;
    std::int64_t zero = 0, least = -128, greatest = 127;

    FactorRequest request() const {
        return {Rational(Integer(p), Integer(q)),
                Rational(Integer(c), Integer(q)),
                lo,
                hi,
                mode,
                zero,
                least,
                greatest};
    }
};

inline std::ostream& operator<<(std::ostream& out, const SmallRequest& r) {
    return out << r.p << "/" << r.q << " + " << r.c << "/" << r.q << " over " << r.lo << " … "
               << r.hi << " " << toString(r.mode) << " zero " << r.zero << " in " << r.least
               << " … " << r.greatest;
}

inline Wide wideFloor(Wide a, Wide b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

/// By comparing twice the remainder with the divisor.
inline Wide roundByRemainder(Wide a, Wide b, RoundingMode mode, Wide window = 0) {
    const Wide down = wideFloor(a, b), off = 2 * (a - down * b) - b;
    if (mode == RoundingMode::Down)
        return down;
    if (off > 2 * window)
        return down + 1;
    if (off < -2 * window)
        return down;
    if (mode == RoundingMode::Up)
        return down + 1;
    if (mode == RoundingMode::Away)
        return a > 0 ? down + 1 : down;
    return down % 2 == 0 ? down : down + 1;
}

inline std::int64_t expectedResult(const SmallRequest& r, std::int64_t x) {
    const Wide value = roundByRemainder(Wide(x) * r.p + r.c, r.q, r.mode) + r.zero;
    return static_cast<std::int64_t>(std::clamp<Wide>(value, r.least, r.greatest));
}

/// The formula of the operator. A divisor of 1 has no halves, and no window.
inline std::int64_t formulaResult(const SmallRequest& r, std::int64_t x, Wide mul, Wide add,
                                  unsigned shift, Wide tie) {
    const Wide value = x * mul + add;
    const Wide result =
        (shift == 0 ? value : roundByRemainder(value, Wide(1) << shift, r.mode, tie)) + r.zero;
    return static_cast<std::int64_t>(std::clamp<Wide>(result, r.least, r.greatest));
}

/// The first accumulator at which integers differ from the exact rounding.
inline std::optional<std::int64_t> firstDifference(const SmallRequest& r, Wide mul, Wide add,
                                                   unsigned shift, Wide tie) {
    for (std::int64_t x = r.lo; x <= r.hi; ++x)
        if (formulaResult(r, x, mul, add, shift, tie) != expectedResult(r, x))
            return x;
    return std::nullopt;
}

} // namespace marquetry::quant
