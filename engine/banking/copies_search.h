// Schemes with several copies of the array (background/banking.md, "Copies").
//
// Copies share out the readers, so that each copy needs fewer banks; for accesses that may meet
// anywhere (a gather beside a strided access) they are all that helps. For each small number of
// banks the maps that need the fewest copies are kept: sublattices of that index, and where these
// need more copies than the addresses of one cycle, blocks along one dimension.
//
// Deterministic for the same allowances. Internal to the module. Thread rule: pure.
#pragma once

#include "engine/banking/pattern.h"
#include "engine/banking/scheme.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace marquetry::banking {

struct CopiesProblem {
    std::int64_t mostCopies = 4;
    std::int64_t belowBanks = 33; ///< with so many, one copy does
    std::int64_t lanes = 1;       ///< addresses of the widest cycle
    /// Called before each part of the search with what it may spend.
    std::function<void(std::int64_t)> allow;
    /// Called before each test with its cost in conflict tests; false: this part is over.
    std::function<bool(std::int64_t)> spend;
};

/// Conflict-free schemes of two and more copies, fewest banks first.
std::vector<Scheme> schemesWithCopies(const AccessPattern& pattern, const CopiesProblem& problem);

/// The scheme with the copies that the readers are assigned to (assignCopies).
Scheme withAssignment(Scheme scheme, std::vector<std::vector<std::int64_t>> copyOf);

} // namespace marquetry::banking
