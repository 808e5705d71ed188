// Syntax trees to programs: names, types, shapes, ranges, sources.
//
// Every value gets its type, the exact range of its elements (wrapped to its scalar) and its
// multiply–accumulates. A statement that is wrong keeps its name, so later uses of it are silent.
//
// Errors (reported): see parser.h. Complexity: linear in the program but for names, O(log n) each.
// Thread rule: pure but for looking at weight files.
#pragma once

#include "engine/frontend/reporter.h"
#include "engine/frontend/syntax.h"
#include "engine/ir/program.h"

#include <optional>
#include <string>

namespace marquetry::frontend {

/// Nothing when the design has a mistake; it has been reported.
std::optional<ir::Program> checkDesign(const DesignSyntax& design, Reporter& reporter);

} // namespace marquetry::frontend
