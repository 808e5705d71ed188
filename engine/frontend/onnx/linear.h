// Convolutions and matrices of known integer weights, on integers of one scale.
//
// Zero points go to the offset (Σ w·(x − z) = Σ w·x − z·Σ w), where padding has the value z; what
// the integers of the result are within is known for each channel from its weights. Faults go to
// the node's import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/requantise.h"

namespace marquetry::frontend::onnx {

/// Strides, pads and dilations of a convolution or pool of two dimensions.
struct WindowPlan {
    std::int64_t kernelH = 1, kernelW = 1; ///< as the file has them
    std::int64_t dilationH = 1, dilationW = 1;
    ir::PerAxis stride{1};
    ir::Pads pad{};
    std::int64_t heightOut = 0, widthOut = 0;

    ir::PerAxis extent() const {
        return {(kernelH - 1) * dilationH + 1, (kernelW - 1) * dilationW + 1};
    }
};

/// From the node's attributes; `shape` is [1, C, H, W] or [1, C, W]; `kernel` that of the weights,
/// or empty: the attribute's. With `ceil` the last window may start inside and end outside.
std::optional<WindowPlan> windowPlan(const NodeUse& use, const Dims& shape, const Dims& kernel,
                                     bool ceil = false);

/// conv(x, w) + bias. `weights` is [O, I/groups, KH, KW] or [O, I/groups, KW].
std::optional<AffineTensor> convolved(const NodeUse& use, const AffineTensor& x,
                                      const KnownTensor& weights,
                                      const std::optional<PerChannel>& bias);

/// x·w with w [K, N], or [N, K] when `transposed`.
std::optional<AffineTensor> multiplied(const NodeUse& use, const AffineTensor& x,
                                       const KnownTensor& weights, bool transposed);

/// a·b of two activations, whose zero points are taken off first; of each pair of matrices where
/// there are leading dimensions, which are the same.
std::optional<AffineTensor> activationProduct(const NodeUse& use, const AffineTensor& a,
                                              const AffineTensor& b);

/// The integers of a grid tensor minus its zero point, in a scalar that holds them.
std::optional<ir::ValueId> withoutZero(const NodeUse& use, const GridTensor& grid,
                                       ir::ValueId value);

/// A convolution's [1, C, H, W] of a shape; nothing and a fault for other ranks and batches.
std::optional<Dims> imageShape(const NodeUse& use, const Dims& shape);

/// a · factor + addend, exactly.
std::optional<AffineTensor> affineMap(const NodeUse& use, const AffineTensor& tensor,
                                      const PerChannel& factor, const PerChannel& addend);

} // namespace marquetry::frontend::onnx
