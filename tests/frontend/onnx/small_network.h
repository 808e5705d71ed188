// A network in ONNX that is small enough to be computed by hand: one convolution of 1 × 1 between a
// QuantizeLinear and a DequantizeLinear, "image.1" [batch, 2, 2, 3] to "result".
#pragma once

#include <cstdint>
#include <string>

namespace marquetry::test {

inline constexpr float kInputScale = 0.5F, kWeightScale = 0.25F, kOutputScale = 1.5F;
inline constexpr int kInputZero = 3, kOutputZero = -7;
/// Two results of two channels, 1 × 1.
inline constexpr std::int8_t kWeights[2][2] = {{3, -5}, {-7, 2}};

/// The bytes of its file.
std::string smallNetwork();

} // namespace marquetry::test
