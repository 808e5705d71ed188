// A window that pins one thing after another until it is killed, as a process of its own: what a
// test of journals kills. Each time that its journal holds everything, it prints the number of pins
// that there are then, on a line.
#pragma once

namespace marquetry::test {

inline constexpr const char* kPinningFlag = "--pinning-window";

/// `folder` has the settings, and the journals in "journals".
int runPinningWindow(const char* folder);

} // namespace marquetry::test
