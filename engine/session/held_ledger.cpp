#include "engine/session/held_ledger.h"

#include "engine/design/make_ledger.h"
#include "engine/session/setup.h"

namespace marquetry::session {

design::Ledger ledgerOf(const DesignFile& file, const HeldDesign& held) {
    const auto setup = makeSetup(file.choices.settings, {});
    return design::makeLedger(*held.design, held.device,
                              setup ? setup->limits : held.device.limits);
}

} // namespace marquetry::session
