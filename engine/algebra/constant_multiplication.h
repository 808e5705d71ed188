// Multiple-constant multiplication: weighted sums, which are what additions, subtractions and
// products with constants compute, are written anew with fewer operators.
//
// Every maximal sum is a polynomial in each of its streams (polynomial.h). First the sum of one
// stream may become a product of smaller ones (`separable`). Then terms with equal weights may be
// added before they are multiplied (`symmetry`, symmetry.h). Then a sum of two terms that occurs in
// several sums, at whatever distance and weight, is computed once (`sums`). These are found
// greedily, the most frequent first: Hartley, IEEE TCAS-II 43, 1996. All arithmetic is modulo the
// width, so nothing needs to be wider.
//
// Complexity: quadratic in the terms of a sum, times the sums shared. Thread rule: pure.
#pragma once

#include "engine/algebra/dataflow_graph.h"

namespace marquetry::algebra {

struct SumParams {
    bool separate = true; ///< products of smaller sums
    bool share = true;    ///< common sums of two
    bool farFirst = true; ///< among equally frequent ones; else those at small distances
    bool fold = false;    ///< equal weights first
};

DataflowGraph withFewerSums(const DataflowGraph& dataflow, const SumParams& params);

} // namespace marquetry::algebra
