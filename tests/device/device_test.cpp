// The shipped devices against their published figures, and block RAM counts by hand.
#include "engine/device/device_file.h"

#include <gtest/gtest.h>

namespace marquetry {

using device::Device;

namespace {

struct Figures {
    const char* id;
    double dsp, lut, ff, bram;
    const char* ramKind;
    int widest; ///< bits of the first shape of a block
    std::int64_t depth;
    int productsPerDsp;
    double clockMhz, bytesPerCycle;
    std::int64_t latency;
    const char* source;
};

constexpr Figures kFigures[] = {
    {"arria10", 1518, 854400, 1708800, 2713, "M20K", 40, 512, 2, 200, 24.3, 300,
     "intel.com 683461 (GX 1150: 1,518 DSP, 3,036 multipliers), 683434 (427,200 ALM, 2713 M20K)"},
    {"xc7k160t", 600, 101400, 202800, 325, "RAMB36", 72, 512, 2, 200, 40, 120,
     "XC7K160T data sheet: 12675 CLB x 8 LUT, 11,980,800 RAM bits / 36,864; DS180"},
    {"xc7z020", 220, 53200, 106400, 140, "RAMB36", 72, 512, 2, 150, 16, 100,
     "finn platforms.py Zynq7020: [53200, 106400, 280 BRAM18, 0, 220]"},
    {"zu3eg", 360, 71000, 142000, 206, "RAMB36", 72, 512, 2, 200, 16, 120,
     "finn platforms.py ZU3EG: [71000, 142000, 412 BRAM18, 0, 360]"},
    {"zu7ev", 1728, 230400, 460800, 312, "RAMB36", 72, 512, 2, 300, 16, 120,
     "DS891: 230,400 LUT, 460,800 FF, 312 BRAM36; finn platforms.py ZU7EV: 1728 DSP"},
    {"xcu250", 12288, 1728000, 3456000, 2688, "RAMB36", 72, 512, 2, 300, 200, 200,
     "XCU250/VU13P product table"},
    {"lfe5u-85f", 156, 83640, 83640, 208, "DP16KD", 36, 512, 1, 100, 4, 60,
     "nextpnr-ecp5 logs: TRELLIS_COMB /83640, MULT18X18D /156; 208 EBR"},
    {"ice40up5k", 8, 5280, 5280, 30, "SB_RAM40_4K", 16, 256, 1, 25, 0, 0,
     "nextpnr-ice40 0.4 utilisation report: LC 5280, RAM 30, DSP 8"},
};

} // namespace

TEST(ShippedDevices, HaveTheirPublishedFigures) {
    EXPECT_EQ(device::shippedDevices().size(), std::size(kFigures));
    for (const Figures& f : kFigures) {
        const auto found = device::findDevice(f.id);
        ASSERT_TRUE(found.has_value()) << f.id;
        const Device& d = *found;
        EXPECT_EQ(d.limits.dsp, f.dsp) << f.source;
        EXPECT_EQ(d.limits.lut, f.lut) << f.source;
        EXPECT_EQ(d.limits.ff, f.ff) << f.source;
        EXPECT_EQ(d.limits.bram, f.bram) << f.source;
        EXPECT_EQ(d.ramKind, f.ramKind);
        ASSERT_FALSE(d.ramShapes.empty());
        EXPECT_EQ(d.ramShapes.front().width, f.widest) << f.id;
        EXPECT_EQ(d.ramShapes.front().depth, f.depth) << f.id;
        EXPECT_EQ(d.int8ProductsPerDsp, f.productsPerDsp);
        // 25 or 27 by 18 bits hold two products with a factor in common; Arria has two multipliers.
        EXPECT_EQ(d.int8ProductsShareFactor, d.family == "xc7" || d.family == "xcup");
        EXPECT_EQ(d.clockMhz, f.clockMhz);
        EXPECT_EQ(d.memoryBytesPerCycle, f.bytesPerCycle);
        EXPECT_EQ(d.memoryLatencyCycles, f.latency);
        EXPECT_FALSE(d.notes.empty()) << "figures carry their source";
    }
    EXPECT_TRUE(device::findDevice(device::kDefaultDevice).has_value());
}

TEST(RamBlocks, TakesTheCheapestShape) {
    const Device m20k = *device::findDevice("arria10");
    EXPECT_EQ(m20k.ramBlocks(0, 40), 0);
    EXPECT_EQ(m20k.ramBlocks(512, 40), 1);
    EXPECT_EQ(m20k.ramBlocks(513, 40), 2);
    EXPECT_EQ(m20k.ramBlocks(2048, 8), 1);
    EXPECT_EQ(m20k.ramBlocks(2049, 8), 2);
    // 64 bits: 2 × 40 wide, 4 × 20, 7 × 10.
    EXPECT_EQ(m20k.ramBlocks(512, 64), 2);
    EXPECT_EQ(m20k.ramBlocks(1024, 64), 4);
    EXPECT_EQ(m20k.ramBlocks(2048, 64), 7);
    const Device ramb36 = *device::findDevice("xc7k160t");
    EXPECT_EQ(ramb36.ramBlocks(512, 72), 1);
    EXPECT_EQ(ramb36.ramBlocks(32768, 1), 1);
    EXPECT_EQ(ramb36.ramBlocks(4096, 8), 1);
    EXPECT_EQ(ramb36.ramBlocks(4097, 9), 1.5); // 3 halves of 9 × 2048
    EXPECT_EQ(ramb36.ramBlocks(512, 36), 0.5);
    EXPECT_EQ(ramb36.ramBlocks(513, 36), 1);
}

} // namespace marquetry
