// Programs back to text: the language of `design` and `memory` items, one value or nest per line.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/ir/program.h"

#include <string>

namespace marquetry::ir {

/// A `design` item that parses back to an equal program.
std::string print(const Program& program);

/// A `memory` item that parses back to the same accesses.
std::string print(const MemoryProgram& program);

/// "[1, 2, 3]".
std::string listText(const std::vector<std::int64_t>& numbers);

} // namespace marquetry::ir
