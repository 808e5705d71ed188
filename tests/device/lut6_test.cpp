// Which devices have LUTs with six inputs, and what a group of them holds.
#include "engine/device/device_file.h"
#include "engine/device/lut6.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

TEST(Lut6, IsInXilinxDevicesOnly) {
    for (const auto& [id, has] : {std::pair("xc7k160t", true), {"arria10", false}}) {
        const auto device = device::findDevice(id);
        ASSERT_TRUE(device) << id;
        EXPECT_EQ(device::hasLut6(*device), has) << id;
    }
}

TEST(Lut6, AGroupHoldsAsManyBitsInEitherShape) {
    EXPECT_EQ(device::ramGroupBits(64) * 64, device::ramGroupBits(32) * 32);
    EXPECT_EQ(device::ramGroupBits(32), 6); // RAM32M
    EXPECT_EQ(device::ramGroupBits(64), 3); // RAM64M
    EXPECT_EQ(device::shiftRegisterLuts(32), 1);
    EXPECT_EQ(device::shiftRegisterLuts(33), 2);
}

} // namespace
} // namespace marquetry
