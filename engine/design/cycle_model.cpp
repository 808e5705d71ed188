#include "engine/design/cycle_model.h"

#include "engine/cost/move_cost.h"
#include "engine/cost/stream_unit.h"
#include "engine/design/external_tensors.h"
#include "engine/design/row_step.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"

#include <optional>

namespace marquetry::design {

namespace {

std::int64_t cyclesOf(const Schedule& schedule, const LoadStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return cost::loadCycles(schedule.storedPixels(step.tensor), tensor.channels,
                            8 * ir::info(tensor.scalar).bytes);
}

std::int64_t cyclesOf(const Schedule& schedule, const StoreStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return cost::storeCycles(schedule.storedPixels(step.tensor), tensor.channels,
                             8 * ir::info(tensor.scalar).bytes);
}

std::int64_t cyclesOf(const Schedule& schedule, const MoveStep& step) {
    return cost::moveCycles(schedule.frames * step.move.source.iterations());
}

std::int64_t cyclesOf(const Schedule& schedule, const RowStep& step) {
    return cost::rowCycles(rowShape(schedule, step));
}

std::int64_t cyclesOf(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    if (unit.stream)
        return cost::streamCycles(streamedPixels(schedule, step), unit.stream->interval,
                                  unit.stream->latency);
    return cost::computeCycles(callShape(schedule, step));
}

} // namespace

cost::CallShape callShape(const Schedule& schedule, const ComputeStep& step) {
    cost::CallShape shape;
    shape.rowBlocks = step.rowBlocks;
    shape.pixels = schedule.frames * step.height * step.width;
    const ScheduleUnit& unit = schedule.unit(step.unit);
    shape.pass = unit.pass;
    shape.lanewise = unit.lanewise();
    shape.reductionWords = unit.reduces() ? reductionWords(schedule, step) : 1;
    shape.lanes = unit.span * schedule.lanes;
    shape.scales = unit.writeBack.has_value();
    shape.groups = unit.groups(schedule.lanes);
    return shape;
}

std::int64_t cyclesAlone(const Schedule& schedule, const Step& step) {
    return std::visit([&](const auto& s) { return cyclesOf(schedule, s); }, step);
}

CyclePrediction predictCycles(const Schedule& schedule) {
    CyclePrediction prediction;
    std::optional<WeightReplay> memory;
    if (schedule.memory)
        memory.emplace(schedule);
    TransferReplay transfer(schedule);
    for (const Step& step : schedule.steps) {
        const std::int64_t alone = cyclesAlone(schedule, step);
        const auto* compute = std::get_if<ComputeStep>(&step);
        const std::int64_t overlap = compute != nullptr && compute->joinedAfter
                                         ? prediction.steps.back() - *compute->joinedAfter
                                         : 0;
        const bool external = compute != nullptr && compute->external;
        prediction.waits.push_back(external ? memory->waits(*compute, prediction.total)
                                            : transfer.waits(step, prediction.total));
        prediction.steps.push_back(alone - overlap + prediction.waits.back());
        if (movesExternal(step))
            memory->pause(prediction.total, prediction.total + prediction.steps.back());
        prediction.total += prediction.steps.back();
        prediction.waiting += prediction.waits.back();
    }
    return prediction;
}

} // namespace marquetry::design
