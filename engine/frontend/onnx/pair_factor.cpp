#include "engine/frontend/onnx/pair_factor.h"

#include "engine/support/checked_math.h"
#include "engine/support/text_stream.h"

namespace marquetry::frontend::onnx {
namespace {

using quant::Integer;
using quant::Rational;

constexpr unsigned kMostShift = 62;

/// The exact value is (p·x + q·y + r) / d.
struct CommonFraction {
    Integer p, q, r, d;
};

CommonFraction commonFraction(const PairRequest& request) {
    using boost::multiprecision::lcm;
    const auto& [a, b] = request.factors;
    const Rational& c = request.addend;
    const Integer d = lcm(lcm(a.denominator(), b.denominator()), c.denominator());
    return {a.numerator() * (d / a.denominator()), b.numerator() * (d / b.denominator()),
            c.numerator() * (d / c.denominator()), d};
}

struct Margin {
    Integer least = -1; ///< in 1 / (2·d); below 0: there are no values but ties
    std::int64_t ties = 0;
};

/// Over the pairs whose result is not saturated whatever an error of a half does.
Margin marginOf(const PairRequest& request, const CommonFraction& value) {
    Margin margin;
    const Integer whole = 2 * value.d;
    const Integer low = whole * (request.least - request.zero - 1);
    const Integer high = whole * (request.greatest - request.zero + 1);
    for (std::int64_t x = request.ranges[0].lo; x <= request.ranges[0].hi; ++x) {
        Integer number = 2 * (value.p * x + value.q * request.ranges[1].lo + value.r);
        for (std::int64_t y = request.ranges[1].lo; y <= request.ranges[1].hi; ++y) {
            if (number >= low && number <= high) {
                const Integer rest = number - quant::floorDiv(number, whole) * whole;
                const Integer away = abs(Integer(rest - value.d));
                margin.ties += away == 0 ? 1 : 0;
                if (away != 0 && (margin.least < 0 || away < margin.least))
                    margin.least = away;
            }
            number += 2 * value.q;
        }
    }
    return margin;
}

Integer nearest(const Rational& value) {
    return quant::rounded(value, quant::RoundingMode::Even);
}

Rational magnitude(const ir::Range& range) {
    return Rational(std::max(std::abs(range.lo), std::abs(range.hi)));
}

struct Scaled {
    Integer a, b, c;
    Rational error; ///< greatest, of the value
};

Scaled scaled(const PairRequest& request, unsigned shift) {
    const Rational step(quant::powerOfTwo(shift));
    Scaled result{nearest(request.factors[0] * step),
                  nearest(request.factors[1] * step),
                  nearest(request.addend * step),
                  {}};
    result.error =
        (request.factors[0] - Rational(result.a) / step).abs() * magnitude(request.ranges[0]) +
        (request.factors[1] - Rational(result.b) / step).abs() * magnitude(request.ranges[1]) +
        (request.addend - Rational(result.c) / step).abs();
    return result;
}

bool fits(const Scaled& numbers) {
    return quant::fitsInt32(numbers.a) && quant::fitsInt32(numbers.b) &&
           quant::fitsInt32(numbers.c);
}

/// The least window that holds every tie; nothing when it would hold others too.
std::optional<Integer> windowOf(const Scaled& numbers, const Rational& margin, bool ties,
                                unsigned shift) {
    const Rational step(quant::powerOfTwo(shift));
    if (!ties)
        return numbers.error < margin ? std::optional(Integer(0)) : std::nullopt;
    const Integer window = (numbers.error * step).ceil();
    const bool inside = window == 0 || Rational(2 * window) < step;
    if (inside && (numbers.error.isZero() || Rational(window) < (margin - numbers.error) * step))
        return window;
    return std::nullopt;
}

std::string proofText(const Scaled& numbers, const Rational& margin, const Margin& found) {
    std::ostringstream text;
    text << "exact for every pair: error at most " << numbers.error.toDouble()
         << ", nearest non-tie " << margin.toDouble() << " from a half, " << found.ties << " ties";
    return text.str();
}

Result<PairFactor> leastShift(const PairRequest& request, const Margin& found,
                              const Rational& margin) {
    for (unsigned shift = 0; shift <= kMostShift; ++shift) {
        const Scaled numbers = scaled(request, shift);
        if (!fits(numbers))
            break;
        if (numbers.error >= Rational(Integer(1), Integer(2)))
            continue;
        const auto window = windowOf(numbers, margin, found.ties > 0, shift);
        if (!window || (shift == 0 && *window > 0))
            continue;
        return PairFactor{{quant::toInt64(numbers.a), quant::toInt64(numbers.b)},
                          quant::toInt64(numbers.c),
                          request.zero,
                          shift,
                          quant::toInt64(*window),
                          found.ties == 0,
                          proofText(numbers, margin, found)};
    }
    return makeAnswer("requant-multiplier",
                      "no integers of 32 bits add the two tensors exactly: the nearest value is " +
                          std::to_string(margin.toDouble()) + " from a half",
                      "use scales with a simpler ratio, powers of two for example");
}

} // namespace

std::int64_t pairsOf(const PairRequest& request) {
    return saturatingMul(request.ranges[0].hi - request.ranges[0].lo + 1,
                         request.ranges[1].hi - request.ranges[1].lo + 1);
}

Result<PairFactor> pairFactor(const PairRequest& asked) {
    // An even number may be added behind the rounding to even as well: what is left is below 1.
    PairRequest request = asked;
    const Integer even = 2 * nearest(asked.addend / Rational(2));
    if (!quant::fitsInt32(even))
        return makeAnswer("requant-multiplier", "the tensors' offsets do not fit 32 bits");
    request.addend = asked.addend - Rational(even);
    request.zero = asked.zero + quant::toInt64(even);
    const CommonFraction value = commonFraction(request);
    const std::int64_t pairs = pairsOf(request);
    Margin margin;
    if (pairs <= kMostPairs)
        margin = marginOf(request, value);
    else if (isPowerOfTwo(value.d))
        margin = {Integer(1), 1};
    else
        return makeAnswer("requant-multiplier",
                          "the two tensors have " + std::to_string(pairs) +
                              " pairs of values, more than are looked at",
                          "use 8 bits, or scales that are powers of two");
    const Rational distance = margin.least < 0 ? Rational(Integer(1), Integer(2))
                                               : Rational(margin.least, Integer(2 * value.d));
    return leastShift(request, margin, distance);
}

} // namespace marquetry::frontend::onnx
