// A window in which a tour is made, as a process of its own: what a test of recoveries kills.
//
// The tour does everything that a session file holds: pins of several kinds, settings, rules, a
// design from the plot, undo and redo, and the session saved now and then. It begins anew when it
// is over.
// What becomes of the session is told in lines:
//   is <n> <state>    this state (stateOf) has come in sight, the nth that is another than before
//   due <n>           one interval of the journal has passed since, by the window's own clock: from
//                     now on it must not be lost, whatever becomes of the process
#pragma once

#include "engine/session/session_file.h"

#include <string>

namespace marquetry::test {

inline constexpr const char* kTourFlag = "--touring-window";

/// `folder` has the settings, the journals in "journals", and the session as "tour.mqs".
int runTouringWindow(const char* folder);

/// A short name of all that was decided.
std::string stateOf(session::SessionFile session);

} // namespace marquetry::test
