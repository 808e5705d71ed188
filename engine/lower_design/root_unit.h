// ⌊√⌊value / N⌋⌋, a bit of the quotient and then of the root per clock.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"

namespace marquetry::hdl {

struct RootUnit {
    std::int64_t divisor = 1;
    int valueBits = 2;
    int rootBits = 1; ///< ⌈valueBits / 2⌉
};

/// The root, which stands 1 + rootBits clocks after `starts` where the divisor is a power of two,
/// else 2 + valueBits + rootBits. Both stay as they are until the next start.
Expr rootOf(rtl::Module& m, const Clocking& clocking, const RootUnit& unit, const Expr& starts,
            const Expr& value);

} // namespace marquetry::hdl
