#include "engine/extract/call_formulas.h"

#include "engine/cost/call_timing.h"
#include "engine/cost/move_cost.h"
#include "engine/cost/stream_unit.h"
#include "engine/support/checked_math.h"

namespace marquetry::extract {

std::string computeFormula(const cost::CallShape& shape) {
    const std::int64_t wait = cost::reductionWait(shape);
    const std::string words = std::to_string(shape.reductionWords) + " words";
    const std::string waiting =
        "(" + words + " + wait " + std::to_string(wait) + ") − wait " + std::to_string(wait);
    return "set-up " + std::to_string(cost::kSetupCycles) + " + " +
           std::to_string(shape.rowBlocks) + " row blocks · " + std::to_string(shape.pixels) +
           " pixels · " + (wait == 0 ? words : waiting) + " + drain " +
           std::to_string(cost::drainCycles(shape));
}

std::string streamFormula(const design::Schedule& schedule, const design::ComputeStep& step) {
    const design::StreamTiming& timing = *schedule.unit(step.unit).stream;
    return "set-up " + std::to_string(cost::kSetupCycles) + " + " +
           std::to_string(design::streamedPixels(schedule, step)) + " pixels · " +
           std::to_string(timing.interval) + " clocks + drain " +
           std::to_string(cost::streamDrain(timing.interval, timing.latency));
}

std::string moveFormula(const design::Schedule& schedule, const design::MoveStep& step) {
    return "set-up " + std::to_string(cost::kSetupCycles) + " + " +
           std::to_string(schedule.framesAtOnce() * step.move.source.iterations()) + " runs of " +
           std::to_string(step.move.run) + " + drain " + std::to_string(cost::kMoveDrain);
}

std::string rowFormula(const cost::RowShape& shape) {
    std::string passes;
    if (shape.ofElements())
        return "set-up " + std::to_string(cost::kSetupCycles) + " + " + std::to_string(shape.rows) +
               " rows · " + std::to_string(shape.runs()) + " runs + drain " +
               std::to_string(cost::rowWaits(shape).front());
    for (const std::int64_t wait : cost::rowWaits(shape))
        passes += (passes.empty() ? "(" : " + ") +
                  std::to_string(ceilDiv(shape.columns, shape.run)) + " runs + wait " +
                  std::to_string(wait);
    return "set-up " + std::to_string(cost::kSetupCycles) + " + " + std::to_string(shape.rows) +
           " rows · " + passes + ")";
}

} // namespace marquetry::extract
