// Tables of constants in LUTs and in block RAM.
#include "engine/device/rom.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

TEST(Rom, SmallTablesAreInLuts) {
    EXPECT_EQ(device::romLuts(2), 1);
    EXPECT_EQ(device::romLuts(64), 1);
    EXPECT_EQ(device::romLuts(65), 2);
    EXPECT_EQ(device::romLuts(256), 4); // a slice chooses between four
    EXPECT_EQ(device::romLuts(512), 9); // of two slices
    EXPECT_EQ(device::romLuts(1024), 17);
    EXPECT_EQ(device::romOf(256, 8).luts, 32);
    EXPECT_FALSE(device::romOf(256, 8).isBlock());
}

TEST(Rom, LargeTablesAreInHalvesOfBlockRam) {
    EXPECT_EQ(device::romHalfBlocks(512, 36), 1);
    EXPECT_EQ(device::romHalfBlocks(512, 37), 2);
    EXPECT_EQ(device::romHalfBlocks(513, 18), 1);
    EXPECT_EQ(device::romHalfBlocks(2048, 9), 1);
    EXPECT_EQ(device::romHalfBlocks(4096, 8), 2);
    EXPECT_EQ(device::romHalfBlocks(16384, 1), 1);
    EXPECT_EQ(device::romHalfBlocks(16385, 1), 2);
    EXPECT_EQ(device::romOf(4096, 8).halfBlocks, 2);
    EXPECT_EQ(device::romOf(4096, 8).luts, 0);
}

/// Neither form is taken where the other one is lighter.
TEST(Rom, TheLighterFormIsTaken) {
    for (const std::int64_t words : {2, 64, 100, 500, 512, 1000, 1024, 3000, 16384, 65536}) {
        for (int bits = 1; bits <= 32; ++bits) {
            const double luts = static_cast<double>(bits * device::romLuts(words));
            const double blocks = 150.0 * static_cast<double>(device::romHalfBlocks(words, bits));
            EXPECT_EQ(device::romOf(words, bits).isBlock(), blocks < luts);
            EXPECT_EQ(static_cast<double>(device::romOf(words, bits).weight()),
                      std::min(luts, blocks));
        }
    }
}

} // namespace
} // namespace marquetry
