#include "engine/lower_design/row_plan.h"

#include <algorithm>

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

/// Behind the unit's weights, and those of the units of rows before it that have the same one.
std::size_t constantsBefore(const design::Schedule& schedule, std::size_t first) {
    const design::UnitId unit = std::get<design::RowStep>(schedule.steps[first]).unit;
    std::int64_t count = schedule.unit(unit).packedWeights(schedule.lanes);
    for (const std::vector<std::size_t>& steps : design::stepsOfRowUnits(schedule)) {
        const auto& rows = std::get<design::RowStep>(schedule.steps[steps.front()]);
        if (steps.front() >= first || rows.unit != unit)
            continue;
        const cost::RowShape shape = design::rowShape(schedule, rows);
        count += shape.constantWords() * shape.constantsOfWord();
    }
    return static_cast<std::size_t>(count);
}

} // namespace

std::vector<std::size_t> RowPlan::steps() const {
    std::vector<std::size_t> all;
    for (const design::RowPart& part : parts)
        all.push_back(part.step);
    return all;
}

bool RowPlan::beginsApart() const {
    return std::ranges::any_of(parts, [this](const design::RowPart& part) {
        return part.from != parts.front().from || part.to != parts.front().to ||
               part.other != parts.front().other;
    });
}

RowPlan planRows(const design::Schedule& schedule, const std::vector<std::size_t>& steps) {
    const std::size_t first = steps.front();
    const auto& step = std::get<design::RowStep>(schedule.steps[first]);
    RowPlan p;
    p.parts = design::partsOfRowUnit(schedule, steps);
    p.queue = schedule.orderOf(first).queue;
    p.layer = step.layer;
    p.shape = design::rowShape(schedule, step);
    p.waits = cost::rowWaits(p.shape);
    p.gap = cost::rowGap(p.shape);
    p.from = design::rowSource(schedule, step);
    p.rowRuns = layoutOf(schedule, step.input).lanes / p.shape.run;
    const design::Slot& source = schedule.slot(*p.from.slot);
    p.sourceLanes = source.storedLanes;
    p.sourceBits = source.elementBits;
    p.operandSigned = ir::info(schedule.tensor(step.input).scalar).isSigned;
    if (step.other)
        p.other = otherOf(schedule, step);
    p.unit = step.unit.index();
    p.constantsFrom = constantsBefore(schedule, first);
    p.constantsSigned = step.constants && step.constants->isSigned;
    const design::MoveSide to = design::rowTarget(schedule, step);
    const design::Slot& target = schedule.slot(*to.slot);
    p.to = {to, target.elementBits, target.storedLanes, target.banksOfTurn(), target.writeLanes};
    p.resultSigned = ir::info(schedule.tensor(step.output).scalar).isSigned;
    p.cycles = cost::rowCycles(p.shape) * std::ssize(steps);
    return p;
}

} // namespace marquetry::hdl
