// The command line that does what an action of the window does, for the log and the export dialog.
//
// `before` is the snapshot the user looked at when the command was posted. Pins are written as a
// process substitution, so that the line can be pasted into a shell as it stands; file names are
// quoted when they need it. An empty string means that the command has no twin of its own (Undo
// and Redo are told by the command they lead to).
// Complexity: linear in pins and settings. Thread rule: pure.
#pragma once

#include "engine/session/command.h"
#include "engine/session/snapshot.h"

#include <string>

namespace marquetry::app {

std::string commandLine(const session::Command& command, const session::Snapshot& before);

/// The exploration options that reproduce the state: device, limits, objective, pins, seed, …
std::string exploreOptions(const session::Settings& settings, const std::vector<design::Pin>& pins);

std::string shellQuoted(const std::string& text);

} // namespace marquetry::app
