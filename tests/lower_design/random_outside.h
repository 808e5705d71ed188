// Random designs with values in external memory: chains of convolutions and pools with residual
// additions, some of whose layers are computed in bands of rows, in one run or several.
#pragma once

#include "tests/lower_design/random_windows.h"

namespace marquetry::test {

/// The same seed gives the same text: images of eight or sixteen channels.
std::string randomResidualText(std::uint64_t seed);

/// The design of that text with random values outside and random runs of bands; its weights stay on
/// the chip. Nothing where no value can be outside.
std::optional<TestDesign> randomOutside(std::uint64_t seed);

} // namespace marquetry::test
