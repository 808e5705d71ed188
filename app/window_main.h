// The window as a program: what `marquetry` and `marquetry open [FILE]` do.
//
// Exit status: 0 when the window was closed, 2 when the arguments are wrong, 3 when there is no
// display to open it on. Thread rule: main thread, once.
#pragma once

namespace marquetry::app {

int runWindow(int argc, char** argv);

} // namespace marquetry::app
