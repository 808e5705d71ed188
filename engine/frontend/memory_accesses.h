// What only the unrolled lanes of a memory program show: references that are never inside the
// array, how often the others are outside, and two writes of one cycle to one address.
//
// Reported: too-many-lanes, never-inside, double-write, sometimes-outside (a warning).
// Thread rule: pure.
#pragma once

#include "engine/frontend/reporter.h"
#include "engine/ir/memory_program.h"

namespace marquetry::frontend {

void checkAccesses(const ir::MemoryProgram& memory, Reporter& reporter);

} // namespace marquetry::frontend
