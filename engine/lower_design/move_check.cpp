#include "engine/lower_design/move_check.h"

#include "engine/design/held.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using design::Walk;

bool powerOfTwo(std::int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/// Every loop repeats, but the outermost one of a step of one frame, over rows, of which there may
/// be one; every run lies in a word.
bool walks(const design::Schedule& schedule, const Walk& walk, std::int64_t run) {
    return walk.start % run == 0 &&
           std::ranges::all_of(walk.loops, [&](const design::WalkLoop& loop) {
               const bool mayBeOnce = &loop == &walk.loops.front() && schedule.framesAtOnce() == 1;
               return loop.count > (mayBeOnce ? 0 : 1) && loop.stride % run == 0;
           });
}

bool inside(const design::Schedule& schedule, design::TensorId tensor, const Walk& walk) {
    return walk.last() < schedule.tensor(tensor).words() * schedule.lanes;
}

/// Of weights: every run lies in a row of the unit.
bool insideWeights(const design::Schedule& schedule, const design::ScheduleUnit& unit,
                   const Walk& walk) {
    std::int64_t row = walk.start / design::kHeldRow;
    std::int64_t lane = walk.start % design::kHeldRow;
    for (const design::WalkLoop& loop : walk.loops) {
        row += (loop.count - 1) * (loop.stride / design::kHeldRow);
        lane += (loop.count - 1) * (loop.stride % design::kHeldRow);
    }
    return row < unit.weightRows() && lane < unit.weightWords * schedule.lanes &&
           unit.weightWords * schedule.lanes <= design::kHeldRow;
}

std::string whyNoTarget(const design::Schedule& schedule, const design::MoveStep& step) {
    const design::Move& move = step.move;
    const design::StoredTensor& source = schedule.tensor(step.source);
    const design::StoredTensor& target = schedule.tensor(*step.target);
    const design::Slot& slot = schedule.slot(target.slot);
    if (source.slot == target.slot)
        return "it reads and writes slot " + slot.name;
    if (source.scalar != target.scalar ||
        schedule.slot(source.slot).elementBits != slot.elementBits)
        return "its elements change their type";
    if (!inside(schedule, *step.target, move.target))
        return "its loops leave the tensor that they write";
    if (!powerOfTwo(move.together) || slot.writeLanes > move.together)
        return "it writes " + std::to_string(move.together) + " lanes at once, slot " + slot.name +
               " needs " + std::to_string(slot.writeLanes);
    return "";
}

std::string whyNoWeights(const design::Schedule& schedule, const design::MoveStep& step) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    if (!unit.holds || unit.pass || unit.stream ||
        schedule.tensor(step.source).scalar != unit.weight)
        return "unit " + unit.name + " cannot hold it";
    if (!insideWeights(schedule, unit, step.move.target))
        return "its loops leave the weights of unit " + unit.name;
    return "";
}

} // namespace

std::string whyNoMove(const design::Schedule& schedule, const design::MoveStep& step) {
    const design::Move& move = step.move;
    constexpr std::int64_t kMostClocks = std::int64_t{1} << 40;
    if (!powerOfTwo(move.run) || move.run > schedule.lanes ||
        !walks(schedule, move.source, move.run) || !walks(schedule, move.target, move.run))
        return "its loops visit no runs of lanes";
    if (move.source.iterations() != move.target.iterations() ||
        move.source.iterations() > kMostClocks)
        return "it reads " + std::to_string(move.source.iterations()) + " runs and writes " +
               std::to_string(move.target.iterations());
    if (!inside(schedule, step.source, move.source))
        return "its loops leave the tensor that they read";
    return step.target ? whyNoTarget(schedule, step) : whyNoWeights(schedule, step);
}

} // namespace marquetry::hdl
