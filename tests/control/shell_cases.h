// Shells for the bench: what they are put around, and how wide their streams are.
#pragma once

#include "tests/control/shell_bench.h"

namespace marquetry::test {

struct ShellCase {
    const char* name;
    SmallCore small;
    int streamBits;
};

/// Every direction and ratio of widths, frames that fill their last beat and such that do not, one
/// and several streams, no source at all; frames of a single beat.
std::vector<ShellCase> allShellCases();
ShellCase shellCase(const std::string& name);

ShellBench benchOf(const ShellCase& one, std::uint64_t seed);

/// A fault in the hardware of the case "starts_8": what is replaced, and a word of the complaint.
struct ShellFault {
    std::vector<std::pair<std::string, std::string>> changes;
    std::string complaint;
};
std::vector<ShellFault> fewShellFaults();
std::vector<ShellFault> allShellFaults(); ///< those, too

} // namespace marquetry::test
