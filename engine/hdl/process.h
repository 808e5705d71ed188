// Child processes: started without a shell, in their own process group, killed when asked to stop.
//
// Errors: process-start (the program is not installed or cannot be started), cancelled.
// Thread rule: may be called from any thread; the call returns when the child has ended.
#pragma once

#include "engine/support/result.h"

#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct ProcessParams {
    std::vector<std::string> arguments; ///< the program first, looked up in PATH
    std::string folder;                 ///< working directory
};

struct ProcessResult {
    int exitCode = 0;   ///< 128 + signal when it was killed by one
    std::string output; ///< standard output and error together
};

Result<ProcessResult> runProcess(const ProcessParams& params, std::stop_token stop = {});

} // namespace marquetry::hdl
