// The conflict test: whether a scheme ever sends more accesses of a cycle to a bank than it has
// ports (background/banking.md, "Conflict test"; no external solver).
//
// With one map, let u = α·x for the first address, and let the others be d = α·Δ further. They all
// lie in one bank exactly if, for r = u mod B, every d mod N·B is below B − r or at least N·B − r.
// That is an interval of r. The values of r that occur are a coset of a subgroup of Z_B as soon as
// one counter runs long enough; the other counters are enumerated. With several maps, all of them
// look at the same x. Maps that move with different counters are tested one by one, others have
// their residues enumerated together.
//
// Parity maps have a test of their own (parity_conflict.h).
//
// The test is exact, but unresolved lanes count as colliding. Complexity O(maps · ports · dims) per
// collision for B = 1, and the short counters' trips for B > 1. Thread rule: pure, one object per
// thread.
#pragma once

#include "engine/banking/access.h"

#include <optional>
#include <span>

namespace marquetry::banking {

using Maps = std::span<const ir::FlatMap>;

/// Whether the addresses of the collision ever lie in one bank.
bool collides(Maps maps, const Collision& collision);

/// The first of the pattern's collisions that the maps do not separate.
std::optional<std::size_t> firstConflict(Maps maps, const AccessPattern& pattern);

/// Which banks of one copy a lane ever uses: one flag per bank. Exact up to 2^16 residues, above
/// that possibly too many.
std::vector<bool> banksSeen(Maps maps, const Visited& visited);

/// Assigns readers to the fewest copies found (greedy in lane order); nothing when writers collide
/// or more than `most` copies would be needed.
std::optional<std::vector<std::vector<std::int64_t>>>
assignCopies(Maps maps, const AccessPattern& pattern, std::int64_t most);

} // namespace marquetry::banking
