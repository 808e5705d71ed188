// The figures that show why integers requantise exactly, for reports.
//
// The integers' value differs from the real one by at most `error` over the accumulators that
// decide, and every real value that is not a tie is at least `margin` away from where rounding
// changes. Where error < margin and there are no ties, equality is seen at once; the decision
// itself is finer (it looks at each threshold's own distance), and `verify` repeats it.
//
// Thread rule: value types.
#pragma once

#include "engine/quant/rational.h"

#include <string>

namespace marquetry::quant {

struct FactorProof {
    /// The accumulators that decide: those not saturated on either side, and the nearest saturated
    /// one of each side. All others are saturated alike.
    Integer first = 0, last = -1;
    /// Accumulators among them whose exact value is half between two results (an integer, when
    /// rounding down).
    Integer ties = 0;
    /// Least distance of the other ones' exact values from such a place; 0 when there are no
    /// others.
    Rational margin;
    /// Greatest |(x·mul + add) / 2^shift − (x·r + b)|.
    Rational error;
    /// Bits of mul in two's complement.
    unsigned mulBits = 1;
};

/// "exact for -1200 … 1187: error at most 1.2e-06, nearest non-tie 3.1e-05 from a half, 2 ties".
std::string text(const FactorProof& proof);

} // namespace marquetry::quant
