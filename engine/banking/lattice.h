// Sublattices of Z^n of a given index: all bank maps with blocks of one word
// (background/banking.md, "Bank maps").
//
// A bank map with B = 1 is a homomorphism. Its kernel is the lattice of address differences that
// keep the bank, and every sublattice of index N belongs to a map with N banks. Each sublattice has
// one Hermite normal form. Enumerating these forms therefore gives each map once, up to the
// numbering of its banks: flat maps (the quotient is cyclic), hierarchical maps (the form is
// diagonal) and everything between. Smith's normal form turns a lattice into a vector of flat maps
// with moduli s1 | s2 | …
// Thread rule: pure.
#pragma once

#include "engine/ir/memory_program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace marquetry::banking {

/// Rows generate the lattice; upper triangular, 0 ≤ h[i][j] < h[j][j] for i < j.
using HermiteForm = std::vector<std::vector<std::int64_t>>;

/// Calls visit for every sublattice of index `index` until it yields false; false when it did.
bool forEachSublattice(std::size_t rank, std::int64_t index,
                       const std::function<bool(const HermiteForm&)>& visit);

bool contains(const HermiteForm& lattice, const std::vector<std::int64_t>& vector);

/// The maps whose common kernel is the lattice, moduli above 1 only; at least one map.
std::vector<ir::FlatMap> mapsOf(const HermiteForm& lattice);

bool isDiagonal(const HermiteForm& lattice);
/// One map per dimension of a diagonal lattice.
std::vector<ir::FlatMap> hierarchicalMaps(const HermiteForm& lattice);

} // namespace marquetry::banking
