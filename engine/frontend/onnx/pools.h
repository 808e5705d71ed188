// Pools of integers of one scale. Faults go to the node's import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/requantise.h"

namespace marquetry::frontend::onnx {

/// The greatest of each window; what is pending stays so where it is monotone.
std::optional<AffineTensor> maxPooled(const NodeUse& use, const AffineTensor& x);
/// The mean of each window, as an exact multiple of an integer.
std::optional<AffineTensor> averagePooled(const NodeUse& use, const AffineTensor& x);
/// The mean of all pixels.
std::optional<AffineTensor> globallyAveraged(const NodeUse& use, const AffineTensor& x);

} // namespace marquetry::frontend::onnx
