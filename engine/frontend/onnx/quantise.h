// QuantizeLinear, DequantizeLinear and Quant as functions, for the operators that contain them.
//
// Faults go to the node's import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/requantise.h"

namespace marquetry::frontend::onnx {

/// What a quantisation to an integer element does: inputs `scale` and `zero` of the node; the
/// element is that of the zero point, or `fallback` when there is none.
std::optional<QuantTarget> linearTarget(const NodeUse& use, std::size_t scale, std::size_t zero,
                                        Element fallback);

/// The real values of quantised input k: scale · (x − zero), of an activation.
std::optional<AffineTensor> dequantised(const NodeUse& use, std::size_t k, std::size_t scale,
                                        std::size_t zero);
/// Of known integers: the integers minus their zero points, with their scales along `axis`.
std::optional<KnownTensor> knownDequantised(const NodeUse& use, std::size_t k, std::size_t scale,
                                            std::size_t zero, std::int64_t axis);

/// Bits, signs and rounding of a Quant node.
struct QuantRange {
    std::int64_t least = 0, greatest = 0;
    quant::RoundingMode mode = quant::RoundingMode::Even;
};
std::optional<QuantRange> quantRange(const NodeUse& use);

/// What the graph's own first quantisation makes of a float input; nothing when the node is none.
struct InputGrid {
    Rational scale;
    std::int64_t zero = 0;
    std::int64_t least = 0, greatest = 0;
    bool operator==(const InputGrid&) const = default;
};
std::optional<InputGrid> inputGrid(const NodeUse& use);

} // namespace marquetry::frontend::onnx
