#include "engine/design/move_hardware.h"

#include "engine/cost/move_cost.h"
#include "engine/design/held.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace marquetry::design {

namespace {

/// Rows lie kHeldRow lanes apart in the walk, and a power of two of words in the hardware.
MoveSide weightSide(const Schedule& schedule, const ScheduleUnit& unit, const Move& move) {
    MoveSide side;
    side.wordBits = bitsFor(unit.weightWords);
    side.placeBits = schedule.lanes > move.run ? bitsFor(schedule.lanes / move.run) : 0;
    side.rowBits = unit.weightRows() > 1 ? bitsFor(unit.weightRows()) : 0;
    side.runLanes = move.run;
    side.runs = schedule.lanes / move.run;
    const std::int64_t row = std::int64_t{1} << (side.wordBits + side.placeBits);
    const auto inRuns = [&](std::int64_t lanes) {
        return lanes / kHeldRow * row + lanes % kHeldRow / move.run;
    };
    side.walk.start = inRuns(move.target.start);
    for (const WalkLoop& loop : move.target.loops)
        side.walk.loops.push_back({loop.count, inRuns(loop.stride)});
    return side;
}

} // namespace

int MoveSide::counterBits() const {
    int bits = 0;
    for (const WalkLoop& loop : walk.loops)
        bits += bitsFor(loop.count) + 1;
    return bits;
}

MoveSide slotSide(const Schedule& schedule, TensorId tensor, const Walk& walk, std::int64_t run) {
    const Slot& slot = schedule.slot(schedule.tensor(tensor).slot);
    MoveSide side;
    side.slot = slot.id;
    side.walk.start = (firstLane(schedule, tensor) + walk.start) / run;
    for (const WalkLoop& loop : walk.loops)
        side.walk.loops.push_back({loop.count, loop.stride / run});
    side.wordBits = slot.addressBits();
    side.placeBits = schedule.lanes > run ? bitsFor(schedule.lanes / run) : 0;
    side.runLanes = std::min(run, slot.storedLanes);
    side.runs = ceilDiv(slot.storedLanes, run);
    return side;
}

namespace {

/// The walk in every frame.
Walk ofFrames(const Schedule& schedule, TensorId tensor, Walk walk) {
    if (schedule.framesAtOnce() > 1)
        walk.loops.insert(walk.loops.begin(), {schedule.framesAtOnce(),
                                               schedule.tensor(tensor).words() * schedule.lanes});
    return walk;
}

} // namespace

MoveSide sourceSide(const Schedule& schedule, const MoveStep& step) {
    return slotSide(schedule, step.source, ofFrames(schedule, step.source, step.move.source),
                    step.move.run);
}

MoveSide targetSide(const Schedule& schedule, const MoveStep& step) {
    if (!step.target)
        return weightSide(schedule, schedule.unit(step.unit), step.move);
    return slotSide(schedule, *step.target, ofFrames(schedule, *step.target, step.move.target),
                    step.move.run);
}

namespace {

/// Both sides go over as many rows, which are their outermost loop.
bool goesOverRows(const Schedule& schedule, const Move& move) {
    const std::vector<WalkLoop>& from = move.source.loops;
    const std::vector<WalkLoop>& to = move.target.loops;
    return schedule.framesAtOnce() == 1 && !from.empty() && !to.empty() &&
           from.front().count == to.front().count;
}

/// What the steps of a mover have alike: of a band or a group all but the number of rows.
std::vector<std::int64_t> formOf(const Schedule& schedule, std::size_t index) {
    const auto& step = std::get<MoveStep>(schedule.steps[index]);
    const StoredTensor& source = schedule.tensor(step.source);
    const bool ofRows = goesOverRows(schedule, step.move);
    std::vector<std::int64_t> form{source.firstRow ? -1 : static_cast<std::int64_t>(index),
                                   static_cast<std::int64_t>(source.slot.index()),
                                   static_cast<std::int64_t>(step.unit.index()), step.move.run,
                                   step.move.together};
    form.push_back(
        step.target ? static_cast<std::int64_t>(schedule.tensor(*step.target).slot.index()) : -1);
    for (const Walk* walk : {&step.move.source, &step.move.target}) {
        form.push_back(std::ssize(walk->loops));
        for (std::size_t k = 0; k < walk->loops.size(); ++k) {
            form.push_back(k == 0 && ofRows ? 0 : walk->loops[k].count);
            form.push_back(walk->loops[k].stride);
        }
    }
    return form;
}

/// Different ones among the parts.
std::size_t distinctValues(const std::vector<MovePart>& parts, std::int64_t MovePart::*value) {
    std::set<std::int64_t> all;
    for (const MovePart& part : parts)
        all.insert(part.*value);
    return all.size();
}

} // namespace

bool Mover::beginsApart() const {
    return distinctValues(parts, &MovePart::from) > 1 || distinctValues(parts, &MovePart::to) > 1;
}

bool Mover::countsRows() const {
    return distinctValues(parts, &MovePart::rows) > 1;
}

std::vector<std::vector<std::size_t>> movesOfMovers(const Schedule& schedule) {
    std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> known;
    std::vector<std::vector<std::size_t>> movers;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const auto* step = std::get_if<MoveStep>(&schedule.steps[s]);
        if (step == nullptr)
            continue;
        const auto [at, fresh] =
            known.try_emplace({step->layer, formOf(schedule, s)}, movers.size());
        if (fresh)
            movers.emplace_back();
        movers[at->second].push_back(s);
    }
    return movers;
}

Mover moverOf(const Schedule& schedule, const std::vector<std::size_t>& steps) {
    const auto rowsOf = [](const MoveSide& side) {
        return side.walk.loops.empty() ? 1 : side.walk.loops.front().count;
    };
    Mover mover;
    for (const std::size_t s : steps) {
        const auto& step = std::get<MoveStep>(schedule.steps[s]);
        const MoveSide from = sourceSide(schedule, step);
        const MoveSide to = targetSide(schedule, step);
        mover.parts.push_back({s, from.walk.start, to.walk.start, rowsOf(from)});
        if (s == steps.front() || rowsOf(from) > rowsOf(mover.from)) {
            mover.from = from;
            mover.to = to;
        }
    }
    for (MoveSide* side : {&mover.from, &mover.to})
        if (!side->walk.loops.empty() && side->walk.loops.front().count == 1)
            side->walk.loops.erase(side->walk.loops.begin());
    return mover;
}

device::Resources moverResources(const Schedule& schedule, const Mover& mover) {
    constexpr double kEntriesOfLut = 32; // of a table of constants by step
    const auto& [from, to, parts] = mover;
    const Slot& slot = schedule.slot(*from.slot);
    device::Resources area = cost::moverResources(
        {from.runLanes * slot.elementBits, from.runs, to.runs * to.runLanes * slot.elementBits,
         from.counterBits() + to.counterBits(), from.addressBits() + to.addressBits()});
    const auto add = [&](std::int64_t MovePart::*value, int bits) {
        if (const std::size_t entries = distinctValues(parts, value); entries > 1)
            area.lut += bits * static_cast<double>(entries) / kEntriesOfLut;
    };
    add(&MovePart::from, from.addressBits());
    add(&MovePart::to, to.addressBits());
    add(&MovePart::rows, from.counterBits() > 0 ? 2 * bitsFor(from.walk.loops.front().count) : 0);
    return area;
}

} // namespace marquetry::design
