#include "engine/design/windows.h"

#include "engine/cost/call_words.h"
#include "engine/design/held_of.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// Windows at `results` positions of an axis reach out of its `extent` elements.
bool reachOut(std::int64_t extent, std::int64_t results, std::int64_t kernel, std::int64_t stride,
              std::int64_t pad) {
    return pad > 0 || (results - 1) * stride + kernel - pad > extent;
}

/// An input of the program, or what a unit computes pixel by pixel.
bool isWrittenByPixels(const ir::Program& program, const ir::LayerPlan& plan, ir::ValueId value) {
    if (std::ranges::any_of(program.inputs,
                            [&](ir::ValueId id) { return plan.storage[id.index()] == value; }))
        return true;
    const auto writer = std::ranges::find(plan.layers, value, &ir::Layer::result);
    return writer != plan.layers.end() && !writer->moves && !writer->rows && !writer->averages &&
           writer->unbuildable.empty() && batchesOf(program, *writer) == 1;
}

/// The layer alone reads what is no output.
bool readsWindows(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer) {
    const ir::ValueId input = layer.input;
    if (!layer.weight || !layer.unbuildable.empty() || !isWrittenByPixels(program, plan, input) ||
        program.value(layer.anchor).operands[0] != input)
        return false;
    std::int64_t uses = 0;
    for (const ir::Layer& other : plan.layers) {
        uses += other.input == input ? 1 : 0;
        uses += std::ranges::count(other.others, input);
        for (const ir::EpilogueOp& op : other.epilogue)
            uses += op.addend == input ? 1 : 0;
    }
    for (const ir::Output& output : program.outputs)
        uses += plan.storage[output.value.index()] == input ? 1 : 0;
    return uses == 1;
}

} // namespace

bool convolves(const ir::Program& program, const ir::Layer& layer) {
    const ir::OpKind op = program.value(layer.anchor).op;
    return !layer.pass && !layer.lanewise && !layer.moves && !layer.rows &&
           (op == ir::OpKind::Conv || op == ir::OpKind::DwConv);
}

cost::WindowWords windowWords(const ir::Program& program, const ir::LayerPlan& plan,
                              const ir::Layer& layer, std::int64_t lanes) {
    const ir::Value& anchor = program.value(layer.anchor);
    const ir::Shape& kernel = program.value(anchor.operands[1]).type.dims;
    const std::int64_t channels = program.value(anchor.operands[0]).type.dims.back();
    cost::WindowWords window{kernel[1], kernel[2], ceilDiv(channels, lanes)};
    if (readsWindows(program, plan, layer)) {
        window.channels = channels;
        window.lanes = lanes;
    }
    return window;
}

std::int64_t runWords(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const cost::WindowWords window{1, step.kernel.horizontal, step.channelWords};
    return window.ofRow(unit.lanewise() ? 1 : unit.span);
}

std::int64_t reductionWords(const Schedule& schedule, const ComputeStep& step) {
    const Slot& slot = schedule.slot(schedule.tensor(step.input).slot);
    if (slot.window)
        return ceilDiv(step.kernel.vertical, slot.window->rows);
    return step.kernel.vertical * runWords(schedule, step);
}

bool readsOutside(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    return reachOut(input.height, step.height, step.kernel.vertical, step.stride.vertical,
                    step.pad.vertical) ||
           reachOut(input.width, step.width, step.kernel.horizontal, step.stride.horizontal,
                    step.pad.horizontal);
}

} // namespace marquetry::design
