// A slot of a schedule (an activation memory) as a memory program: which elements its steps ask for
// in one cycle, for the bank search (background/banking.md, "Accesses").
//
// The sequencer gives a slot one word address to read and one to write per clock. A word is read as
// a whole. A load or a pass writes it as a whole too, a unit writes as many neighbouring elements
// as it has rows, and a move whole runs of them (Move::together). Elements that every step takes
// together are one wide word of the memory, so the array has depth × (stored lanes / elements of a
// wide word) words, the word address first.
//
// There is one nest for each direction and each number of neighbouring elements, over all
// addresses. A scheme that serves it serves every order in which the loops of the steps visit the
// slot.
// Units: elements, words. Complexity: O(steps). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/memory_program.h"

#include <set>

namespace marquetry::design {

/// Neighbouring elements, aligned to their number, that steps write at once.
std::set<std::int64_t> writtenRuns(const Schedule& schedule, SlotId slot);

/// Words that a unit takes of the slot at once, the most; 0 where none reads it.
std::int64_t wordsTaken(const Schedule& schedule, SlotId slot);

/// Elements that are always moved together.
std::int64_t wordElements(const Slot& slot, const std::set<std::int64_t>& writtenRuns);

/// The type of its elements is that of one element of the slot.
ir::MemoryProgram slotAccesses(const Slot& slot, const std::set<std::int64_t>& writtenRuns);

} // namespace marquetry::design
