// Random designs with values in external memory: chains of convolutions and pools with residual
// additions, some of whose layers are computed in bands of rows, in one run or several.
#pragma once

#include "tests/lower_design/random_windows.h"

namespace marquetry::test {

/// The same seed gives the same text: images of eight or sixteen channels.
std::string randomResidualText(std::uint64_t seed);

/// The design of that text with random values outside and random runs of bands; its weights stay on
/// the chip. Nothing where no value can be outside. `ahead` as in the request.
std::optional<TestDesign> randomOutside(std::uint64_t seed, std::size_t ahead = 0);

/// Makes the weights of some calls external, behind a port of any width that activations can pass;
/// false: of none.
bool makeWeightsExternal(TestDesign& design, std::uint64_t seed);

} // namespace marquetry::test
