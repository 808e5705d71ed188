// Pads of constants around activations.
//
// A padding stays pending where what reads it is a convolution, which has one itself, or a
// quantisation on the way there; everything else reads a tensor that the padding was made part of,
// by a sum pool with windows of one element. Faults go to the node's import: onnx-unsupported (more
// than two dimensions, a number that the integers do not hold), onnx-shape. Thread rule: one
// import's own.
#pragma once

#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/requantise.h"

namespace marquetry::frontend::onnx {

/// Whether the operator reads tensors with a pending padding.
bool readsPads(const OnnxNode& node);
/// The inputs of a node that reads none, made so. Faults leave a failed value.
void settlePads(const NodeUse& use);

/// The same elements without a pending padding.
std::optional<AffineTensor> padded(const NodeUse& use, const AffineTensor& tensor);
/// The tensor that the padding is around.
AffineTensor unpadded(const AffineTensor& tensor);

/// The integer that pads a grid; a fault when there is none that its scalar holds.
std::optional<std::int64_t> padInteger(const NodeUse& use, const GridTensor& grid,
                                       const Rational& value);

void addPadNodes(HandlerTable& table);

} // namespace marquetry::frontend::onnx
