// Softmax and layer normalisation in integers, and how far they are from the exact ones.
//
// Bounds are of every row of `length` elements, whatever it holds; docs/networks.md derives them.
// Faults go to the node's import. Thread rule: one import's own; the bounds are pure.
#pragma once

#include "engine/frontend/onnx/linear.h"

namespace marquetry::frontend::onnx {

/// The factor of exponents is right to as many bits, so that exponents of up to 2^12 steps are
/// wrong by no more of a step than kFactorError.
inline constexpr int kFactorBits = 24;
inline constexpr double kFactorError = 1.0 / (1 << 11);

/// Of every element the distance from the exact softmax, which is at most 1.
double softmaxBound(std::int64_t length);

/// exp(x) ÷ Σ exp(x) of each row, in 255ths.
std::optional<AffineTensor> softmaxOf(const NodeUse& use, const AffineTensor& x);

inline constexpr unsigned kMostFraction = 8;

/// Distances from (x − mean) ÷ √(variance + epsilon), for rows whose integers deviate by at least
/// 1, and for all.
struct NormBounds {
    double usual = 0, always = 0;
};
/// `fraction`: bits behind the point of the result; `scale`: a step of the input's integers.
NormBounds layerNormBounds(std::int64_t length, unsigned fraction, double epsilon, double scale);

} // namespace marquetry::frontend::onnx
