// The ledger of a design as a DESIGN.json holds it: of its schedule, and of what the file says of
// units, calls and memories. What the file does not say is nothing; what cannot be exported has no
// rows. Thread rule: pure.
#pragma once

#include "engine/design/ledger.h"
#include "engine/session/design_file.h"

namespace marquetry::session {

/// `held`: the same design as it is shown (held_design.h).
design::Ledger ledgerOf(const DesignFile& file, const HeldDesign& held);

} // namespace marquetry::session
