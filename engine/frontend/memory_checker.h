// Syntax trees of `memory` items to checked memory programs (language.md, "Memories").
//
// Errors (reported): no-array, unknown-type, bad-dimension, too-large, bad-parameter, unknown-name,
// duplicate-name, rank-mismatch, number-too-large, too-many-lanes, no-access, never-inside (a
// reference whose address is never in the array), double-write (two writes of one cycle to one
// address, with the witness), inner-iterator (an end names its own or an inner iterator), open-end
// (nothing says how far an iterator with an unknown end runs). Warnings: sometimes-outside (how
// often a reference does not happen). A step or a parallelism larger than its range means the same
// as one that just covers it and is stored so. Complexity: O(lanes² · dims) plus at most
// ir::kEnumerationLimit steps per reference and for the writes that are not plain. Thread rule:
// pure.
#pragma once

#include "engine/frontend/memory_syntax.h"
#include "engine/frontend/reporter.h"
#include "engine/ir/memory_program.h"

#include <optional>

namespace marquetry::frontend {

/// Nothing when the memory has a mistake; it has been reported.
std::optional<ir::MemoryProgram> checkMemory(const MemorySyntax& memory, Reporter& reporter);

} // namespace marquetry::frontend
