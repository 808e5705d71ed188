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
    const device::Device one = deviceNamed("lfe5u-85f");
    EXPECT_EQ(cost::unitDsp(two, {4, 16, 8, 8}), 32);
    EXPECT_EQ(cost::unitDsp(two, {1, 9, 8, 8}), 5);
    EXPECT_EQ(cost::unitDsp(two, {4, 16, 16, 8}), 64);
    EXPECT_EQ(cost::unitDsp(one, {4, 16, 8, 8}), 64);
}

TEST(UnitCost, CountsABlockForALaneOfTwoRows) {
    for (const char* const id : {"xc7k160t", "xc7z020", "zu3eg", "zu7ev", "xcu250"}) {
        const device::Device device = deviceNamed(id);
        EXPECT_EQ(cost::unitDsp(device, {4, 16, 8, 8}), 32);
        EXPECT_EQ(cost::unitDsp(device, {5, 16, 8, 8}), 48) << "the last row stands alone";
        EXPECT_EQ(cost::unitDsp(device, {1, 16, 8, 8}), 16) << "it has no other row";
        EXPECT_EQ(cost::unitDsp(device, {4, 9, 8, 4}), 18);
        EXPECT_EQ(cost::unitDsp(device, {4, 16, 16, 8}), 64);
        EXPECT_EQ(cost::unitDsp(device, {4, 16, 8, 9}), 64) << "nine bits are one too many";
        EXPECT_TRUE(cost::pairsRows(device, {2, 8, 8, 8}));
        EXPECT_FALSE(cost::pairsRows(device, {1, 8, 8, 8}));
        EXPECT_FALSE(cost::pairsRows(device, {2, 8, 16, 8}));
    }
    for (const char* const id : {"arria10", "lfe5u-85f", "ice40up5k"})
        EXPECT_FALSE(cost::pairsRows(deviceNamed(id), {2, 8, 8, 8})) << id;
}

TEST(UnitCost, AddsTheFirstSumsOfPairedRows) {
    const device::Device pairs = deviceNamed("xc7k160t");
    device::Device alone = pairs;
    alone.int8ProductsShareFactor = false;
    // 16 lanes: eight sums of two products of 16 bits, 17 bits each, for each paired row.
    const auto more = [&](std::int64_t rows, auto part) {
        const cost::UnitHardware unit{rows, 16, 8, 8};
        return cost::unitResources(pairs, unit).*part - cost::unitResources(alone, unit).*part;
    };
    EXPECT_EQ(more(1, &device::Resources::lut), 0);
    EXPECT_EQ(more(2, &device::Resources::lut), 2 * 8 * 17);
    EXPECT_EQ(more(5, &device::Resources::lut), 4 * 8 * 17);
    // And the weights of one row of a pair have registers outside the blocks.
    EXPECT_EQ(more(1, &device::Resources::ff), 0);
    EXPECT_EQ(more(2, &device::Resources::ff), 2 * 8 * 17 + 16 * 8);
    EXPECT_EQ(more(5, &device::Resources::ff), 4 * 8 * 17 + 2 * 16 * 8);
}

TEST(UnitCost, GrowsWithEveryRow) {
    const device::Device device = deviceNamed("xc7k160t");
    device::Resources last;
    for (std::int64_t rows : {1, 2, 4, 8}) {
        const device::Resources now = cost::unitResources(device, {rows, 8, 8, 8});
        EXPECT_GT(now.lut, last.lut);
        EXPECT_GT(now.ff, last.ff);
        EXPECT_EQ(now.dsp, static_cast<double>(rows == 1 ? 8 : 4 * rows));
        EXPECT_EQ(now.bram, 0);
        last = now;
    }
}

TEST(CallTiming, OfOneCall) {
    // 1 set-up; 3 blocks of rows · 4 pixels · 5 words; then 3 read, 1 product, 3 tree levels,
    // 1 accumulator, 6 epilogue.
    EXPECT_EQ(cost::computeCycles({3, 4, 5, 8, false}), 1 + 60 + 3 + 2 + 3 + 6);
    EXPECT_EQ(cost::computeCycles({1, 1, 1, 64, false}), 1 + 1 + 3 + 2 + 6 + 6);
    EXPECT_EQ(cost::computeCycles({2, 10, 1, 8, true}), 1 + 20 + 3 + 6);
}

TEST(CallTiming, OfStreams) {
    EXPECT_EQ(cost::storeElements(64, 8), 8);
    EXPECT_EQ(cost::storeElements(3, 8), 1);
    EXPECT_EQ(cost::storeElements(6, 32), 2);
    EXPECT_EQ(cost::loadElements(64, 8), 8);
    EXPECT_EQ(cost::loadElements(3, 8), 3);
    EXPECT_EQ(cost::loadElements(7, 16), 4);
    EXPECT_EQ(cost::loadElements(12, 8), 8);
    EXPECT_EQ(cost::loadElements(1, 32), 1);
    EXPECT_EQ(cost::loadCycles(16, 64, 8), 1 + 128 + 1);
    EXPECT_EQ(cost::loadCycles(10, 49, 8), 1 + 10 * 7 + 1);
    EXPECT_EQ(cost::loadCycles(3, 3, 32), 1 + 3 * 2 + 1);
    EXPECT_EQ(cost::storeCycles(1, 10, 32), 1 + 5 + 3);
    EXPECT_EQ(cost::storeCycles(4, 3, 8), 1 + 12 + 3);
}

TEST(BufferCost, OfWeightsInTheFewestBlocks) {
    const device::Device device = deviceNamed("arria10");
    // 16 elements of a byte: four columns of blocks of 40 × 512.
    const cost::BankMemory memory = cost::weightMemory(device, 500, 16, 8);
    EXPECT_EQ(memory.memories, 4);
    EXPECT_EQ(memory.memoryBits, 40);
    EXPECT_EQ(memory.resources, (device::Resources{0, 0, 0, 4}));
    EXPECT_EQ(cost::weightMemory(device, 512, 20, 8).resources.bram, 4) << "160 bits";
    // What Yosys makes of these: 57 halves of 36 × 512, and 171 of 18 × 1024.
    const device::Device zynq = deviceNamed("xc7z020");
    EXPECT_EQ(cost::weightMemory(zynq, 80, 256, 8).resources.bram, 28.5);
    EXPECT_EQ(cost::weightMemory(zynq, 704, 384, 8).resources.bram, 85.5);
    EXPECT_EQ(cost::weightMemory(device, 0, 16, 8).resources.bram, 0);
    EXPECT_EQ(cost::weightMemory(device, 500, 0, 8).memories, 0) << "a pass";
    EXPECT_EQ(cost::weightMemory(device, 512, 4, 8).resources.bram, 1);
}

TEST(BufferCost, OfAnActivationBankInColumnsOfTheDevice) {
    // An M20K is 40 bits wide: 512 bits are 12 columns and one of 32 bits, not 16 of 32.
    const device::Device arria = deviceNamed("arria10");
    const cost::BankMemory wide = cost::activationBank(arria, arria.limits, 512, 512);
    EXPECT_FALSE(wide.lutRam);
    EXPECT_EQ(wide.memoryBits, 40);
    EXPECT_EQ(wide.memories, 13);
    EXPECT_EQ(wide.resources.bram, 13);
    // Half a RAMB36 is 36 bits wide: 14 halves and one of 8 bits.
    const device::Device kintex = deviceNamed("xc7k160t");
    const cost::BankMemory halves = cost::activationBank(kintex, kintex.limits, 512, 512);
    EXPECT_EQ(halves.memoryBits, 36);
    EXPECT_EQ(halves.resources.bram, 7.5);
    const cost::BankMemory narrow = cost::activationBank(kintex, kintex.limits, 1000, 16);
    EXPECT_EQ(narrow.memories, 1);
    EXPECT_EQ(narrow.resources.bram, 0.5);
}

TEST(BufferCost, TakesLutRamWhereThatIsTheSmallerPartOfWhatThereIs) {
    const device::Device device = deviceNamed("xc7k160t");
    const cost::BankMemory shallow = cost::activationBank(device, device.limits, 2, 256);
    EXPECT_TRUE(shallow.lutRam);
    EXPECT_EQ(shallow.memories, 4);
    EXPECT_EQ(shallow.resources.bram, 0);
    // Six bits of 32 words to four LUTs: 11 such blocks to 64 bits.
    EXPECT_EQ(shallow.resources.lut, 4 * 4 * 11);
    EXPECT_EQ(shallow.resources.ff, 256);
    device::Resources noLuts = device.limits;
    noLuts.lut = 0;
    EXPECT_FALSE(cost::activationBank(device, noLuts, 2, 256).lutRam);
    device::Resources noBlocks = device.limits;
    noBlocks.bram = 0;
    EXPECT_TRUE(cost::activationBank(device, noBlocks, 4096, 256).lutRam);
    const device::Device ice = deviceNamed("ice40up5k");
    EXPECT_FALSE(cost::activationBank(ice, ice.limits, 2, 64).lutRam) << "it has none";
}

} // namespace marquetry
