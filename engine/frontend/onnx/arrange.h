// Values of the program brought into the order and the dimensions that an operator reads.
//
// Faults go to the node's import. Thread rule: one import's own.
#pragma once

#include "engine/frontend/onnx/importer.h"

namespace marquetry::frontend::onnx {

/// The term's value held in this order, with these dimensions: the value itself where it is so.
std::optional<ir::ValueId> arranged(const NodeUse& use, const AffineTerm& term,
                                    const FlatLayout& wanted, const Dims& dims);

/// Dimensions of the shape in this order.
Dims ordered(const Dims& shape, const std::vector<std::size_t>& order);

/// In which order a result's dimensions are held that is made of this tensor along `axis`: channels
/// last for three dimensions and more, but as the file has them where the tensor is held so. An
/// image has no dimension of the batch, of which it is the only one.
std::vector<std::size_t> heldOrder(const AffineTensor& tensor, std::size_t axis);

/// The term with the channels of `numbers` as the last dimension of its value; the term itself
/// where that is so or there are no channels.
std::optional<AffineTerm> channelsLast(const NodeUse& use, const AffineTerm& term,
                                       const LayoutFactor& channel);

/// What the integers of the term are within, for each channel of `channel`.
std::vector<ir::Range> rangesOf(const NodeUse& use, const AffineTerm& term,
                                const LayoutFactor& channel);
/// Over all elements.
ir::Range rangeOf(const NodeUse& use, const AffineTerm& term);

} // namespace marquetry::frontend::onnx
