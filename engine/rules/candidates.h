// Candidates that change the extents of a unit: what pads and tiles share.
// Thread rule: pure.
#pragma once

#include "engine/rules/catalog.h"

namespace marquetry::rules {

/// One candidate per size of `extent`: parameters {size, the extent}.
std::vector<Candidate> resized(const ir::UnitShape& shape, std::int64_t ir::UnitShape::*extent,
                               const std::vector<std::int64_t>& sizes);

/// The same of a convolution's channels, on which its columns depend.
std::vector<Candidate> withChannels(const ir::UnitShape& shape,
                                    const std::vector<std::int64_t>& sizes);

/// Parameters {height, width, the shape's height and width}.
Candidate withPixels(const ir::UnitShape& shape, std::int64_t height, std::int64_t width);

} // namespace marquetry::rules
