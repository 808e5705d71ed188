// Cycles of a schedule, predicted from its form alone: no simulator, no netlist.
//
// The cycle counter of the hardware runs from start to done and does not count clocks in which a
// stream makes it wait (tvalid or tready low), so the prediction is exact whatever the streams do.
// It counts the clocks in which calls wait for external weights, and the hardware counts those by
// themselves: cycles less waits are exact whatever the memory does, the waits are those of a replay
// on a memory that keeps to its figures (design/weight_traffic.h).
// Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/design/schedule.h"

#include <cstdint>
#include <vector>

namespace marquetry::design {

struct CyclePrediction {
    /// Cycles of each step, in order; of a joined one those after the end of the step before it.
    std::vector<std::int64_t> steps;
    /// Of them those in which the step waits for external weights.
    std::vector<std::int64_t> waits;
    std::int64_t total = 0;   ///< what the hardware's counter shows when done
    std::int64_t waiting = 0; ///< Σ waits
};

CyclePrediction predictCycles(const Schedule& schedule);

/// Of a step that nothing overlaps and that waits for nothing.
std::int64_t cyclesAlone(const Schedule& schedule, const Step& step);

/// What a step's cycles are computed from; not of a stream unit.
cost::CallShape callShape(const Schedule& schedule, const ComputeStep& step);

} // namespace marquetry::design
