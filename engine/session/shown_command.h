// Command lines that find again what a snapshot shows: the design at hand, a design of the plot,
// the circuit of a stream, the banks of a memory.
//
// Empty where none does: for what is not found yet, what was chosen although something better is
// known, what a search found that was ended within, and designs that were opened from a file. What
// an export is of says command_line.h. Quoted for a POSIX shell. Thread rule: pure.
#pragma once

#include "engine/session/command_line.h"
#include "engine/session/snapshot.h"

#include <string>

namespace marquetry::session {

/// What a command would be applied to now, but for the hardware that is exported.
CommandContext contextOf(const Snapshot& snapshot);

/// `verb`: explore, ledger, or another command that takes the options of these.
std::string designCommand(const Snapshot& snapshot, const std::string& verb = "explore");
/// Finds as few cycles within the resources of the point. Complexity: linear in the points.
std::string pointCommand(const Snapshot& snapshot, const PickedDesign& point,
                         const std::string& verb = "explore");
/// Of the stream at hand.
std::string circuitCommand(const Snapshot& snapshot);
/// Of the memory at hand.
std::string banksCommand(const Snapshot& snapshot);

} // namespace marquetry::session
