// Factors fitted to samples: least squares with a ridge, by coordinate descent.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace marquetry::test {

/// Holds factors at 1, the parts as counted, unless the samples say otherwise.
inline constexpr double kRidge = 0.3;

/// The terms of a sample over its truth, and how far the prediction by the factors so far is off.
template <std::size_t N>
struct FitRow {
    std::array<double, N> terms{};
    double rest = 0;
    double weight = 1; ///< of the square of `rest`
};

/// `terms` and `truth` in one unit, counted as parts of `scale`; all factors are 1.
template <std::size_t N>
FitRow<N> fitRow(std::array<double, N> terms, double truth, double scale) {
    FitRow<N> row{terms, -truth / scale};
    for (double& term : row.terms) {
        term /= scale;
        row.rest += term;
    }
    return row;
}

/// One round: each factor, not negative, to the least sum of weighed squares with the others as
/// they are.
template <std::size_t N>
void improve(std::vector<FitRow<N>>& rows, std::array<double, N>& factors) {
    for (std::size_t t = 0; t < N; ++t) {
        double square = 0;
        double slope = kRidge * (factors[t] - 1);
        for (const FitRow<N>& row : rows) {
            square += row.weight * row.terms[t] * row.terms[t];
            slope += row.weight * row.terms[t] * row.rest;
        }
        const double next = std::max(0.0, factors[t] - slope / (square + kRidge));
        for (FitRow<N>& row : rows)
            row.rest += (next - factors[t]) * row.terms[t];
        factors[t] = next;
    }
}

/// To two decimals.
template <std::size_t N>
void roundFactors(std::array<double, N>& factors) {
    for (double& factor : factors)
        factor = std::round(factor * 100) / 100;
}

} // namespace marquetry::test
