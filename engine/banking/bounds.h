// Lower bounds on the banks of any scheme with one copy, of whatever form (background/banking.md,
// "Lower bounds").
//
// Lanes: a cycle with n addresses needs ⌈n / ports⌉ banks; found by running some cycles. Clique:
// with one port, addresses that pairwise meet in some cycle need a bank each. Colouring: banks
// colour the graph of addresses that meet; a part of it that has no k-colouring needs k + 1. Every
// bound comes with the addresses that prove it. Complexity: limited by fixed numbers of steps; a
// bound that would take longer is left lower. Thread rule: pure.
#pragma once

#include "engine/banking/access.h"

#include <string>

namespace marquetry::banking {

/// Why no fewer banks do.
enum class Proof : std::uint8_t {
    None,
    Lanes,     ///< so many addresses in one cycle
    Clique,    ///< so many addresses each two of which meet in some cycle
    Colouring, ///< a set of addresses that so many banks cannot colour
    Exhausted  ///< every smaller number was searched: flat, hierarchical and lattice schemes
};
/// As in reports: "lanes", "clique", "colouring", "exhausted:flat,hierarchical,lattice", "".
std::string toString(Proof proof);

struct Bound {
    std::int64_t banks = 1;
    Proof by = Proof::Lanes;        ///< one of addresses
    std::vector<Address> addresses; ///< that need them
};

Bound laneBound(const Pattern& pattern);
/// At least `known`.
Bound graphBound(const Pattern& pattern, const Bound& known);

} // namespace marquetry::banking
