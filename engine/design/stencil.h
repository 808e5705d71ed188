// 1-D stencils on units of products. Their images are stored with a pixel for each line, so a
// filter along columns is one of windows on a lane unit, whose lanes all have the kernel. One along
// lines is a product with a matrix whose rows have it, each one column further: of whole lines, or
// where that is less work, of some neighbouring words, which are then the pixels of an image
// (ir/word_stencil.h).
//
// Complexity: O(elements of the result). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/layer.h"

namespace marquetry::design {

/// The nest of a filter along columns: the lines of its image are the pixels of one line.
void filterColumns(ComputeStep& step, const ir::Value& stencil, std::int64_t taps);

/// The nest of a filter along lines if it takes words as pixels, with tensors that are stored so.
void filterWords(Schedule& schedule, ComputeStep& step, const ir::Program& program,
                 const ir::Layer& layer);

/// The weights, as of a step that has them all, of one with the kernel of a stencil.
ir::Tensor spreadKernel(const Schedule& schedule, const ComputeStep& step,
                        const ir::Tensor& kernel);

} // namespace marquetry::design
