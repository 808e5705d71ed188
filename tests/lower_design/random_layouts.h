// Random designs of operators that change where elements lie: slices, joined, reordered, repeated
// tensors, depth to space and views of any extents, with passes and convolutions between them.
#pragma once

#include "tests/lower_design/schedule_builder.h"

namespace marquetry::test {

/// The same seed gives the same text.
std::string randomLayoutsText(std::uint64_t seed);
/// The design of that text, with random lanes and rows.
TestDesign randomLayouts(std::uint64_t seed);

} // namespace marquetry::test
