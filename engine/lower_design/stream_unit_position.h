// Where the pixels of a stream unit stand: which of them end a window that is kept, and where that
// lies in its pool window. Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"

namespace marquetry::hdl {

/// One axis of the pixels that come in: where windows end that the convolution keeps, and where
/// those lie in their pool window.
struct Axis {
    const char* name;
    std::int64_t extent;  ///< pixels in
    std::int64_t results; ///< windows
};

/// Bits of the pixel at hand. `first` and `last` of a pool window: of no bits without pooling.
struct AxisPosition {
    Expr end; ///< the last pixel
    Expr taken, first, last;
};

/// Adds the counters of an axis. `advance`: the clocks in which it moves on. `end`: a wire that is
/// driven here.
AxisPosition axisPosition(rtl::Module& m, const Clocking& clocking, const StreamUnitPlan& unit,
                          const Axis& axis, const Expr& advance, const Expr& end);

} // namespace marquetry::hdl
