// A slot of a schedule as a memory: which elements its steps ask for in one cycle, for the bank
// search (background/banking.md, "Accesses").
//
// The sequencer gives a slot one word address to read and one to write per clock. A word is read as
// a whole; a load or a pass writes it as a whole, a unit as many neighbouring elements as it has
// rows. Elements that every step takes together are one wide word of the memory: an array of depth
// × (stored lanes / word elements) words, the word address first. One nest per direction and run
// length, over all addresses: a scheme that serves it serves every order in which the loops of the
// steps visit the slot.
// Units: elements, words. Complexity: O(steps). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/memory_program.h"

#include <set>

namespace marquetry::design {

/// Neighbouring elements, aligned to their number, that steps write at once.
std::set<std::int64_t> writtenRuns(const Schedule& schedule, SlotId slot);

/// Elements that are always moved together.
std::int64_t wordElements(const Slot& slot, const std::set<std::int64_t>& writtenRuns);

/// The type of its elements is that of one element of the slot.
ir::MemoryProgram slotAccesses(const Slot& slot, const std::set<std::int64_t>& writtenRuns);

} // namespace marquetry::design
