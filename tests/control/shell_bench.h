// Control shells before a bench of their own in Verilator: bench/shell_bench.cpp, which drives
// registers and streams clock by clock and checks the protocols.
#pragma once

#include "tests/control/small_cores.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// Frames as bytes: of each stream, of each frame.
struct ShellFrames {
    std::vector<std::vector<std::string>> sources, sinks;
};

/// Random ones, and what the model makes of them.
ShellFrames framesOf(const SmallCore& small, int count, std::uint64_t seed);

struct ShellBench {
    hdl::ShellCore core;
    hdl::ShellRequest request;
    ShellFrames frames;
    std::int64_t flowClocks =
        0;                   ///< of frames that follow each other at full pace; 0: not looked at
    std::string image{};     ///< what is in the memory that the core reads
    std::size_t written = 0; ///< the first byte there that it may write
    std::uint64_t seed = 1;
    int aborts = 20;
    /// Replaced in the hardware's text: a fault that the bench must see. Each is there.
    std::vector<std::pair<std::string, std::string>> faults{};
};

/// What the bench says: lines of "FAIL …", and one of figures that begins with "right" or "wrong".
std::string saidOf(const ShellBench& bench);

} // namespace marquetry::test
