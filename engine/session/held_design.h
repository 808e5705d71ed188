// The design that a DESIGN.json holds, as far as the file says it.
//
// Anybody may have written the file: numbers are kept within what can be counted, and units that
// calls name and the file does not have are none. Complexity: linear in the file. Thread rule:
// pure.
#pragma once

#include "engine/session/design_file.h"

namespace marquetry::session {

/// With its schedule; without what is asked of an e-graph, alternatives and explanations.
design::Design designIn(const DesignFile& file);

/// As it is shown beside its program, which may have changed since.
HeldDesign heldDesign(const DesignFile& file, const ir::Program& program);

} // namespace marquetry::session
