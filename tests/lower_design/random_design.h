// Random small chains of convolutions, matrix–vector products and passes, for property tests.
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// The same seed gives the same design: 1 … 4 layers on 1 … 3 units, odd extents and channel
/// counts, pads, strides, pools, requantisation, relu, residual additions, signed and unsigned.
TestDesign randomDesign(std::uint64_t seed);

} // namespace marquetry::test
