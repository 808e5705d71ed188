// Circuits of programs as cases of one simulation, and what comes of it.
#pragma once

#include "tests/lower_stream/kernel_bench.h"
#include "tests/spacetime/schedule_helpers.h"

#include <iostream>

namespace marquetry::test {

/// The best circuit of a program, after its meaning was looked at.
inline void addCircuit(const ir::StreamProgram& program, std::int64_t clocks,
                       const std::string& name, std::vector<KernelCase>& cases) {
    const auto found = spacetime::schedule(program, clocks, spacetime::kintex(), {10});
    ASSERT_TRUE(found) << name << format(found.error());
    spacetime::expectMeaning(program, found->front[0], 3);
    cases.push_back({name, program, found->front[0].circuit});
}

/// Frames back to back, with gaps, and with X in every slot that is not valid; at least so many
/// bits.
inline void expectEqual(const std::vector<KernelCase>& cases, std::int64_t bits) {
    const KernelRun run = runKernels(cases, {3, true, 23});
    EXPECT_EQ(run.log, "");
    EXPECT_EQ(run.failures, std::vector<std::string>());
    std::cout << cases.size() << " kernels, " << run.comparedBits << " bits\n";
    EXPECT_GT(run.comparedBits, bits);
}

} // namespace marquetry::test
