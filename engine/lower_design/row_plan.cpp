#include "engine/lower_design/row_plan.h"

#include "engine/design/row_step.h"

namespace marquetry::hdl {

RowPlan planRows(const design::Schedule& schedule, std::size_t index) {
    const auto& step = std::get<design::RowStep>(schedule.steps[index]);
    RowPlan p;
    p.step = index;
    p.layer = step.layer;
    p.shape = design::rowShape(schedule, step);
    p.waits = cost::rowWaits(p.shape);
    p.from = design::rowSource(schedule, step);
    p.rowRuns = layoutOf(schedule, step.input).lanes / p.shape.run;
    const design::Slot& source = schedule.slot(*p.from.slot);
    p.sourceLanes = source.storedLanes;
    p.sourceBits = source.elementBits;
    p.operandSigned = ir::info(schedule.tensor(step.input).scalar).isSigned;
    const design::MoveSide to = design::rowTarget(schedule, step);
    const design::Slot& target = schedule.slot(*to.slot);
    p.to = {to, target.elementBits, target.storedLanes, target.banksOfTurn(), target.writeLanes};
    p.resultSigned = ir::info(schedule.tensor(step.output).scalar).isSigned;
    p.cycles = cost::rowCycles(p.shape);
    return p;
}

} // namespace marquetry::hdl
