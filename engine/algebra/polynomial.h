// Weighted sums of the elements of one stream, as polynomials: the coefficient of z^d is the weight
// of the element that came d elements before.
//
// A kernel that can be computed as one kernel after another is the product of their polynomials. A
// 3 × 3 kernel on rows of W elements that is a column times a row is p(z^W) · q(z), and the kernel
// 1 4 6 4 1 is (1 + z)^4.
//
// Coefficients are integers, not modulo a width. Thread rule: pure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace marquetry::algebra {

/// Coefficients other than 0, by exponent ≥ 0.
using Polynomial = std::map<std::int64_t, std::int64_t>;

/// A term of a number in canonical signed digits: negative ? −2^shift : 2^shift.
struct Digit {
    int shift = 0;
    bool negative = false;
};
/// Least number of digits, ascending by shift.
std::vector<Digit> signedDigits(std::int64_t number);

/// Operators of two words that compute the polynomial of a stream, digit by digit.
int additions(const Polynomial& polynomial);

Polynomial product(const Polynomial& a, const Polynomial& b);

/// Polynomials whose product it is and that need fewer additions in all than it does, those with
/// the largest distances first; itself alone when none are known. Candidates are
/// ±1 ± 2^k z^d for the distances between exponents, and products of a polynomial in z^d with one
/// whose exponents are below d. Complexity: exponential in the number of factors, which is small.
std::vector<Polynomial> factors(const Polynomial& polynomial);

} // namespace marquetry::algebra
