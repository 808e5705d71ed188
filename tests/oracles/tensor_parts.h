// Parts of tensors, cut out and put back. Thread rule: pure.
#pragma once

#include "engine/ir/op.h"

#include <cstdint>
#include <vector>

namespace marquetry::rules {

std::size_t indexOf(std::int64_t index);

ir::Tensor zeros(ir::Scalar scalar, ir::Shape dims);

/// Copies a box of `from` that starts at `fromStart` to `to` at `toStart`; what lies outside either
/// tensor is left alone.
struct Box {
    std::vector<std::int64_t> fromStart;
    std::vector<std::int64_t> toStart;
    std::vector<std::int64_t> extent;
};
void copyBox(const ir::Tensor& from, ir::Tensor& to, const Box& box);

/// A tensor of `dims` cut out of `from` at `start`; zeros where it reaches past the end.
ir::Tensor slice(const ir::Tensor& from, std::vector<std::int64_t> start, const ir::Shape& dims);

void accumulate(ir::Tensor& sum, const ir::Tensor& part);

/// The tensor at `index` of the first dimension.
ir::Tensor plane(const ir::Tensor& from, std::int64_t index);
void setPlane(ir::Tensor& to, std::int64_t index, const ir::Tensor& part);

ir::Tensor transposed(const ir::Tensor& from);
ir::Tensor reshaped(ir::Tensor tensor, ir::Shape dims);

} // namespace marquetry::rules
