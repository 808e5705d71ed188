// Child processes: started without a shell, ended with all that they start, within limits.
//
// A small guard process stands between us and the command. It adopts whatever the command leaves
// behind, and holds a pipe that closes when we ask for the end or die, be it by a kill that nobody
// can handle: then, and when the command itself has ended, it kills the command's process group and
// every descendant, also those that left the group or the session. The command has nothing of ours
// but its arguments and its output: no other descriptor, no terminal, an empty standard input.
//
// Errors: process-start (the program is not installed or cannot be started, or there is no such
// folder), process-time, process-output (a limit was passed), process-lost (somebody killed the
// guard), cancelled. Of a limit that the system enforces (memory, file size) the exit code tells.
// Thread rule: any thread; the call returns when the command and all that it started have ended.
#pragma once

#include "engine/support/result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry {

struct ProcessParams {
    std::vector<std::string> arguments; ///< the program first, looked up in PATH
    std::string folder = {};            ///< working directory; empty: ours
    /// Of our environment: what is set otherwise, and without a value what is removed.
    std::map<std::string, std::optional<std::string>> environment = {};
    double seconds = 0;                              ///< of the clock on the wall; 0: no limit
    std::size_t outputBytes = std::size_t{64} << 20; ///< more output is an error
    std::uint64_t memoryBytes = 0;                   ///< address space of each process; 0: no limit
    std::uint64_t fileBytes = 0; ///< size of each file that is written; 0: no limit
};

struct ProcessResult {
    int exitCode = 0;   ///< 128 + signal when it was killed by one
    std::string output; ///< standard output and error together
};

Result<ProcessResult> runProcess(const ProcessParams& params, std::stop_token stop = {});

/// Ends all children of this process and waits until they are gone; not for ever. Their calls, and
/// all later ones, yield cancelled. For whoever ends the program on a signal.
void endChildren();

} // namespace marquetry
