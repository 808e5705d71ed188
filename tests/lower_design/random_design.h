// Random small chains of convolutions, matrix–vector products and passes, for property tests.
#pragma once

#include "engine/support/rng.h"
#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// The same seed gives the same design: 1 … 4 layers on 1 … 3 units, odd extents and channel
/// counts, pads, strides, pools, requantisation, relu, residual additions, signed and unsigned.
TestDesign randomDesign(std::uint64_t seed);

/// Rows of a unit: powers of two and others, below, at and above the lanes of a word.
std::int64_t anyParallel(SplitMix64& rng);
/// Words that it takes at once: one in half of the cases.
std::int64_t anySpan(SplitMix64& rng);

} // namespace marquetry::test
