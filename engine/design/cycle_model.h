// Cycles of a schedule, predicted from its form alone: no simulator, no netlist.
//
// The cycle counter of the hardware runs from start to done and does not count clocks in which a
// stream makes it wait (tvalid or tready low), so the prediction is exact whatever the streams do.
// It counts the clocks in which calls wait for external weights, and the hardware counts those by
// themselves: cycles less waits are exact whatever the memory does, the waits are those of a replay
// on a memory that keeps to its figures (design/weight_traffic.h).
//
// Where steps have an order, queues are replayed: a step begins when those that it awaits have
// ended, and one of another queue than `Calls` a clock later, in which it is handed over. Of such a
// schedule the prediction holds for streams that never wait. Whatever they and the memory do, the
// cycles less the waits are no more than those of a run in which nothing waits: while a call waits,
// the other queues go on.
// Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/design/schedule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::design {

/// Clocks of a run in which it waits for external memory: for weights; else for rows of activations
/// to come, or for the memory to take some.
struct MemoryWaits {
    std::int64_t weights = 0, loads = 0, stores = 0;
    std::int64_t total() const { return weights + loads + stores; }
};

struct CyclePrediction {
    /// Cycles of each step, in order; of one that runs beside others those after all before it in
    /// the list have ended.
    std::vector<std::int64_t> steps;
    /// Those in which the step waits for external memory.
    std::vector<std::int64_t> waits;
    /// When each step begins and ends, from the start of the run.
    std::vector<std::int64_t> begins, ends;
    /// When the turn of each step comes: the one before it has begun, or ended if it is a call.
    /// From then until it begins it waits for other queues.
    std::vector<std::int64_t> turns;
    /// By whose end, hand-over or start each step begins when it does; none of what begins a run.
    std::vector<std::optional<std::size_t>> awaited;
    std::int64_t total = 0; ///< what the hardware's counter shows when done
    /// Of them, in which the run waits for external memory; where calls wait that run beside
    /// others, those in which some call does.
    std::int64_t waiting = 0;
    MemoryWaits waitsFor; ///< the parts of `waiting`
};

CyclePrediction predictCycles(const Schedule& schedule);

/// The cycles of a run, or of one that takes `limit` or more some number that is no less: the
/// replay ends as soon as that is certain.
std::int64_t cyclesWithin(const Schedule& schedule, std::int64_t limit);

/// Of each step, the clocks in which the run waits for it; all of them are the run's. Going back
/// from the end of the run: the clocks between a step's begin and that of the step which it lets
/// begin are its. Of two joined ones those in which both run are of the one that takes longer
/// alone, and of the first where they take the same.
std::vector<std::int64_t> criticalClocks(const Schedule& schedule,
                                         const CyclePrediction& prediction);

/// Of a run in which nothing waits for external memory.
std::int64_t cyclesWithoutWaits(const Schedule& schedule);
/// Of the steps of `Calls` alone, which run one after another; of two joined ones, the longer.
std::int64_t cyclesOfCalls(const Schedule& schedule);

/// Clocks in which a step is handed to another queue.
inline constexpr std::int64_t kHandOver = 1;
/// Behind the last step of a run, where another queue runs it.
inline constexpr std::int64_t kLastHandOver = 1;

/// Of a step that nothing overlaps and that waits for nothing.
std::int64_t cyclesAlone(const Schedule& schedule, const Step& step);

/// What a step's cycles are computed from; not of a stream unit.
cost::CallShape callShape(const Schedule& schedule, const ComputeStep& step);

} // namespace marquetry::design
