// The table of registers: what is true of any such table, whatever it is made for.
#include "engine/control/register_map.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::hdl {
namespace {

std::vector<std::string> names(const std::string& stem, int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i)
        all.push_back(stem + std::to_string(i));
    return all;
}

std::uint64_t maskOf(const ControlField& field) {
    return ((std::uint64_t{1} << field.bits) - 1) << field.low;
}

TEST(RegisterMap, RegistersAreWordsApartAndFieldsDoNotMeet) {
    for (const auto& [streams, more] :
         {std::pair(0, false), {1, true}, {3, false}, {600, true}, {1100, true}}) {
        const RegisterMap map = registerMap(names("x", streams), names("y", streams + 1),
                                            {0x12345678, ~0ULL}, {more, more});
        std::set<std::uint32_t> offsets;
        std::set<std::string> seen;
        for (const ControlRegister& r : map.registers) {
            EXPECT_EQ(r.offset % 4, 0U) << r.name;
            EXPECT_TRUE(offsets.insert(r.offset).second) << r.name;
            EXPECT_TRUE(seen.insert(r.name).second) << r.name;
            EXPECT_LT(r.offset, std::uint64_t{1} << map.addressBits) << r.name;
            EXPECT_FALSE(r.text.empty()) << r.name;
            std::uint64_t used = 0;
            for (const ControlField& field : r.fields) {
                EXPECT_EQ(used & maskOf(field), 0U) << r.name << "." << field.name;
                EXPECT_LT(maskOf(field), std::uint64_t{1} << 32) << r.name << "." << field.name;
                EXPECT_EQ(field.reset & ~(maskOf(field) >> field.low), 0U) << field.name;
                used |= maskOf(field);
            }
        }
        EXPECT_EQ(map.registers.size(),
                  13U + 2U * static_cast<unsigned>(streams) + 1U + (more ? 5U : 0U));
    }
}

TEST(RegisterMap, IdentityIsWhatTheHardwareIsTold) {
    const RegisterMap map = registerMap({"x"}, {"y"}, {7, 0x0123456789abcdefULL});
    EXPECT_EQ(map.at("build_id").fields[0].reset, 7U);
    EXPECT_EQ(map.at("design_hash_low").fields[0].reset, 0x89abcdefU);
    EXPECT_EQ(map.at("design_hash_high").fields[0].reset, 0x01234567U);
    EXPECT_EQ(map.at("stalls_y").offset, map.at("stalls_x").offset + 4);
}

} // namespace
} // namespace marquetry::hdl
