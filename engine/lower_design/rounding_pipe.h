// A requantisation of a lane in registers: addend, rounded shift, offset, saturation.
//
// With half = 2^(s−1), a value v divided by 2^s and rounded is floor((v + c) / 2^s):
//   up    c = half              down  c = 0
//   away  c = half, less 1 where v < 0
//   even  c = half + tie; where the remainder is at most 2·tie, and so v within the tie of a half,
//         the lowest bit of the result is cleared: it was rounded up to an odd number.
// Thread rule: one builder.
#pragma once

#include "engine/design/schedule.h"
#include "engine/lower_design/lane_pipe.h"

#include <functional>

namespace marquetry::hdl {

/// One requantisation of a lane in all its modes.
struct RoundingModes {
    std::string name;
    std::vector<design::RequantStage> modes; ///< all enabled
    std::vector<bool> wraps;                 ///< by mode: modulo 2^32, instead of saturating
    int leastShift = 0;
    int mostShift = 0;
    /// One of these numbers, by the mode: a constant where all are equal.
    std::function<rtl::Expr(const std::string&, int, const std::vector<std::int64_t>&)> byMode;
    rtl::Expr mode; ///< its number; of no bits: there is one
};

/// `shift`: less the least one, unsigned; of no bits where all are alike.
Timed rounded(LanePipe& pipe, const RoundingModes& modes, Timed value, const Timed& shift);

/// Bits of a signed number that holds all values of the scalar.
int valueBitsOf(ir::Scalar scalar);

} // namespace marquetry::hdl
