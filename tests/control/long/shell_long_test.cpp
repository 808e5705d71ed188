// Every shape of a control shell, aborts at a thousand random clocks, and every planted fault.
#include "tests/control/real_benches.h"
#include "tests/control/shell_cases.h"
#include "tests/lower_design/test_designs.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/shared_cache.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

class ShellLongTest : public ::testing::Test {
protected:
    ShellLongTest() { useCacheFolder(folder_ / "cache"); }

private:
    TemporaryFolder folder_;
};

TEST_F(ShellLongTest, EveryShapeWithAThousandAborts) {
    for (const ShellCase& one : allShellCases()) {
        ShellBench bench = benchOf(one, 11);
        bench.aborts = 1000;
        const std::string said = saidOf(bench);
        EXPECT_TRUE(said.starts_with("right")) << one.name << ": " << said;
    }
}

TEST_F(ShellLongTest, HardwareOfDesignsAndStreams) {
    std::vector<ShellBench> benches;
    for (const int bits : {0, 8, 128})
        for (const TestDesign& design : {convPoolRequant(), leadsAndFollows(), copies()})
            benches.push_back(designBench(design, bits, 17));
    for (const int bits : {0, 8, 512})
        benches.push_back(streamBench(exampleStream("dot", "dot"), {1, 1}, bits, 17));
    for (ShellBench& bench : benches) {
        bench.aborts = 200;
        const std::string said = saidOf(bench);
        EXPECT_TRUE(said.starts_with("right"))
            << bench.core.module->wanted << " " << bench.request.streamBits << ": " << said;
    }
}

TEST_F(ShellLongTest, SeesEveryPlantedFault) {
    for (const ShellFault& fault : allShellFaults()) {
        ShellBench bench = benchOf(shellCase("starts_8"), 3);
        bench.aborts = 60;
        bench.faults = fault.changes;
        const std::string said = saidOf(bench);
        EXPECT_TRUE(said.starts_with("FAIL")) << fault.changes[0].second << ": " << said;
        EXPECT_NE(said.find(fault.complaint), std::string::npos)
            << fault.changes[0].second << ": " << said;
    }
}

} // namespace
} // namespace marquetry::test
