// Weighted sums: what additions, subtractions and products with constants compute, written anew
// with fewer of them.
//
// Every maximal sum is a polynomial in each stream it is of (polynomial.h). The sum of one stream
// may be a product of smaller ones (`separable`); then sums of two terms that several sums contain,
// at whatever distance and weight, are computed once (`sums`; greedily, the most frequent first:
// Hartley, IEEE TCAS-II 43, 1996). All arithmetic is modulo the width, so nothing needs to be
// wider.
//
// Complexity: quadratic in the terms of a sum, times the sums shared. Thread rule: pure.
#pragma once

#include "engine/algebra/forest.h"

namespace marquetry::algebra {

struct SumParams {
    bool separate = true; ///< products of smaller sums
    bool share = true;    ///< common sums of two
    bool farFirst = true; ///< among equally frequent ones; else those at small distances
};

Forest withFewerSums(const Forest& forest, const SumParams& params);

} // namespace marquetry::algebra
