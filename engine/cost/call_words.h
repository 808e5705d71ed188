// Iterations in which a unit takes the words of a window.
//
// A row of a kernel is a run of stored words, one pixel's after the other's. A unit takes `span`
// neighbouring words in each iteration, wherever the run begins; the last iteration may have fewer.
// Thread rule: pure.
#pragma once

#include "engine/support/checked_math.h"

#include <cstdint>

namespace marquetry::cost {

struct WindowWords {
    std::int64_t rows = 1;   ///< of the kernel
    std::int64_t pixels = 1; ///< of one of its rows
    std::int64_t words = 1;  ///< stored ones of a pixel

    constexpr std::int64_t ofRow(std::int64_t span) const { return ceilDiv(pixels * words, span); }
    constexpr std::int64_t all(std::int64_t span) const { return rows * ofRow(span); }
};

} // namespace marquetry::cost
