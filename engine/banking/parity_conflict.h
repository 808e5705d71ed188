// The conflict test of XOR-linear schemes (background/banking.md, "XOR-linear maps").
//
// Carries make the XOR of two addresses depend on both, so the first addresses of a collision are
// run through: one by one where they are few, otherwise as the residues modulo the powers of two
// that the masks look at. Exact up to 2^20 of either, above that possibly too careful.
// Internal to the module. Thread rule: pure.
#pragma once

#include "engine/banking/conflict.h"

namespace marquetry::banking {

/// collides() for parity maps.
bool parityCollides(Maps maps, const Collision& collision);

/// banksSeen() for parity maps.
std::vector<bool> parityBanksSeen(Maps maps, const Visited& visited);

} // namespace marquetry::banking
