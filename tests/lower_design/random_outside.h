// Random designs with values in external memory: chains of convolutions and pools with residual
// additions, some of whose layers are computed in bands of rows, in one run or several; and
// likewise with layers that move rows of images.
#pragma once

#include "tests/lower_design/random_windows.h"

namespace marquetry::test {

/// The same seed gives the same text: images of eight or sixteen channels.
std::string randomResidualText(std::uint64_t seed);

/// The design of that text with random values outside and random runs of bands; its weights stay on
/// the chip. Nothing where no value can be outside. `ahead` as in the request.
std::optional<TestDesign> randomOutside(std::uint64_t seed, std::size_t ahead = 0);

/// Images of any channels, of which some are joined, cut, repeated or made of blocks.
std::string randomMovedText(std::uint64_t seed);

/// The design of that text, without or with random runs of bands and values outside. Nothing where
/// no layer with moves is in a run that was asked for.
std::optional<TestDesign> randomMoved(std::uint64_t seed, bool bands, std::size_t ahead = 0);

/// Makes the weights of some calls external, behind a port of any width that activations can pass;
/// false: of none.
bool makeWeightsExternal(TestDesign& design, std::uint64_t seed);

} // namespace marquetry::test
