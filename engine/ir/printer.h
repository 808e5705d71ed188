// Programs back to text: the language of `design` items, one value per line.
#pragma once

#include "engine/ir/program.h"

#include <string>

namespace marquetry::ir {

/// A `design` item that parses back to an equal program.
std::string print(const Program& program);

} // namespace marquetry::ir
