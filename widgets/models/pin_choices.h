// What can be pinned from a subject, in words a menu shows.
//
// Unit classes: share / never share, by the unit's name. E-nodes of units: force the term in one
// layer's call, for each layer that can reach it, or forbid it everywhere. A choice that is already
// pinned carries the pin's id instead, and choosing it takes the pin away.
// The first choice is what Space does: force or release the term at hand, or share or release the
// unit. Thread rule: pure.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <QString>

#include <vector>

namespace marquetry::widgets {

struct PinChoice {
    QString text;    ///< "Force TiledMv[288, 576] in fc"
    design::Pin pin; ///< its id is 0, or that of the pin to take away
    bool pinned() const { return pin.id != 0; }
};

/// At most this many layers are offered for forcing one term.
inline constexpr std::size_t kMaxForceLayers = 12;

std::vector<PinChoice> pinChoices(const SnapshotIndex& index, const Subject& subject);

/// The unit class a subject stands for; invalid when there is none.
egraph::EClassId unitClassOf(const SnapshotIndex& index, const Subject& subject);

} // namespace marquetry::widgets
