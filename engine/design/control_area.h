// LUTs and flip-flops of what a schedule's steps need beside its units and memories: the sequencer,
// the loaders and storers of streams, and what chooses among the slots.
//
// Registers are counted as the generator declares them, but for tables whose entries are the same
// in all steps; LUTs by what one holds: a bit of a counter or of a sum, a choice of up to four
// words. Cells of the 7 series; cost-model.md, "Resources", has the errors. Complexity: linear in
// the steps, times those of the slots. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/resources.h"

namespace marquetry::design {

/// The sequencer, and the follower of joined steps.
device::Resources sequencerResources(const Schedule& schedule);

/// Loaders and storers.
device::Resources streamResources(const Schedule& schedule);

/// Addresses and words of slots where several read or write.
device::Resources slotChoiceResources(const Schedule& schedule);

} // namespace marquetry::design
