#include "engine/lower_design/move_check.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using design::Walk;

bool powerOfTwo(std::int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/// Every loop repeats, every run lies in a word.
bool walks(const Walk& walk, std::int64_t run) {
    return walk.start % run == 0 &&
           std::ranges::all_of(walk.loops, [run](const design::WalkLoop& loop) {
               return loop.count > 1 && loop.stride % run == 0;
           });
}

bool inside(const design::Schedule& schedule, design::TensorId tensor, const Walk& walk) {
    return walk.last() < schedule.tensor(tensor).words() * schedule.lanes;
}

} // namespace

std::string whyNoMove(const design::Schedule& schedule, const design::MoveStep& step) {
    const design::Move& move = step.move;
    const design::StoredTensor& source = schedule.tensor(step.source);
    const design::StoredTensor& target = schedule.tensor(step.target);
    constexpr std::int64_t kMostClocks = std::int64_t{1} << 40;
    if (source.slot == target.slot)
        return "it reads and writes slot " + schedule.slot(source.slot).name;
    if (source.scalar != target.scalar ||
        schedule.slot(source.slot).elementBits != schedule.slot(target.slot).elementBits)
        return "its elements change their type";
    if (!powerOfTwo(move.run) || move.run > schedule.lanes || !walks(move.source, move.run) ||
        !walks(move.target, move.run))
        return "its loops visit no runs of lanes";
    if (move.source.iterations() != move.target.iterations() ||
        move.source.iterations() > kMostClocks)
        return "it reads " + std::to_string(move.source.iterations()) + " runs and writes " +
               std::to_string(move.target.iterations());
    if (!inside(schedule, step.source, move.source) || !inside(schedule, step.target, move.target))
        return "its loops leave the tensors";
    if (!powerOfTwo(move.together) || schedule.slot(target.slot).writeLanes > move.together)
        return "it writes " + std::to_string(move.together) + " lanes at once, slot " +
               schedule.slot(target.slot).name + " needs " +
               std::to_string(schedule.slot(target.slot).writeLanes);
    return "";
}

} // namespace marquetry::hdl
