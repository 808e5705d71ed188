// Costs computed by hand.
#include "engine/cost/buffer_cost.h"
#include "engine/cost/published_cost.h"
#include "engine/cost/unit_cost.h"
#include "engine/device/device_file.h"

#include <gtest/gtest.h>

namespace marquetry {

namespace {

device::Device deviceNamed(const char* id) {
    return *device::findDevice(id);
}

} // namespace

TEST(PublishedCost, OfADotProduct) {
    // SkeleShare Fig. 14: M·N / (P · min(N, 64)), and P · min(N, 64).
    EXPECT_EQ(cost::publishedDotTime(64, 576, 1), 576);
    EXPECT_EQ(cost::publishedDotTime(64, 576, 16), 36);
    EXPECT_EQ(cost::publishedDotTime(64, 27, 1), 64);
    EXPECT_EQ(cost::publishedDotTime(10, 512, 3), 10.0 * 512 / 192);
    EXPECT_EQ(cost::publishedDotDsp(576, 1), 64);
    EXPECT_EQ(cost::publishedDotDsp(576, 16), 1024);
    EXPECT_EQ(cost::publishedDotDsp(27, 4), 108);
    EXPECT_EQ(cost::kCommunicationCost, 5);
}

TEST(UnitCost, CountsDspBlocksByTheWidthOfTheFactors) {
    const device::Device two = deviceNamed("arria10");
    const device::Device one = deviceNamed("xc7k160t");
    EXPECT_EQ(cost::unitDsp(two, {4, 16, 8, 8}), 32);
    EXPECT_EQ(cost::unitDsp(two, {1, 9, 8, 8}), 5);
    EXPECT_EQ(cost::unitDsp(two, {4, 16, 16, 8}), 64);
    EXPECT_EQ(cost::unitDsp(one, {4, 16, 8, 8}), 64);
}

TEST(UnitCost, GrowsWithEveryRow) {
    const device::Device device = deviceNamed("xc7k160t");
    device::Resources last;
    for (std::int64_t rows : {1, 2, 4, 8}) {
        const device::Resources now = cost::unitResources(device, {rows, 8, 8, 8});
        EXPECT_GT(now.lut, last.lut);
        EXPECT_GT(now.ff, last.ff);
        EXPECT_EQ(now.dsp, static_cast<double>(8 * rows));
        EXPECT_EQ(now.bram, 0);
        last = now;
    }
}

TEST(CallTiming, OfOneCall) {
    // 1 set-up; 3 blocks of rows · 4 pixels · 5 words; then 2 read, 1 product, 3 tree levels,
    // 1 accumulator, 6 epilogue.
    EXPECT_EQ(cost::computeCycles({3, 4, 5, 8, false}), 1 + 60 + 2 + 2 + 3 + 6);
    EXPECT_EQ(cost::computeCycles({1, 1, 1, 64, false}), 1 + 1 + 2 + 2 + 6 + 6);
    EXPECT_EQ(cost::computeCycles({2, 10, 1, 8, true}), 1 + 20 + 2 + 6);
}

TEST(CallTiming, OfStreams) {
    EXPECT_EQ(cost::storeElements(64, 8), 8);
    EXPECT_EQ(cost::storeElements(3, 8), 1);
    EXPECT_EQ(cost::storeElements(6, 32), 2);
    EXPECT_EQ(cost::loadElements(64, 8), 8);
    EXPECT_EQ(cost::loadElements(3, 8), 3);
    EXPECT_EQ(cost::loadElements(7, 16), 1);
    EXPECT_EQ(cost::loadElements(12, 8), 4);
    EXPECT_EQ(cost::loadElements(1, 32), 1);
    EXPECT_EQ(cost::loadCycles(16, 64, 8), 1 + 128 + 1);
    EXPECT_EQ(cost::storeCycles(1, 10, 32), 1 + 5 + 2);
    EXPECT_EQ(cost::storeCycles(4, 3, 8), 1 + 12 + 2);
}

TEST(CallTiming, OfWeightsThatStreamIn) {
    device::Device device = deviceNamed("arria10");
    device.memoryBytesPerCycle = 10;
    device.memoryLatencyCycles = 7;
    EXPECT_EQ(cost::externalCallCycles(device, 100, 500), 107);
    EXPECT_EQ(cost::externalCallCycles(device, 100, 1001), 108);
}

TEST(BufferCost, OfWeightsInBanksOfThirtyTwoBits) {
    const device::Device device = deviceNamed("arria10");
    // 16 elements of a byte: four banks of 32 bits, each a block of 40 × 512.
    const cost::BankedMemory memory = cost::weightMemory(device, 500, 16, 8);
    EXPECT_EQ(memory.banks, 4);
    EXPECT_EQ(memory.bankBits, 32);
    EXPECT_EQ(memory.blocks, 4);
    EXPECT_EQ(cost::weightMemory(device, 0, 16, 8).blocks, 0);
    EXPECT_EQ(cost::weightMemory(device, 512, 4, 8).blocks, 1);
}

TEST(BufferCost, OfASlotWrittenByGroups) {
    const device::Device device = deviceNamed("xc7k160t");
    // 32 lanes of a byte written two at a time: 16 banks of 16 bits, half a RAMB36 each.
    const cost::BankedMemory memory = cost::slotMemory(device, 1000, 32, 2, 8);
    EXPECT_EQ(memory.banks, 16);
    EXPECT_EQ(memory.bankBits, 16);
    EXPECT_EQ(memory.blocks, 8);
    EXPECT_EQ(cost::slotMemory(device, 1000, 32, 32, 8).banks, 8);
}

} // namespace marquetry
