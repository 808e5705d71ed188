// Makes the words of a datapath as narrow as they can be. L_seq has scalars of 8, 16 and 32 bits
// only.
//
// Sums, differences, products and shifts to the left can be computed modulo any power of two. Cells
// that feed only outputs of few bits therefore need few bits themselves, and what is made of small
// inputs stays small.
//
// Requires: one leaf per atom on every port, all outputs used modulo 2^outputBits, all inputs below
// 2^inputBits. A datapath with other operators stays as it is. Complexity: linear in the cells.
// Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"

namespace marquetry::datapath {

/// False: nothing was changed.
bool narrow(Datapath& datapath, int inputBits, int outputBits);

} // namespace marquetry::datapath
