// Control shells under Verilator, and planted faults that the bench must see. The long tests have
// all of both.
#include "tests/control/shell_cases.h"
#include "tests/support/shared_cache.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

class ShellBenchTest : public ::testing::Test {
protected:
    ShellBenchTest() { useCacheFolder(folder_ / "cache"); }

private:
    TemporaryFolder folder_;
};

TEST_F(ShellBenchTest, FramesAbortsAndCountersAreRight) {
    for (const char* const name : {"starts_8", "flows_128", "flows_together_singly"}) {
        const std::string said = saidOf(benchOf(shellCase(name), 7));
        EXPECT_TRUE(said.starts_with("right")) << name << ": " << said;
    }
}

ShellBench keepingBench(std::uint64_t seed) {
    const SmallCore small = keepingCore();
    ShellBench bench;
    bench.core = small.core;
    bench.request = {"small", {3, 0xfeedfacecafebeefULL}, 32};
    bench.frames = framesOf(small, 5, seed);
    bench.image = std::string(8192, '\x5a');
    bench.written = 4096;
    bench.seed = seed;
    bench.aborts = 60;
    return bench;
}

TEST_F(ShellBenchTest, CoresThatWriteAreRightBehindAbortsAndErrors) {
    const std::string said = saidOf(keepingBench(5));
    EXPECT_TRUE(said.starts_with("right")) << said;
}

TEST_F(ShellBenchTest, SeesAnswersToWritesThatAreLost) {
    ShellBench bench = keepingBench(5);
    bench.faults = {{"memory_error = read_error | write_error", "memory_error = read_error"}};
    bench.aborts = 20;
    const std::string said = saidOf(bench);
    EXPECT_TRUE(said.starts_with("FAIL")) << said;
}

TEST_F(ShellBenchTest, SeesPlantedFaults) {
    for (const ShellFault& fault : fewShellFaults()) {
        ShellBench bench = benchOf(shellCase("starts_8"), 3);
        bench.faults = fault.changes;
        const std::string said = saidOf(bench);
        EXPECT_TRUE(said.starts_with("FAIL")) << fault.changes[0].second << ": " << said;
        EXPECT_NE(said.find(fault.complaint), std::string::npos) << said;
    }
}

} // namespace
} // namespace marquetry::test
