// What testbenches print: one JSON object per line, among whatever simulators print.
//
//   {"mismatch":{"output","vector","index","expected","got","cycle","what"}}, of a memory with
//   "lane" and "memory"; {"counted":N} at the end of a frame, with "stalls" where there is a
//   memory, and "stalls_loads" and "stalls_stores" where the hardware writes to it; the last line
//   has "mismatches" and, but of a memory, "pass"; its "cycles" and "stalls" (likewise) are those
//   of each vector, or of the run.
// Complexity: linear. Thread rule: pure.
#pragma once

#include "engine/artefact/verify.h"

namespace marquetry::hdl {

struct BenchOutput {
    bool ended = false; ///< the last line came
    bool pass = false;  ///< says so, with no mismatch
    std::int64_t mismatchCount = 0;
    std::vector<VerifyMismatch> mismatches;
    std::vector<std::int64_t> cycles;
    std::vector<std::int64_t>
        stalls; ///< of them, waiting for external memory; of hardware with one
    std::vector<std::int64_t> stallsLoads, stallsStores; ///< of `stalls`; of hardware that writes

    /// The last two by vector; nullopt: they are not of as many vectors.
    std::optional<std::vector<MoveStalls>> moveStalls() const;

    /// An assertion of the hardware ended the run: a mismatch of what it said.
    void endedBy(const std::string& output);
};

BenchOutput readBench(const std::string& output);

/// simulator-run, with the end of what was printed: the bench did not come to its end.
Diagnostic unfinished(const std::string& output);

/// The end of a long text, printable.
std::string tail(const std::string& text);

} // namespace marquetry::hdl
