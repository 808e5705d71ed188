// Every example in one Verilator simulation.
#include "tests/lower_memory/banked_fixture.h"

#include <gtest/gtest.h>

namespace marquetry::hdl {
namespace {

TEST(BankedExamples, AllReadWhatAFlatMemoryReads) {
    for (const std::string device : {"arria10", "xc7k160t"}) {
        SCOPED_TRACE(device);
        std::vector<BankedMemory> memories;
        for (const ir::MemoryProgram& item : exampleMemories())
            memories.push_back(plannedMemory(item, device));
        constexpr std::int64_t kCycles = 100'000;
        const TrafficResult result = simulate(memories, kCycles);
        EXPECT_EQ(result.exitCode, 0) << result.output.substr(0, 4000);
        EXPECT_EQ(result.finished, 23);
        EXPECT_EQ(result.mismatches, 0) << result.output.substr(0, 4000);
        EXPECT_GE(result.fewestCycles, kCycles);
        EXPECT_GE(result.fewestAccesses, kCycles);
    }
}

} // namespace
} // namespace marquetry::hdl
