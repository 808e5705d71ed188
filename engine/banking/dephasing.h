// Why the lanes of a group keep their distance, or do not, and which edits of the item restore
// lockstep (background/banking.md, "Lockstep and dephasing"). Internal to the module. Thread rule:
// pure.
#pragma once

#include "engine/banking/access.h"

namespace marquetry::banking {

/// What lets the lanes of the group drift apart, each cause once, outer loops first.
std::vector<Dephasing> dephasingsOf(const ir::MemoryNest& source, const ir::UnrolledNest& nest,
                                    const Group& group);

/// Group::why; `dephasings` are the group's.
std::string lockstepText(const ir::UnrolledNest& nest, const Group& group,
                         const std::vector<Dephasing>& dephasings);

} // namespace marquetry::banking
