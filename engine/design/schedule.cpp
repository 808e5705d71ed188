#include "engine/design/schedule.h"

#include "engine/cost/call_timing.h"
#include "engine/design/row_step.h"
#include "engine/design/stencil.h"
#include "engine/design/windows.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <set>

namespace marquetry::design {

namespace {

/// Position of a channel of word `word` of one (ky, kx) in a row of the weight, or −1 past the
/// tensor's extents. The words are those of the stored operand, pixel after pixel.
std::int64_t operandIndex(const StoredTensor& input, std::int64_t word, std::int64_t channel) {
    if (channel >= input.channels)
        return -1;
    return word / input.wordsPerPixel * input.channels + channel;
}

void packCall(const Schedule& schedule, const ComputeStep& step, const ir::Tensor& weight,
              std::vector<std::int64_t>& packed) {
    const StoredTensor& input = schedule.tensor(step.input);
    const std::int64_t lanes = schedule.lanes;
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const std::int64_t parallel = unit.parallel;
    // The rows of a batched product are those of all batches; a vector is one row.
    const ir::Shape& dims = weight.type.dims;
    const bool batched = dims.size() == 3 && step.kernel.area() == 1;
    const std::int64_t vectors = dims.size() == 1 ? 1 : dims.front();
    const std::int64_t rows = batched ? dims[0] * dims[1] : vectors;
    const std::int64_t perRow = weight.type.elements() / rows;
    const std::int64_t perTap = perRow / step.kernel.area();
    const std::int64_t run = runWords(schedule, step);
    const std::int64_t reduction = reductionWords(schedule, step);
    const std::int64_t ofKernelRow = step.kernel.horizontal * step.channelWords;
    const std::int64_t rowsOfGroup = step.rows / step.groups;
    for (std::int64_t row = 0; row < step.rows; ++row)
        for (std::int64_t k = 0; k < step.kernel.vertical * ofKernelRow; ++k) // stored words
            for (std::int64_t lane = 0; lane < lanes; ++lane) {
                const std::int64_t word = k % step.channelWords;
                const std::int64_t channel = word % input.wordsPerPixel * lanes + lane;
                const std::int64_t index =
                    operandIndex(input, word, channel) - row / rowsOfGroup * perTap;
                if (index < 0 || index >= perTap)
                    continue;
                const std::int64_t inRow = k % ofKernelRow;
                const std::int64_t at = step.weightBase + row / parallel * reduction +
                                        k / ofKernelRow * run + inRow / unit.span;
                const std::int64_t element =
                    ((at * parallel + row % parallel) * unit.span + inRow % unit.span) * lanes +
                    lane;
                packed[static_cast<std::size_t>(element)] = weight.data[static_cast<std::size_t>(
                    (step.firstRow + row) * perRow + k / step.channelWords * perTap + index)];
            }
}

/// A word holds rows of the kernel one behind the other, of each pixel the lanes that are stored.
void packWindows(const Schedule& schedule, const ComputeStep& step, const ir::Tensor& weight,
                 std::vector<std::int64_t>& packed) {
    const StoredTensor& input = schedule.tensor(step.input);
    const Slot& slot = schedule.slot(input.slot);
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const std::int64_t perRow = weight.type.elements() / step.rows;
    const std::int64_t perTap = perRow / step.kernel.area();
    const std::int64_t reduction = reductionWords(schedule, step);
    for (std::int64_t row = 0; row < step.rows; ++row)
        for (std::int64_t k = 0; k < perRow; ++k) {
            const std::int64_t tap = k / perTap;
            const std::int64_t channel = row / (step.rows / step.groups) * perTap + k % perTap;
            const std::int64_t ky = tap / step.kernel.horizontal;
            const std::int64_t word = ky % slot.window->rows * slot.window->run +
                                      tap % step.kernel.horizontal * step.channelWords +
                                      channel / schedule.lanes;
            const std::int64_t at =
                step.weightBase + row / unit.parallel * reduction + ky / slot.window->rows;
            const std::int64_t element =
                (at * unit.parallel + row % unit.parallel) * unit.span * schedule.lanes +
                word * slot.storedLanes + channel % schedule.lanes;
            packed[static_cast<std::size_t>(element)] =
                weight.data[static_cast<std::size_t>(row * perRow + k)];
        }
}

/// One word per block and element of the window: the weights of as many channels as a block has.
void packLanes(const Schedule& schedule, const ComputeStep& step, const ir::Tensor& weight,
               std::vector<std::int64_t>& packed) {
    const std::int64_t taps = step.kernel.area();
    const std::int64_t lanes = schedule.unit(step.unit).span * schedule.lanes;
    for (std::int64_t channel = 0; channel < step.rows; ++channel)
        for (std::int64_t k = 0; k < taps; ++k) {
            const std::int64_t at = step.weightBase + channel / lanes * taps + k;
            packed[static_cast<std::size_t>(at * lanes + channel % lanes)] =
                weight.data[static_cast<std::size_t>(channel * taps + k)];
        }
}

} // namespace

const std::string* layerOf(const Step& step) {
    if (const auto* compute = std::get_if<ComputeStep>(&step))
        return &compute->layer;
    if (const auto* move = std::get_if<MoveStep>(&step))
        return &move->layer;
    const auto* rows = std::get_if<RowStep>(&step);
    return rows != nullptr ? &rows->layer : nullptr;
}

std::vector<TensorId> sourcesOf(const Step& step) {
    if (const auto* compute = std::get_if<ComputeStep>(&step)) {
        std::vector<TensorId> sources = {compute->input};
        if (compute->epilogue.addend)
            sources.push_back(*compute->epilogue.addend);
        return sources;
    }
    if (const auto* move = std::get_if<MoveStep>(&step))
        return {move->source};
    if (const auto* rows = std::get_if<RowStep>(&step))
        return rows->other ? std::vector{rows->input, *rows->other} : std::vector{rows->input};
    const auto* store = std::get_if<StoreStep>(&step);
    return store != nullptr ? std::vector<TensorId>{store->tensor} : std::vector<TensorId>{};
}

std::optional<TensorId> targetOf(const Step& step) {
    if (const auto* load = std::get_if<LoadStep>(&step))
        return load->tensor;
    if (const auto* compute = std::get_if<ComputeStep>(&step))
        return compute->output;
    if (const auto* rows = std::get_if<RowStep>(&step))
        return rows->output;
    const auto* move = std::get_if<MoveStep>(&step);
    return move != nullptr ? move->target : std::nullopt;
}

PixelLayout layoutOf(const Schedule& schedule, TensorId tensor) {
    return layoutOf(schedule.tensor(tensor).channels, schedule.lanes);
}

std::int64_t firstLane(const Schedule& schedule, TensorId tensor) {
    return schedule.tensor(tensor).base * schedule.lanes;
}

std::int64_t streamedPixels(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    return (input.height + 2 * step.pad.vertical) * (input.width + 2 * step.pad.horizontal);
}

std::size_t Schedule::queues() const {
    Queue last = Queue::Transfers;
    for (const StepOrder& step : order)
        last = std::max(last, step.queue);
    return indexOf(last) + 1;
}

int Slot::addressBits() const {
    return bitsFor(wraps() ? 2 * depth : depth);
}

std::int64_t storedLanesFor(std::int64_t channels, std::int64_t lanes) {
    std::int64_t stored = 1;
    while (stored < std::min(channels, lanes))
        stored *= 2;
    return stored;
}

std::vector<std::int64_t> packWeights(const Schedule& schedule, UnitId unit,
                                      const ir::Program& program,
                                      const std::vector<ir::Tensor>& values) {
    const ScheduleUnit& owner = schedule.unit(unit);
    std::vector<std::int64_t> packed(static_cast<std::size_t>(owner.packedWeights(schedule.lanes)),
                                     0);
    std::set<std::int64_t> known; // bands of a layer share their words
    for (const Step& step : schedule.steps) {
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (!compute || compute->unit != unit || !compute->weight || owner.stream ||
            !known.insert(compute->weightBase).second)
            continue;
        const bool windows = schedule.slot(schedule.tensor(compute->input).slot).window.has_value();
        const auto& pack = owner.lanewise() ? packLanes : windows ? packWindows : packCall;
        const ir::Tensor& weight = values[compute->weight->index()];
        if (compute->stencilPad)
            pack(schedule, *compute, spreadKernel(schedule, *compute, weight), packed);
        else
            pack(schedule, *compute, weight, packed);
    }
    for (const std::vector<std::size_t>& steps : stepsOfRowUnits(schedule))
        if (const auto& rows = std::get<RowStep>(schedule.steps[steps.front()]); rows.unit == unit)
            std::ranges::copy(packConstants(schedule, rows, program, values),
                              std::back_inserter(packed));
    return packed;
}

} // namespace marquetry::design
