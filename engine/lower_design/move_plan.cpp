#include "engine/lower_design/move_plan.h"

#include "engine/cost/move_cost.h"

namespace marquetry::hdl {

MovePlan planMove(const design::Schedule& schedule, std::size_t index) {
    const auto& step = std::get<design::MoveStep>(schedule.steps[index]);
    MovePlan p;
    p.step = index;
    p.layer = step.layer;
    p.source = schedule.tensor(step.source).name;
    p.target = schedule.tensor(step.target).name;
    p.from = sourceSide(schedule, step);
    p.run = step.move.run;
    const design::MoveSide to = targetSide(schedule, step);
    const design::Slot& slot = schedule.slot(to.slot);
    p.to = {to, slot.elementBits, slot.storedLanes, slot.banks(), slot.writeLanes};
    p.sourceLanes = schedule.slot(p.from.slot).storedLanes;
    p.cycles = cost::moveCycles(step.move.source.iterations());
    return p;
}

} // namespace marquetry::hdl
