#include "engine/lower_design/move_plan.h"

#include "engine/cost/move_cost.h"

namespace marquetry::hdl {

std::vector<std::size_t> MovePlan::steps() const {
    std::vector<std::size_t> all;
    for (const design::MovePart& part : parts)
        all.push_back(part.step);
    return all;
}

MovePlan planMove(const design::Schedule& schedule, const std::vector<std::size_t>& steps) {
    const auto& step = std::get<design::MoveStep>(schedule.steps[steps.front()]);
    const design::Mover mover = moverOf(schedule, steps);
    MovePlan p;
    p.parts = mover.parts;
    p.beginsApart = mover.beginsApart();
    p.countsRows = mover.countsRows();
    p.queue = schedule.orderOf(steps.front()).queue;
    p.layer = step.layer;
    p.source = schedule.tensor(step.source).name;
    p.target = step.target ? schedule.tensor(*step.target).name
                           : "the weights of " + schedule.unit(step.unit).name;
    p.unit = step.unit.index();
    p.from = mover.from;
    p.run = step.move.run;
    const design::MoveSide& to = mover.to;
    const design::Slot& from = schedule.slot(*p.from.slot);
    if (step.target) {
        const design::Slot& slot = schedule.slot(*to.slot);
        p.to = {to, slot.elementBits, slot.storedLanes, slot.banksOfTurn(), slot.writeLanes};
    } else {
        p.to = {to, from.elementBits, schedule.lanes, schedule.unit(step.unit).weightRows(),
                schedule.lanes};
    }
    p.sourceLanes = from.storedLanes;
    const std::int64_t ofRow =
        p.from.walk.iterations() / (p.countsRows ? p.from.walk.loops.front().count : 1);
    for (const design::MovePart& part : p.parts)
        p.cycles += cost::moveCycles(ofRow * (p.countsRows ? part.rows : 1));
    return p;
}

} // namespace marquetry::hdl
