#include "engine/design/stencil.h"

#include "engine/ir/word_stencil.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// The same tensor with each word of a line as a pixel.
TensorId wordsOf(Schedule& schedule, TensorId id) {
    StoredTensor words = schedule.tensor(id);
    words.id = TensorId{schedule.tensors.size()};
    words.name += "[words]";
    words.height = words.pixels;
    words.width = words.wordsPerPixel;
    words.pixels = words.words();
    words.channels = schedule.lanes;
    words.wordsPerPixel = 1;
    schedule.tensors.push_back(words);
    return words.id;
}

} // namespace

void filterWords(Schedule& schedule, ComputeStep& step, const ir::Program& program,
                 const ir::Layer& layer) {
    const auto stencil = ir::wordStencil(program, layer, schedule.lanes);
    if (!stencil)
        return;
    step.input = wordsOf(schedule, step.input);
    step.output = wordsOf(schedule, step.output);
    if (step.epilogue.addend)
        step.epilogue.addend = wordsOf(schedule, *step.epilogue.addend);
    step.height = stencil->lines;
    step.width = stencil->width;
    step.kernel = {1, stencil->words};
    step.pad = {0, stencil->before};
    step.stencilPad = program.value(layer.anchor).params.pad.left;
}

void filterColumns(ComputeStep& step, const ir::Value& stencil, std::int64_t taps) {
    step.kernel = {1, taps};
    step.pad = {0, stencil.params.pad.top};
    step.width = stencil.type.dims[0];
    step.stencilPad = 0;
}

ir::Tensor spreadKernel(const Schedule& schedule, const ComputeStep& step,
                        const ir::Tensor& kernel) {
    ENGINE_ASSERT(step.stencilPad.has_value(), "the step has the kernel of a stencil");
    const std::int64_t taps = kernel.type.elements();
    const bool lanewise = schedule.unit(step.unit).lanewise();
    const std::int64_t channels = schedule.tensor(step.input).channels;
    const std::int64_t columns = lanewise ? taps : step.kernel.horizontal * channels;
    // Of the first row, from the first channel of the window's first pixel on.
    const std::int64_t start = step.pad.horizontal * channels - *step.stencilPad;
    ir::Tensor spread{{kernel.type.scalar, {step.rows, columns}}, {}};
    spread.data.assign(static_cast<std::size_t>(step.rows * columns), 0);
    for (std::int64_t row = 0; row < step.rows; ++row) {
        const std::int64_t first = lanewise ? 0 : row + start;
        const std::int64_t end = std::min(taps, columns - first);
        for (std::int64_t k = std::max<std::int64_t>(0, -first); k < end; ++k)
            spread.data[static_cast<std::size_t>(row * columns + first + k)] =
                kernel.data[static_cast<std::size_t>(k)];
    }
    return spread;
}

} // namespace marquetry::design
