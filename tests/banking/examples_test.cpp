// The 23 published patterns of examples/memories: their minima, proofs and tables, and how many
// schemes are looked at for them.
#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "tests/banking/check_scheme.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

namespace marquetry::banking {
namespace {

/// The fewest banks of any scheme with one copy and one port: published, or the number of accesses.
const std::map<std::string, std::int64_t> kOptimal = {{"denoise", 4},
                                                      {"deconv", 5},
                                                      {"denoise_ur", 8},
                                                      {"bicubic", 4},
                                                      {"sobel", 9},
                                                      {"motion_lv", 6},
                                                      {"motion_lh", 6},
                                                      {"motion_c", 4},
                                                      {"denoise_ur_step2", 8},
                                                      {"seed_ex1", 4},
                                                      {"seed_ex2", 4},
                                                      {"seed_fig1b", 6},
                                                      {"seed_fig2b", 30},
                                                      {"seed_blockcyclic", 2},
                                                      {"seed_step3", 2},
                                                      {"scratchpad", 6},
                                                      {"partial_xbar", 8},
                                                      {"diagonal", 3},
                                                      {"issue60", 18},
                                                      {"log_5x5_diamond13", 13},
                                                      {"canny_5x5", 25},
                                                      {"se_cross5", 5},
                                                      {"sobel3d_27", 27}};

std::vector<ir::MemoryProgram> examples() {
    const auto parsed =
        frontend::parseFile(test::sourceFolder() + "/examples/memories/memories.mq");
    EXPECT_TRUE(parsed.has_value());
    return parsed ? parsed->memories : std::vector<ir::MemoryProgram>();
}

const device::Device& arria() {
    static const device::Device kDevice = *device::findDevice(device::kDefaultDevice);
    return kDevice;
}

TEST(Examples, EveryMinimumIsFoundAndProven) {
    std::size_t seen = 0;
    for (const ir::MemoryProgram& memory : examples()) {
        SCOPED_TRACE(memory.name);
        ASSERT_TRUE(kOptimal.contains(memory.name));
        ++seen;
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const SearchResult found = search(*pattern);
        EXPECT_EQ(found.minBanks, kOptimal.at(memory.name));
        EXPECT_TRUE(found.proved());
        EXPECT_EQ(found.proof, BoundProof::Lanes);
        EXPECT_EQ(found.outcome, SearchOutcome::Complete);
    }
    EXPECT_EQ(seen, kOptimal.size());
}

TEST(Examples, EverySchemeServesEveryCycleAndKeepsEveryAddressApart) {
    std::size_t schemes = 0;
    for (const ir::MemoryProgram& memory : examples()) {
        SCOPED_TRACE(memory.name);
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const auto cycles = oracle::cyclesOf(memory, 0);
        const auto found = plan(*pattern, {}, arria());
        ASSERT_TRUE(found.has_value());
        for (const PricedScheme& priced : found->front) {
            ++schemes;
            EXPECT_TRUE(servesAll(priced.scheme, *pattern, cycles, memory)) << priced.scheme.text();
            expectInjective(priced.scheme, memory.type.dims);
        }
    }
    EXPECT_GE(schemes, 40U);
}

TEST(Examples, TwoPortsNeedHalfTheBanks) {
    const std::map<std::string, std::int64_t> kHalf = {
        {"denoise", 2}, {"deconv", 3},    {"denoise_ur", 4}, {"bicubic", 2},
        {"sobel", 5},   {"motion_lv", 3}, {"motion_lh", 3},  {"motion_c", 2}};
    for (ir::MemoryProgram memory : examples()) {
        if (!kHalf.contains(memory.name))
            continue;
        SCOPED_TRACE(memory.name);
        memory.ports = 2;
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const SearchResult found = search(*pattern);
        EXPECT_EQ(found.minBanks, kHalf.at(memory.name));
        EXPECT_TRUE(found.proved());
        const auto sets = oracle::addressSets(oracle::cyclesOf(memory, 0));
        ASSERT_TRUE(found.minimal.has_value());
        EXPECT_TRUE(oracle::conflictFree(found.minimal->maps, sets, 2));
    }
}

TEST(Examples, FewSchemesAreLookedAtForAllOfThem) {
    std::int64_t tests = 0;
    for (const ir::MemoryProgram& memory : examples()) {
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const auto found = plan(*pattern, {}, arria());
        ASSERT_TRUE(found.has_value());
        tests += found->found.tests;
    }
    EXPECT_GT(tests, 10'000);
    EXPECT_LT(tests, 120'000);
}

} // namespace
} // namespace marquetry::banking
