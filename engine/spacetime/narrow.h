// Words no wider than they need be: a datapath of sums, differences, products and shifts to the
// left computes modulo any power of two, so what only feeds outputs of few bits has few bits, and
// what is made of small inputs stays small. L_seq has scalars of 8, 16 and 32 bits alone.
//
// Requires: one leaf per atom on every port, all outputs used modulo 2^outputBits, all inputs below
// 2^inputBits. A datapath with other operators stays as it is. Complexity: linear in the cells.
// Thread rule: pure.
#pragma once

#include "engine/spacetime/lower_datapath.h"

namespace marquetry::spacetime {

/// False: nothing was changed.
bool narrow(Datapath& datapath, int inputBits, int outputBits);

} // namespace marquetry::spacetime
