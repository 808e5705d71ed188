// What happens when a signal ends the program: SIGINT, SIGTERM, SIGHUP, SIGPIPE.
//
// A thread waits for them, so that whatever the other threads do, the program is over at once:
// children are ended, temporary files and folders removed, and the program dies of the signal, so
// that a shell sees why. Outputs are written whole or not at all and need no further care. Signals
// that were ignored at the start (nohup) stay ignored.
// Thread rule: main thread; endOnSignals before any other thread and once.
#pragma once

namespace marquetry::cli {

void endOnSignals();

/// Whoever is about to end the program calls it: it does not return when a signal is ending it, so
/// that the status is the signal's and not that of work that the signal cut short.
void yieldToSignals();

/// For a child of ours that inherits the signals as endOnSignals() left them: lets them end it.
void unblockSignals();

} // namespace marquetry::cli
