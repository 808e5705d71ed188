#include "engine/design/slot_accesses.h"

#include <numeric>

namespace marquetry::design {

namespace {

ir::Scalar scalarOfBits(int bits) {
    return bits == 8 ? ir::Scalar::I8 : bits == 16 ? ir::Scalar::I16 : ir::Scalar::I32;
}

/// `together` neighbouring words at any address.
ir::MemoryNest nestOf(const std::string& array, const ir::Shape& dims, std::int64_t together,
                      bool write) {
    ir::MemoryNest nest;
    nest.loops = {{"w", 0, dims[0], 1, 1}, {"l", 0, dims[1], 1, together}};
    ir::MemoryReference reference;
    reference.write = write;
    reference.index = {{0, {1, 0}, {}}, {0, {0, 1}, {}}};
    reference.text = array + "[w, l]";
    nest.references = {std::move(reference)};
    return nest;
}

} // namespace

std::set<std::int64_t> writtenRuns(const Schedule& schedule, SlotId slot) {
    const std::int64_t lanes = schedule.slot(slot).storedLanes;
    const auto holds = [&](TensorId tensor) { return schedule.tensor(tensor).slot == slot; };
    std::set<std::int64_t> runs;
    for (const Step& step : schedule.steps) {
        if (const auto* load = std::get_if<LoadStep>(&step); load && holds(load->tensor))
            runs.insert(lanes);
        if (const auto* move = std::get_if<MoveStep>(&step);
            move && move->target && holds(*move->target))
            runs.insert(std::gcd(lanes, move->move.together));
        if (const auto* rows = std::get_if<RowStep>(&step); rows && holds(rows->output))
            runs.insert(lanes);
        const auto* compute = std::get_if<ComputeStep>(&step);
        if (!compute || !holds(compute->output))
            continue;
        const ScheduleUnit& unit = schedule.unit(compute->unit);
        runs.insert(std::gcd(lanes, unit.reduces() ? unit.writeLanes(schedule.lanes) : lanes));
    }
    return runs;
}

std::int64_t wordsTaken(const Schedule& schedule, SlotId slot) {
    std::int64_t words = 0;
    for (const Step& step : schedule.steps)
        if (const auto* compute = std::get_if<ComputeStep>(&step);
            compute && schedule.tensor(compute->input).slot == slot)
            words =
                std::max(words, schedule.slot(slot).wordsTaken(schedule.unit(compute->unit).span));
    return words;
}

std::int64_t wordElements(const Slot& slot, const std::set<std::int64_t>& writtenRuns) {
    std::int64_t elements = slot.storedLanes;
    for (const std::int64_t length : writtenRuns)
        elements = std::gcd(elements, length);
    return elements;
}

ir::MemoryProgram slotAccesses(const Slot& slot, const std::set<std::int64_t>& writtenRuns) {
    const std::int64_t word = wordElements(slot, writtenRuns);
    ir::MemoryProgram memory;
    memory.name = memory.array = slot.name;
    memory.type = {scalarOfBits(slot.elementBits), {slot.depth, slot.storedLanes / word}};
    memory.nests.push_back(nestOf(memory.array, memory.type.dims, slot.storedLanes / word, false));
    for (const std::int64_t length : writtenRuns)
        memory.nests.push_back(nestOf(memory.array, memory.type.dims, length / word, true));
    return memory;
}

} // namespace marquetry::design
