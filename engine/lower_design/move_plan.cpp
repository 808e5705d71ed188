#include "engine/lower_design/move_plan.h"

#include "engine/cost/move_cost.h"

namespace marquetry::hdl {

MovePlan planMove(const design::Schedule& schedule, std::size_t index) {
    const auto& step = std::get<design::MoveStep>(schedule.steps[index]);
    MovePlan p;
    p.step = index;
    p.layer = step.layer;
    p.source = schedule.tensor(step.source).name;
    p.target = step.target ? schedule.tensor(*step.target).name
                           : "the weights of " + schedule.unit(step.unit).name;
    p.unit = step.unit.index();
    p.from = sourceSide(schedule, step);
    p.run = step.move.run;
    const design::MoveSide to = targetSide(schedule, step);
    const design::Slot& from = schedule.slot(*p.from.slot);
    if (step.target) {
        const design::Slot& slot = schedule.slot(*to.slot);
        p.to = {to, slot.elementBits, slot.storedLanes, slot.banksOfTurn(), slot.writeLanes};
    } else {
        p.to = {to, from.elementBits, schedule.lanes, schedule.unit(step.unit).weightRows(),
                schedule.lanes};
    }
    p.sourceLanes = from.storedLanes;
    p.cycles = cost::moveCycles(p.from.walk.iterations());
    return p;
}

} // namespace marquetry::hdl
