// Slots as memories: what every clock of the documented nest touches is a cycle of the accesses.
#include "engine/design/slot_accesses.h"
#include "tests/lower_design/random_design.h"

#include <gtest/gtest.h>

#include <numeric>

namespace marquetry {
namespace {

using design::Schedule;
using design::Slot;

/// Words of the slot's memory that are touched together, as lanes of words: a clock has one word
/// address.
using Touched = std::set<std::int64_t>;

/// Lanes of a nest's cycle, by running its loops; the word address is another loop.
std::set<Touched> cyclesOf(const ir::MemoryProgram& memory, bool write) {
    std::set<Touched> cycles;
    for (const ir::MemoryNest& nest : memory.nests) {
        if (nest.references[0].write != write)
            continue;
        const ir::MemoryLoop& lanes = nest.loops[1];
        for (std::int64_t first = lanes.begin; first < lanes.end; first += lanes.parallel) {
            Touched together;
            for (std::int64_t l = first; l < std::min(lanes.end, first + lanes.parallel); ++l)
                together.insert(l);
            cycles.insert(together);
        }
    }
    return cycles;
}

/// The words to which the elements belong; every word is wholly among them.
Touched wordsOf(const Touched& elements, std::int64_t word) {
    Touched words;
    for (const std::int64_t element : elements)
        words.insert(element / word);
    EXPECT_EQ(static_cast<std::int64_t>(words.size()) * word,
              static_cast<std::int64_t>(elements.size()));
    return words;
}

Touched run(std::int64_t first, std::int64_t count, std::int64_t lanes) {
    Touched elements;
    for (std::int64_t l = first; l < std::min(lanes, first + count); ++l)
        elements.insert(l);
    return elements;
}

/// What schedule.h says of a step that computes `rows` at once: group after group of as many as
/// divide both the rows and the lanes, row mod lanes onwards, of which a narrow slot keeps its own.
std::set<Touched> writtenBy(const Schedule& schedule, const Slot& slot, std::int64_t rows,
                            std::int64_t blocks) {
    std::set<Touched> cycles;
    const std::int64_t group = std::gcd(rows, schedule.lanes);
    for (std::int64_t row = 0; row < blocks * rows; row += group)
        if (row % schedule.lanes < slot.storedLanes)
            cycles.insert(run(row % schedule.lanes, group, slot.storedLanes));
    return cycles;
}

void expectCovered(const Schedule& schedule, const std::string& what) {
    for (const Slot& slot : schedule.slots) {
        const std::set<std::int64_t> runs = writtenRuns(schedule, slot.id);
        const std::int64_t word = wordElements(slot, runs);
        const ir::MemoryProgram memory = slotAccesses(slot, runs);
        EXPECT_EQ(memory.type.dims, (ir::Shape{slot.depth, slot.storedLanes / word})) << what;
        const auto reads = cyclesOf(memory, false);
        const auto writes = cyclesOf(memory, true);
        const auto holds = [&](design::TensorId t) { return schedule.tensor(t).slot == slot.id; };
        const Touched whole = wordsOf(run(0, slot.storedLanes, slot.storedLanes), word);
        for (const design::Step& step : schedule.steps) {
            const auto* load = std::get_if<design::LoadStep>(&step);
            const auto* store = std::get_if<design::StoreStep>(&step);
            const auto* compute = std::get_if<design::ComputeStep>(&step);
            EXPECT_TRUE(!load || !holds(load->tensor) || writes.contains(whole)) << what;
            EXPECT_TRUE(!store || !holds(store->tensor) || reads.contains(whole)) << what;
            EXPECT_TRUE(!compute || !holds(compute->input) || reads.contains(whole)) << what;
            if (!compute || !holds(compute->output))
                continue;
            const auto& unit = schedule.unit(compute->unit);
            const std::int64_t rows = unit.rows(schedule.lanes);
            for (const Touched& elements : writtenBy(schedule, slot, rows, compute->rowBlocks))
                EXPECT_TRUE(writes.contains(wordsOf(elements, word))) << what;
        }
    }
}

TEST(SlotAccesses, AreThoseOfTheSteps) {
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        expectCovered(test::randomDesign(seed).schedule, "random " + std::to_string(seed));
}

TEST(SlotAccesses, JoinElementsThatAreAlwaysMovedTogether) {
    Slot slot;
    slot.storedLanes = 16;
    EXPECT_EQ(wordElements(slot, {}), 16) << "read, never written";
    EXPECT_EQ(wordElements(slot, {16}), 16);
    EXPECT_EQ(wordElements(slot, {16, 4}), 4);
    EXPECT_EQ(wordElements(slot, {2, 4}), 2);
}

} // namespace
} // namespace marquetry
