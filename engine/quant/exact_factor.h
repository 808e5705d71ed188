// Requantisation of one accumulator by integers that equal the exact rounding.
//
// In:  x·r + b with r and b exact, for all x of lo … hi; how it is rounded; the zero point and the
//      bounds of the result.
// Out: integers with saturate(R((x·mul + add) / 2^shift) + zero) equal to saturate(round(x·r + b) +
//      zero) for every x of lo … hi. The shift is the least for which there are any integers, and
//      mul the least in magnitude for that shift; tie is the least there is for them, and add the
//      one nearest to 0. Decided by floors of lines, never by trying every x
//      (requantisation.md, "All integers at once", "The least shift").
// Under half to even `tie` is a window: a value whose low `shift` bits lie within it of 2^(shift−1)
// counts as a tie. It is 0 where no window is needed, as always under the other modes.
//
// Errors: requant-range (bounds without a value between them, an accumulator without values),
// requant-multiplier (an answer when mul, add or tie do not fit 32 bits or the shift would exceed
// 62; the message says what would be needed). Complexity: O(log²) of the range and of r's terms.
// Thread rule: pure.
#pragma once

#include "engine/quant/factor_proof.h"
#include "engine/quant/rational.h"
#include "engine/support/result.h"

#include <cstdint>
#include <optional>

namespace marquetry::quant {

inline constexpr unsigned kMaxShift = 62;

struct FactorRequest {
    Rational factor;             ///< r, of any sign
    Rational addend;             ///< b, in steps of the result
    std::int64_t lo = 0, hi = 0; ///< of the accumulator, both reached
    RoundingMode mode = RoundingMode::Even;
    std::int64_t zero = 0;                     ///< added after rounding
    std::int64_t least = -128, greatest = 127; ///< of the result, zero point included
};

struct ExactFactor {
    std::int64_t mul = 0;
    std::int64_t add = 0;
    unsigned shift = 0;
    std::int64_t tie = 0;
    /// The same numbers with half up and no window are exact too: the cheaper hardware will do.
    bool halfUpWill = false;
    FactorProof proof;
};

/// The integers alone, of any size.
struct RoundedIntegers {
    Integer mul, add;
    unsigned shift = 0;
    Integer tie;
};

/// Whether the request can be answered at all.
Status check(const FactorRequest& request);

Result<ExactFactor> exactFactor(const FactorRequest& request);

/// Half to even where every tie that is reached goes up: the same request with half up, which has
/// the same results and needs neither a window nor a look at ties, but may need a longer shift.
/// None where the results differ or another mode is asked for.
std::optional<FactorRequest> asHalfUp(const FactorRequest& request);

/// The result the real numbers have, and the one the integers have, for one accumulator.
std::int64_t exactResult(const FactorRequest& request, std::int64_t accumulator);
std::int64_t integerResult(const FactorRequest& request, const ExactFactor& answer,
                           std::int64_t accumulator);

/// Likewise for integers of any size.
std::int64_t integerResult(const FactorRequest& request, const RoundedIntegers& numbers,
                           std::int64_t accumulator);

/// Decides anew whether the integers equal the exact rounding over the whole range, by sums of
/// floors. With the search it shares where results saturate, and nothing else. O(log) of the range.
bool verify(const FactorRequest& request, const ExactFactor& answer);
/// Likewise for integers of any size.
bool sameResults(const FactorRequest& request, const RoundedIntegers& numbers);

} // namespace marquetry::quant
