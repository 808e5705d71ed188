// Banked memories simulated against a flat one.
#include "tests/lower_memory/banked_fixture.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::hdl {
namespace {

using banking::AddressMode;

void expectClean(const TrafficResult& result, std::size_t memories, std::int64_t cycles) {
    EXPECT_EQ(result.exitCode, 0) << result.output.substr(0, 4000);
    EXPECT_EQ(result.finished, static_cast<int>(memories)) << result.output.substr(0, 4000);
    EXPECT_EQ(result.mismatches, 0) << result.output.substr(0, 4000);
    EXPECT_GE(result.fewestCycles, cycles);
    EXPECT_GE(result.fewestAccesses, cycles / 4);
}

/// Items whose lanes need more than a table per bank.
std::vector<BankedMemory> furtherMemories() {
    const std::vector<std::string> bodies = {
        // residues counted along with the loops
        "array a : i16[200, 300] bank flat(5, 1, [1, 2]); for i in 0 .. 198, j in 0 .. 298 {"
        " read a[i, j], a[i, j + 1], a[i + 1, j], a[i + 1, j + 1]; }",
        "array a : i16[90, 300] bank flat(5, 3, [4, 7]); for i in 0 .. 90, j in 0 .. 298 {"
        " read a[i, j]; write a[i, j + 2]; }",
        "array a : i8[300, 200] bank hierarchical([3, 2], [1, 5], [1, 3]);"
        " for i in 0 .. 297 step 3, j in 0 .. 200 { read a[i, j], a[i + 1, j], a[i + 2, j]; }",
        "array a : i8[100, 301]; for i in 0 .. 300, j in 0 .. 100 {"
        " read a[99 - j, 300 - i], a[98 - j, 300 - i]; write a[j, i], a[j, i + 1]; }",
        // the array's edge, and lanes that end early
        "array a : i32[40]; for i in 0 .. 14 par 4 { read a[3*i - 2]; write a[3*i]; }",
        "array a : i8[100, 300] bank flat(3, 1, [1, 1]); for i in 0 .. 100, j in 0 .. 300 {"
        " read a[i, j - 1], a[i, j], a[i, j + 1]; }",
        // unknown indices
        "array a : i8[40, 100]; for t in 0 .. 50 { read a[?r(t), 2*t], a[?r(t), 2*t + 1];"
        " write a[?w(t), t]; }",
        "array a : i16[1000] bank flat(7, 3, [5]); for t in 0 .. 50 { read a[?r(t)];"
        " write a[?w(t)]; }",
        "array a : i16[32, 64]; for t in 0 .. 50 par 2 { read a[?r(t), 3], a[7, 2*t];"
        " write a[t, ?w(t)]; }",
        "array a : i8[51, 39] bank flat(3, 3, [3, 1]); for i in 0 .. 51, j in 0 .. 39 {"
        " read a[?r(i) + 1, j], a[?r(i), j]; } for i in 0 .. 50, j in 0 .. 37 step 3 par 3 {"
        " read a[?r(i), j]; write a[i + 1, j + 1]; }",
        // ends of ranges that are no numbers
        "array a : i16[8, 12]; for i in 0 .. 8 par 2, j in 0 .. ?n(i) { read a[i, j],"
        " a[i, j + 1]; write a[i, j]; }",
        "array a : i8[16, 17]; for i in 0 .. 16, j in 0 .. i + 1 par 2 { read a[i, j],"
        " a[i, j + 1]; write a[j, i + 1]; }",
        "array a : i32[8, 16]; for i in 0 .. 8 par 2, j in 0 .. 2*i + 2 { read a[j, i]; }",
        "array a : i32[16, 8]; for i in 0 .. 8, j in 0 .. ?n(i) par 2 { read a[j, i], a[i, 0]; }",
        // two ports
        "array a : i8[16, 16] ports 2; for i in 0 .. 14, j in 0 .. 14 { read a[i, j],"
        " a[i, j + 1], a[i + 1, j], a[i + 1, j + 1]; write a[i, j], a[i + 1, j + 2]; }",
        "array a : i8[300] ports 2 bank flat(2, 1, [1]); for i in 0 .. 297 { read a[i], a[i + 1],"
        " a[i + 2]; write a[i + 1], a[i + 3]; }",
        "array a : i8[300] ports 2 bank flat(2, 1, [1]); for i in 0 .. 290, j in 0 .. 7 {"
        " read a[i + j], a[i + j + 1], a[i + j + 2]; write a[i], a[i + 2]; }",
        "array a : i32[2, 32] ports 2 bank flat(1, 1, [1, 1]); for t in 0 .. 32 {"
        " read a[?r(t), t], a[0, t]; write a[0, ?w(t)], a[1, t]; }",
        // copies, and several nests on the same ports
        "array a : i32[64] bank flat(1, 1, [1]) copies 2; for t in 0 .. 60 { read a[?r(t)], a[t];"
        " write a[t]; }",
        "array a : i8[24, 24]; for i in 0 .. 24, j in 0 .. 24 step 4 { read a[i, j], a[i, j + 1];"
        " } for i in 0 .. 24 step 3, j in 0 .. 24 { read a[i, j], a[i + 1, j];"
        " write a[i, j]; } for t in 0 .. 9 { write a[t, ?w(t)]; }",
        // block RAM
        "array a : i32[64, 256]; for i in 0 .. 62, j in 0 .. 256 par 2 { read a[i, j],"
        " a[i + 1, j], a[i + 2, j]; write a[i, j]; }",
        "array a : u8[3]; for i in 0 .. 3 { read a[i], a[0]; }",
        "array a : i8[1, 6]; for i in 0 .. 6 { read a[0, i]; write a[0, 5 - i]; }",
    };
    std::vector<BankedMemory> memories;
    for (std::size_t k = 0; k < bodies.size(); ++k)
        memories.push_back(plannedMemory(memoryItem("m" + std::to_string(k), bodies[k])));
    return memories;
}

TEST(BankedMemory, EveryKindOfAddressReadsWhatAFlatMemoryReads) {
    const std::vector<BankedMemory> memories = furtherMemories();
    std::set<AddressMode> modes;
    bool blocks = false;
    bool copies = false;
    bool twoWriters = false;
    for (const BankedMemory& memory : memories) {
        blocks = blocks || memory.plan.blockRam;
        copies = copies || memory.scheme.copies > 1;
        for (const Module& module : lowerMemory(memory).modules)
            twoWriters = twoWriters || module.name == memory.name + "_writers";
        for (const banking::GroupHardware& group : memory.plan.groups) {
            for (const banking::LaneHardware& lane : group.lanes) {
                if (!group.tabulated)
                    modes.insert(lane.mode);
            }
        }
    }
    EXPECT_EQ(modes.size(), 3U);
    EXPECT_TRUE(blocks && copies && twoWriters);
    constexpr std::int64_t kCycles = 20'000;
    expectClean(simulate(memories, kCycles), memories.size(), kCycles);
}

TEST(BankedMemory, TwoSimulatorsSeeTheSameTraffic) {
    std::vector<BankedMemory> memories;
    for (const ir::MemoryProgram& item : exampleMemories()) {
        if (item.name == "denoise" || item.name == "seed_fig1b" || item.name == "scratchpad")
            memories.push_back(plannedMemory(item, "arria10"));
    }
    constexpr std::int64_t kCycles = 3'000;
    const TrafficResult icarus = simulate(memories, kCycles, true);
    const TrafficResult verilator = simulate(memories, kCycles);
    expectClean(icarus, 3, kCycles);
    expectClean(verilator, 3, kCycles);
    EXPECT_EQ(icarus.fewestAccesses, verilator.fewestAccesses);
}

TEST(BankedMemory, AConflictIsCaught) {
    for (const ir::MemoryProgram& item : exampleMemories()) {
        if (item.name != "denoise")
            continue;
        // a[i + 1, j] and a[i + 1, j + 2] are in one bank.
        const BankedMemory wrong = memoryWith(item, {{{1, 2}, 1, 4}});
        const TrafficResult result = simulate({wrong}, 1000, true);
        EXPECT_EQ(result.finished, 0);
        EXPECT_NE(result.output.find("a bank is asked for more words than it has ports"),
                  std::string::npos)
            << result.output;
    }
}

TEST(BankedMemory, TheSameMemoryIsTheSameText) {
    const std::vector<ir::MemoryProgram> items = exampleMemories();
    const Netlist once = lowerMemory(plannedMemory(items[0]));
    const Netlist again = lowerMemory(plannedMemory(items[0]));
    ASSERT_EQ(once.modules.size(), again.modules.size());
    for (std::size_t m = 0; m < once.modules.size(); ++m)
        EXPECT_EQ(once.modules[m].verilog, again.modules[m].verilog);
}

} // namespace
} // namespace marquetry::hdl
