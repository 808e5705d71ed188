// A filter along the lines of an image, whose lines are stored as words of several neighbours: each
// word of results takes its own word and some beside it, with the same numbers everywhere.
//
// Unit: words. Complexity: O(1). Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <optional>

namespace marquetry::ir {

struct WordStencil {
    std::int64_t lines = 1;  ///< of the image
    std::int64_t width = 1;  ///< of a line of results
    std::int64_t before = 0; ///< that a word of results takes before its own
    std::int64_t words = 1;  ///< that it takes together
};

/// Of a layer of conv1d_w in words of so many lanes. None where lines are shorter than a word or
/// the whole line as one row of a matrix is less work, and where padding would have to be behind
/// lanes that hold no pixel.
std::optional<WordStencil> wordStencil(const Program& program, const Layer& layer,
                                       std::int64_t lanes);

} // namespace marquetry::ir
