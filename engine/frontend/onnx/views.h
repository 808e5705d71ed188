// Operators that rearrange elements: of constants by moving numbers, of activations by layouts and
// views. Faults go to the node's import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/handlers.h"

namespace marquetry::frontend::onnx {

std::optional<AffineTensor> transposedTensor(const NodeUse& use, const AffineTensor& tensor,
                                             const std::vector<std::size_t>& order);
std::optional<KnownTensor> transposedKnown(const NodeUse& use, const KnownTensor& known,
                                           const std::vector<std::size_t>& order);

/// Elements from … until of one dimension.
struct SlicePart {
    std::size_t axis = 0;
    std::int64_t from = 0, until = 0;
};
std::optional<AffineTensor> slicedTensor(const NodeUse& use, const AffineTensor& tensor,
                                         const SlicePart& part);

/// Slice, Split, Gather of activations.
void addSliceNodes(HandlerTable& table);

} // namespace marquetry::frontend::onnx
