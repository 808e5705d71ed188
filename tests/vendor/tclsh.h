// Runs texts and scripts in tclsh.
#pragma once

#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace marquetry::test {

struct TclRun {
    int exitCode = -1;
    std::string output;
};

/// `tclsh SCRIPT ARGUMENTS…` in `folder`; a failed start fails the test.
inline TclRun runTcl(const std::string& script, const std::vector<std::string>& arguments = {},
                     const std::string& folder = {}) {
    ProcessParams params;
    params.arguments = {"tclsh", script};
    params.arguments.insert(params.arguments.end(), arguments.begin(), arguments.end());
    params.folder = folder;
    params.environment = {{"LC_ALL", "C.UTF-8"}};
    const auto result = runProcess(params);
    if (!result) {
        ADD_FAILURE() << format(result.error());
        return {};
    }
    return {result->exitCode, result->output};
}

/// The text as a script of its own.
inline TclRun runTclText(const std::string& text) {
    const TemporaryFolder folder;
    const std::string script = folder / "script.tcl";
    if (const auto written = writeText(script, text); !written)
        ADD_FAILURE() << format(written.error());
    return runTcl(script);
}

} // namespace marquetry::test
