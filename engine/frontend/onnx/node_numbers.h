// Constants of a node as exact numbers, checked: scales, zero points, weights, parameters.
//
// Faults go to the node's import: onnx-scale (0, negative, denormal, infinite, not a number),
// onnx-zero-point, onnx-not-quantised, onnx-shape. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/importer.h"

namespace marquetry::frontend::onnx {

/// The constants broadcast to a tensor of this shape: one for all, or one for each channel.
std::optional<PerChannel> broadcastNumbers(const NodeUse& use, const KnownTensor& known,
                                           const Dims& shape);

/// Scales of a quantisation: input k; one, or one for each of dimension `axis` of `shape`.
std::optional<PerChannel> scalesAt(const NodeUse& use, std::size_t k, const Dims& shape,
                                   std::int64_t axis);
/// Scales that are broadcast.
std::optional<PerChannel> broadcastScales(const NodeUse& use, std::size_t k, const Dims& shape);

/// Zero points likewise; 0 when the input is left out.
std::optional<PerChannel> zerosAt(const NodeUse& use, std::size_t k, const Dims& shape,
                                  std::int64_t axis);
/// One integer for all. `element` is that of the numbers it belongs to.
std::optional<std::int64_t> zeroAt(const NodeUse& use, std::size_t k, Element element);

/// Whether every number is finite; else a fault.
bool allFinite(const NodeUse& use, const KnownTensor& known, const std::string& what);

/// The tensor as integers times scales; a fault for floats that are none.
std::optional<KnownTensor> integerWeights(const NodeUse& use, std::size_t k);

/// A constant list of integers; nothing and a fault when it is none.
std::optional<std::vector<std::int64_t>> integersAt(const NodeUse& use, std::size_t k,
                                                    const std::string& what);
/// One number. `what` is "the bit width".
std::optional<Rational> numberAt(const NodeUse& use, std::size_t k, const std::string& what);

/// −1 counts from the back; nothing and a fault outside.
std::optional<std::size_t> axisOf(const NodeUse& use, std::int64_t axis, std::size_t rank);

} // namespace marquetry::frontend::onnx
