// Random designs of functions of elements: sums, differences and products of tensors, of rows of
// them and of weights, values added to themselves, averages that count no padding, tables of few
// bits, depth-wise convolutions with several results for each channel, 1-D stencils and products of
// vectors.
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// The same seed gives the same text.
std::string randomElementsText(std::uint64_t seed);
/// The design of that text, with random lanes and rows.
TestDesign randomElements(std::uint64_t seed);

} // namespace marquetry::test
