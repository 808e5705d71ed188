#include "engine/design/move_hardware.h"

#include "engine/cost/move_cost.h"
#include "engine/design/held.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::design {

namespace {

/// Rows lie kHeldRow lanes apart in the walk, and a power of two of words in the hardware.
MoveSide weightSide(const Schedule& schedule, const ScheduleUnit& unit, const Move& move) {
    MoveSide side;
    side.wordBits = bitsFor(unit.weightWords);
    side.placeBits = schedule.lanes > move.run ? bitsFor(schedule.lanes / move.run) : 0;
    side.rowBits = unit.weightRows() > 1 ? bitsFor(unit.weightRows()) : 0;
    side.runLanes = move.run;
    side.runs = schedule.lanes / move.run;
    const std::int64_t row = std::int64_t{1} << (side.wordBits + side.placeBits);
    const auto inRuns = [&](std::int64_t lanes) {
        return lanes / kHeldRow * row + lanes % kHeldRow / move.run;
    };
    side.walk.start = inRuns(move.target.start);
    for (const WalkLoop& loop : move.target.loops)
        side.walk.loops.push_back({loop.count, inRuns(loop.stride)});
    return side;
}

} // namespace

int MoveSide::counterBits() const {
    int bits = 0;
    for (const WalkLoop& loop : walk.loops)
        bits += bitsFor(loop.count) + 1;
    return bits;
}

MoveSide slotSide(const Schedule& schedule, TensorId tensor, const Walk& walk, std::int64_t run) {
    const Slot& slot = schedule.slot(schedule.tensor(tensor).slot);
    MoveSide side;
    side.slot = slot.id;
    side.walk.start = (firstLane(schedule, tensor) + walk.start) / run;
    for (const WalkLoop& loop : walk.loops)
        side.walk.loops.push_back({loop.count, loop.stride / run});
    side.wordBits = bitsFor(slot.depth);
    side.placeBits = schedule.lanes > run ? bitsFor(schedule.lanes / run) : 0;
    side.runLanes = std::min(run, slot.storedLanes);
    side.runs = ceilDiv(slot.storedLanes, run);
    return side;
}

namespace {

/// The walk in every frame.
Walk ofFrames(const Schedule& schedule, TensorId tensor, Walk walk) {
    if (schedule.framesAtOnce() > 1)
        walk.loops.insert(walk.loops.begin(), {schedule.framesAtOnce(),
                                               schedule.tensor(tensor).words() * schedule.lanes});
    return walk;
}

} // namespace

MoveSide sourceSide(const Schedule& schedule, const MoveStep& step) {
    return slotSide(schedule, step.source, ofFrames(schedule, step.source, step.move.source),
                    step.move.run);
}

MoveSide targetSide(const Schedule& schedule, const MoveStep& step) {
    if (!step.target)
        return weightSide(schedule, schedule.unit(step.unit), step.move);
    return slotSide(schedule, *step.target, ofFrames(schedule, *step.target, step.move.target),
                    step.move.run);
}

device::Resources moveResources(const Schedule& schedule, const MoveStep& step) {
    const MoveSide from = sourceSide(schedule, step);
    const MoveSide to = targetSide(schedule, step);
    const Slot& slot = schedule.slot(*from.slot);
    return cost::moverResources(
        {from.runLanes * slot.elementBits, from.runs, to.runs * to.runLanes * slot.elementBits,
         from.counterBits() + to.counterBits(), from.addressBits() + to.addressBits()});
}

} // namespace marquetry::design
