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
    const std::string runs = std::to_string(shape.runs()) + " runs";
    const std::vector<std::int64_t> waits = cost::rowWaits(shape);
    std::string ofRow;
    for (std::size_t pass = 0; pass + 1 < waits.size(); ++pass)
        ofRow += runs + " + wait " + std::to_string(waits[pass]) + " + ";
    ofRow += runs;
    const std::int64_t gap = shape.rows > 1 ? cost::rowGap(shape) : 0;
    if (gap > 0)
        ofRow += " + gap " + std::to_string(gap);
    const bool single = waits.size() == 1;
    const std::int64_t drain = waits.back() - gap;
    return "set-up " + std::to_string(cost::kSetupCycles) + " + " + std::to_string(shape.rows) +
           " rows · " + (single ? ofRow : "(" + ofRow + ")") + " + drain " + std::to_string(drain);
}

} // namespace marquetry::extract
