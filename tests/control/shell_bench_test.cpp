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
