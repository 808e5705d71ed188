// Lower bounds on the banks of any scheme with one copy, of whatever form (background/banking.md,
// "Lower bounds").
//
// Lanes: a cycle with n addresses needs ⌈n / ports⌉ banks; found by running some cycles. Clique:
// with one port, addresses that pairwise meet in some cycle need a bank each. Colouring: banks
// colour the graph of addresses that meet; a part of it that has no k-colouring needs k + 1. Every
// bound comes with the addresses that prove it. Complexity: limited by fixed numbers of steps; a
// bound that would take longer is left lower. Thread rule: pure.
#pragma once

#include "engine/banking/search_result.h"

namespace marquetry::banking {

Bound laneBound(const AccessPattern& pattern);
/// At least `known`.
Bound graphBound(const AccessPattern& pattern, const Bound& known);

} // namespace marquetry::banking
