// Memories of XOR-linear schemes, simulated against a flat one.
#include "engine/banking/flat_maps.h"
#include "tests/banking/fft.h"
#include "tests/lower_memory/banked_fixture.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::hdl {
namespace {

using banking::AddressMode;

constexpr std::int64_t kCycles = 20'000;

void expectFlat(const std::vector<BankedMemory>& memories, bool icarus = false) {
    const std::int64_t cycles = icarus ? kCycles / 10 : kCycles;
    const TrafficResult result = simulate(memories, cycles, icarus);
    EXPECT_EQ(result.exitCode, 0) << result.output.substr(0, 4000);
    EXPECT_EQ(result.finished, static_cast<int>(memories.size())) << result.output.substr(0, 4000);
    EXPECT_EQ(result.mismatches, 0) << result.output.substr(0, 4000);
    EXPECT_GE(result.fewestCycles, cycles);
}

std::vector<BankedMemory> memoriesOf(const std::vector<std::string>& bodies) {
    std::vector<BankedMemory> memories;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
        memories.push_back(plannedMemory(memoryItem("m" + std::to_string(k), bodies[k])));
        EXPECT_TRUE(banking::isParity(memories.back().scheme.maps)) << bodies[k];
    }
    return memories;
}

/// Every kind of address.
const std::vector<std::string> kBodies = {
    // tables of the counters; the array is loaded from outside, or written
    "array a : i16[32] bank xor([[9], [18]]); for i in 0 .. 16 { read a[2*i], a[2*i + 1]; }",
    "array a : i16[16] bank xor([[5], [10]]); for b in 0 .. 4, j in 0 .. 4 par 2 {"
    " read a[4*b + j]; write a[4*b + j]; }",
    // indices of counters that overlap or not, upwards or downwards
    "array a : i8[8192] bank xor([[4097], [2]]); for i in 0 .. 2048 { read a[4*i],"
    " a[4*i + 1], a[4*i + 2], a[4*i + 3]; }",
    "array a : i8[9000] bank xor([[1], [18]]); for i in 0 .. 4500 { read a[8999 - 2*i],"
    " a[8998 - 2*i]; write a[2*i], a[2*i + 1]; }",
    "array a : i8[130, 100] bank xor([[1, 2], [2, 1]]); for i in 0 .. 128, j in 0 .. 50 {"
    " read a[i + 1, 2*j], a[i + 1, 2*j + 1]; write a[i, j + 3]; }",
    // the bits left out are not the lowest
    "array a : i8[11] bank xor([[8]]); for i in 0 .. 3 { read a[i], a[i + 8]; }",
    "array a : i8[9001] bank xor([[4096], [8]]); for i in 0 .. 4096 { read a[i],"
    " a[i + 4096]; }",
    // unknown indices, the array's edge, ends that are no numbers
    "array a : i16[40, 20] bank xor([[0, 1]]); for t in 0 .. 50 { read a[?r(t), 2*t],"
    " a[?r(t), 2*t + 1]; write a[?w(t), t]; }",
    "array a : i8[8, 16] bank xor([[0, 5]]); for i in 0 .. 8, j in 0 .. ?n(i) {"
    " read a[i, 2*j], a[i, 2*j + 1]; write a[i, j]; }",
    // two ports, copies, block RAM
    "array a : i8[300] ports 2 bank xor([[1]]); for i in 0 .. 297 { read a[i], a[i + 1],"
    " a[i + 2]; write a[i + 1], a[i + 3]; }",
    "array a : i32[64] bank xor([[1]]) copies 2; for t in 0 .. 60 { read a[?r(t)], a[t];"
    " write a[t]; }",
    "array a : i32[4096] bank xor([[257]]); for i in 0 .. 2048 { read a[2*i], a[2*i + 1];"
    " write a[i]; }",
};

TEST(ParityMemory, EveryKindOfAddressReadsWhatAFlatMemoryReads) {
    const std::vector<BankedMemory> memories = memoriesOf(kBodies);
    std::set<AddressMode> modes;
    bool tabulated = false;
    bool blocks = false;
    for (const BankedMemory& memory : memories) {
        blocks = blocks || memory.plan.blockRam;
        for (const banking::GroupHardware& group : memory.plan.groups) {
            tabulated = tabulated || group.tabulated;
            for (const banking::LaneHardware& lane : group.lanes) {
                if (!group.tabulated)
                    modes.insert(lane.mode);
            }
        }
    }
    EXPECT_TRUE(modes.contains(AddressMode::Counted) && modes.contains(AddressMode::Decoded));
    EXPECT_TRUE(tabulated && blocks);
    expectFlat(memories);
    expectFlat(memories, true);
}

TEST(ParityMemory, AnFftReadsWhatAFlatMemoryReads) {
    std::vector<BankedMemory> memories;
    for (const auto& [points, butterflies] : {std::pair(16, 2), std::pair(64, 4)})
        memories.push_back(plannedMemory(
            memoryItem("fft" + std::to_string(points), banking::fft(points, butterflies))));
    expectFlat(memories);
}

TEST(ParityMemory, AConflictIsCaught) {
    const BankedMemory wrong =
        memoryWith(memoryItem("m", "array a : i8[16]; for i in 0 .. 8 { read a[i], a[i + 4]; }"),
                   {ir::parityMap({3})});
    const TrafficResult result = simulate({wrong}, 1000, true);
    EXPECT_EQ(result.finished, 0);
    EXPECT_NE(result.output.find("a bank is asked for more words than it has ports"),
              std::string::npos)
        << result.output;
}

} // namespace
} // namespace marquetry::hdl
