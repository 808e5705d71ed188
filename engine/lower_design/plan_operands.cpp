#include "engine/lower_design/plan_operands.h"

#include "engine/design/windows.h"

namespace marquetry::hdl {

using design::ComputeStep;
using design::Schedule;
using design::StoredTensor;

namespace {

/// Strides of the nest in input pixels, rows and columns.
struct NestStrides {
    PerLevel row{};
    PerLevel column{};
};

NestStrides nestStrides(const design::Slot& slot, const ComputeStep& step, const UnitPlan& unit) {
    const std::int64_t pool = step.epilogue.poolSize;
    NestStrides s;
    if (unit.stream) {
        s.row[Py] = 1;
        s.column[Px] = 1;
        return s;
    }
    s.row[Py] = pool * step.stride.vertical;
    s.row[Wy] = step.stride.vertical;
    s.row[Ky] = 1;
    s.column[Px] = pool * step.stride.horizontal;
    s.column[Wx] = step.stride.horizontal;
    s.column[Kx] = 1;
    s.row[Word] = slot.window ? slot.window->rows : 0;
    return s;
}

std::int64_t lastOf(std::int64_t start, const PerLevel& strides, const PerLevel& bounds) {
    std::int64_t last = start;
    for (std::size_t level = 0; level < kLevels; ++level)
        last += (bounds[level] - 1) * strides[level];
    return last;
}

/// Words that the last iteration of a reduction, or of a row of the kernel, takes of what is there.
std::int64_t restOf(const design::Slot& slot, const ComputeStep& step, const UnitPlan& unit) {
    if (unit.lanewise())
        return 0;
    if (slot.window)
        return step.kernel.vertical % slot.window->rows * slot.window->run;
    return step.kernel.horizontal * step.channelWords % unit.span;
}

void planOffsets(const design::Slot& slot, const ComputeStep& step, const UnitPlan& unit,
                 StepPlan& p) {
    const std::int64_t taken = slot.wordsTaken(unit.span);
    const std::int64_t run = slot.window ? slot.window->run : taken;
    for (std::int64_t k = 0; k < taken; ++k) {
        p.rowOffsets.push_back(k / run);
        p.columnOffsets.push_back(k % run);
    }
    const std::int64_t rest = restOf(slot, step, unit);
    const auto below = [](std::int64_t bits) { return (std::int64_t{1} << bits) - 1; };
    p.tail = rest == 0 ? 0 : below(taken) & ~below(rest);
}

/// Columns are pixels; where several words are taken at once they are those of a row of the input,
/// so that each word can be told from the padding.
void planColumns(const Schedule& schedule, const ComputeStep& step, const UnitPlan& unit,
                 PerLevel columns, StepPlan& p) {
    const StoredTensor& input = schedule.tensor(step.input);
    const bool window = schedule.slot(input.slot).window.has_value();
    const std::int64_t most = p.columnOffsets.back() + 1;
    std::int64_t start = unit.reduces() || unit.stream ? -step.pad.horizontal : 0;
    p.inWidth = input.width;
    if (unit.span > 1 || window) {
        const bool outside = design::readsOutside(schedule, step);
        const std::int64_t words = outside ? input.wordsPerPixel : 0;
        for (std::int64_t& column : columns)
            column *= words;
        columns[unit.lanewise() ? blockLevel(step) : Word] = outside && !window ? unit.span : 0;
        start *= words;
        p.inWidth = outside ? input.width * words : most;
    }
    p.column = affine(start, columns, p.bounds);
    p.lastColumn = lastOf(start, columns, p.bounds) + most - 1;
}

} // namespace

PerLevel nestBounds(const Schedule& schedule, const ComputeStep& step, const UnitPlan& unit) {
    const std::int64_t pool = step.epilogue.poolSize;
    PerLevel bounds;
    if (unit.stream) {
        bounds.fill(1);
        bounds[Py] = unit.stream->height;
        bounds[Px] = unit.stream->width;
        bounds[Word] = unit.stream->interval;
        return bounds;
    }
    bounds[Block] = bounds[OuterBlock] = 1;
    bounds[Frame] = schedule.framesAtOnce();
    bounds[blockLevel(step)] = step.rowBlocks;
    bounds[Py] = step.height / pool;
    bounds[Px] = step.width / pool;
    bounds[Wy] = bounds[Wx] = pool;
    bounds[Ky] = unit.reduces() ? step.kernel.vertical : 1;
    bounds[Kx] = unit.reduces() ? step.kernel.horizontal : 1;
    bounds[Word] = unit.reduces() ? step.channelWords : 1;
    const bool window = schedule.slot(schedule.tensor(step.input).slot).window.has_value();
    if (window) { // several rows of the kernel are one iteration
        bounds[Ky] = bounds[Kx] = 1;
        bounds[Word] = design::reductionWords(schedule, step);
    } else if (unit.span > 1 && !unit.lanewise()) { // a row of the kernel is one run
        bounds[Kx] = 1;
        bounds[Word] = design::runWords(schedule, step);
    }
    return bounds;
}

void planOperands(const Schedule& schedule, const ComputeStep& step, const UnitPlan& unit,
                  StepPlan& p) {
    const StoredTensor& input = schedule.tensor(step.input);
    const design::Slot& slot = schedule.slot(input.slot);
    const NestStrides s = nestStrides(slot, step, unit);
    PerLevel words{};
    for (std::size_t level = 0; level < kLevels; ++level)
        words[level] = s.row[level] * input.pitch() + s.column[level] * input.wordsPerPixel;
    if (!slot.window)
        words[Word] = unit.stream ? 0 : unit.span; // a stream unit's pixel is one word
    words[blockLevel(step)] = unit.pass || unit.lanewise() ? unit.span : 0;
    words[Frame] = input.words();
    const ir::PerAxis pad = unit.reduces() || unit.stream ? step.pad : ir::PerAxis(0);
    const std::int64_t before = pad.vertical * input.pitch() + pad.horizontal * input.wordsPerPixel;
    p.input = affine(input.base - before, words, p.bounds);
    p.row = affine(-pad.vertical, s.row, p.bounds);
    planOffsets(slot, step, unit, p);
    p.lastRow = lastOf(p.row.start, s.row, p.bounds) + p.rowOffsets.back();
    planColumns(schedule, step, unit, s.column, p);
    PerLevel weights{};
    weights[Word] = 1;
    weights[Kx] = step.channelWords;
    weights[Ky] = design::runWords(schedule, step);
    weights[blockLevel(step)] = design::reductionWords(schedule, step);
    p.weight = affine(step.weightBase, weights, p.bounds);
    p.inHeight = input.height;
    p.inSlot = input.slot.index();
}

} // namespace marquetry::hdl
