// Moves (move.h) between the walks of two memories.
//
// Units: lanes, elements. Complexity: linear in the loops. Thread rule: pure.
#pragma once

#include "engine/design/move.h"

#include <optional>

namespace marquetry::design {

/// A walk over elements in row-major order without gaps as one over lanes. None where it leaves the
/// channels of a pixel otherwise than from its last one to the next pixel.
std::optional<Walk> storedWalk(const Walk& elements, const PixelLayout& layout);

/// The move between two walks over lanes, with the longest runs within a word of `lanes` that copy
/// nothing else.
Move alignedMove(const Walk& source, const Walk& target, std::int64_t lanes);

/// The move that visits the elements of two tensors, each in row-major order without gaps, along
/// `source` and `target`, with the longest runs within a word of `lanes`. None where a walk leaves
/// the channels of a pixel otherwise than from its last one to the next pixel.
std::optional<Move> makeMove(const Walk& source, const PixelLayout& sourceLayout,
                             const Walk& target, const PixelLayout& targetLayout,
                             std::int64_t lanes);

} // namespace marquetry::design
