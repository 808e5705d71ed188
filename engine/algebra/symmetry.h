// Symmetric kernels: what is multiplied by the same number is added first.
//
// A kernel on rows of W elements that is the same upside down has equal rows. The elements of two
// equal rows are added, and the row is computed once, of the sums. In polynomials (polynomial.h) a
// kernel is a sum of products, each of the places where a row begins and of the row.
//
// Thread rule: pure.
#pragma once

#include "engine/algebra/polynomial.h"

namespace marquetry::algebra {

struct EqualRows {
    Polynomial places; ///< 1 or -1; the first one is 1, at exponent 0
    Polynomial row;
};

/// The polynomial is the sum of the products. Rows may have any distance; it is the one for which
/// the fewest words are added when equal weights of all rows share their product as well. The
/// polynomial itself, in one place, when no distance is better than none. Complexity: quadratic in
/// the terms, with logarithms.
std::vector<EqualRows> equalRows(const Polynomial& polynomial);

} // namespace marquetry::algebra
