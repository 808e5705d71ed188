#include "engine/design/move_hardware.h"

#include "engine/cost/move_cost.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::design {

namespace {

MoveSide sideOf(const Schedule& schedule, TensorId tensor, const Walk& walk, std::int64_t run) {
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

} // namespace

int MoveSide::counterBits() const {
    int bits = 0;
    for (const WalkLoop& loop : walk.loops)
        bits += bitsFor(loop.count) + 1;
    return bits;
}

MoveSide sourceSide(const Schedule& schedule, const MoveStep& step) {
    return sideOf(schedule, step.source, step.move.source, step.move.run);
}

MoveSide targetSide(const Schedule& schedule, const MoveStep& step) {
    return sideOf(schedule, step.target, step.move.target, step.move.run);
}

device::Resources moveResources(const Schedule& schedule, const MoveStep& step) {
    const MoveSide from = sourceSide(schedule, step);
    const MoveSide to = targetSide(schedule, step);
    const Slot& slot = schedule.slot(to.slot);
    return cost::moverResources(
        {from.runLanes * slot.elementBits, from.runs, slot.storedLanes * slot.elementBits,
         from.counterBits() + to.counterBits(), from.addressBits() + to.addressBits()});
}

} // namespace marquetry::design
