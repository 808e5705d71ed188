// The answers of e-graphs that differ in the width of stored words, as one.
//
// A design reads and writes words of one width, so that the designs of a program are those of all
// its e-graphs: the best is the best of theirs, no design is faster than the least of their bounds,
// and a point is on the front where no point of another width covers it.
// Complexity: O(points²). Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

namespace marquetry::extract {

/// By width, narrowest first, at least one. Of equally good designs the first stays, without a
/// design the reasons of the first.
ExtractResult mergedWidths(std::vector<ExtractResult> byWidth, const ExtractParams& params);

} // namespace marquetry::extract
