#include "engine/lower_design/row_plan.h"

#include "engine/design/row_step.h"

namespace marquetry::hdl {

namespace {

RowOther otherOf(const design::Schedule& schedule, const design::RowStep& step) {
    const design::MoveSide from = design::otherSource(schedule, step);
    const design::Slot& slot = schedule.slot(*from.slot);
    const ir::Scalar scalar = schedule.tensor(*step.other).scalar;
    return {from,
            slot.storedLanes,
            slot.elementBits,
            ir::storedBits(scalar),
            ir::info(scalar).isSigned,
            step.second == cost::SecondOperand::Entry
                ? ir::info(schedule.tensor(step.input).scalar).bits
                : 0};
}

/// Behind the unit's weights, and those of the steps before it on the same unit.
std::size_t constantsBefore(const design::Schedule& schedule, std::size_t index) {
    const design::UnitId unit = std::get<design::RowStep>(schedule.steps[index]).unit;
    std::int64_t count = schedule.unit(unit).packedWeights(schedule.lanes);
    for (std::size_t k = 0; k < index; ++k) {
        const auto* rows = std::get_if<design::RowStep>(&schedule.steps[k]);
        if (rows == nullptr || rows->unit != unit)
            continue;
        const cost::RowShape shape = design::rowShape(schedule, *rows);
        count += shape.constantWords() * shape.constantsOfWord();
    }
    return static_cast<std::size_t>(count);
}

} // namespace

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
    if (step.other)
        p.other = otherOf(schedule, step);
    p.unit = step.unit.index();
    p.constantsFrom = constantsBefore(schedule, index);
    p.constantsSigned = step.constants && step.constants->isSigned;
    const design::MoveSide to = design::rowTarget(schedule, step);
    const design::Slot& target = schedule.slot(*to.slot);
    p.to = {to, target.elementBits, target.storedLanes, target.banksOfTurn(), target.writeLanes};
    p.resultSigned = ir::info(schedule.tensor(step.output).scalar).isSigned;
    p.cycles = cost::rowCycles(p.shape);
    return p;
}

} // namespace marquetry::hdl
