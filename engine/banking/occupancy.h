// How many addresses of an array lie in each bank: what a picture of the banks and a check of their
// balance need, without visiting the array.
//
// The residues of the maps form a finite group; the number of addresses per residue is found
// dimension by dimension, since a dimension's steps repeat with its period. Complexity: O(dims ·
// |group| · longest period), |group| = Π N·B over the maps. Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

namespace marquetry::banking {

/// Per bank of one copy; nothing when it would take more than 2^24 steps. The sum is the number of
/// addresses of the array.
std::optional<std::vector<std::int64_t>> wordsPerBank(const Scheme& scheme, const ir::Shape& dims);

} // namespace marquetry::banking
