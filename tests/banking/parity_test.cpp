// XOR-linear schemes: found where they need fewer banks, right by enumeration, and minimal among
// all matrices.
#include "engine/banking/access.h"
#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/occupancy.h"
#include "engine/banking/pins.h"
#include "engine/support/rng.h"
#include "tests/banking/check_scheme.h"
#include "tests/banking/fft.h"
#include "tests/banking/memory_helpers.h"
#include "tests/banking/oracle.h"

#include <gtest/gtest.h>

namespace marquetry::banking {
namespace {

TEST(Parity, FftOf64WithFourButterfliesNeedsEightBanks) {
    const ir::MemoryProgram memory = memoryOf(fft(64, 4));
    const auto pattern = accessPattern(memory);
    ASSERT_TRUE(pattern.has_value());
    const SearchResult found = search(*pattern);
    ASSERT_TRUE(found.minimal.has_value());
    EXPECT_EQ(found.minBanks, 8);
    EXPECT_EQ(found.minimal->kind(), Kind::Xor);
    EXPECT_EQ(found.proof, BoundProof::Lanes);
    EXPECT_EQ(provedAmong(found), "any scheme");
    EXPECT_EQ(found.minimal->words, 64);
    EXPECT_TRUE(servesAll(*found.minimal, *pattern, oracle::cyclesOf(memory, 0), memory));
    expectInjective(*found.minimal, memory.type.dims);
}

TEST(Parity, FftsMeetTheBoundOfTheirLanes) {
    for (const auto& [points, butterflies] :
         {std::pair(16, 2), std::pair(32, 4), std::pair(128, 8), std::pair(256, 4),
          std::pair(512, 16), std::pair(1024, 4)}) {
        const ir::MemoryProgram memory = memoryOf(fft(points, butterflies));
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const SearchResult found = search(*pattern);
        EXPECT_EQ(found.minBanks, 2 * butterflies) << points << " points";
        EXPECT_EQ(found.proof, BoundProof::Lanes) << points << " points";
        EXPECT_TRUE(oracle::conflictFree(found.minimal->maps,
                                         oracle::addressSets(oracle::cyclesOf(memory, 0)), 1));
    }
}

TEST(Parity, OffsetsAreBitsThatTheBankDoesNotGive) {
    const Scheme low = derive({ir::parityMap({0b1001}), ir::parityMap({0b0010})}, {16});
    EXPECT_EQ(low.replaced, Address{0b0011});
    EXPECT_EQ(low.box, Address{4});
    EXPECT_EQ(low.depth, 4);
    EXPECT_EQ(low.text(), "xor N=4 masks=(9) (2)");
    const Scheme high = derive({ir::parityMap({0b1000})}, {11});
    EXPECT_EQ(high.replaced, Address{0b1000});
    EXPECT_EQ(high.depth, 8);
    EXPECT_FALSE(verify(high).has_value());
    expectInjective(high, {11});
}

TEST(Parity, ColumnsThatDependOnEachOtherAreShownByTwoAddresses) {
    Scheme wrong = derive({ir::parityMap({0b011}), ir::parityMap({0b100})}, {8});
    wrong.replaced = {0b011};
    wrong.boxes = {2};
    const auto pair = verify(wrong);
    ASSERT_TRUE(pair.has_value());
    EXPECT_NE(pair->first, pair->second);
    EXPECT_EQ(wrong.bank(pair->first), wrong.bank(pair->second));
    EXPECT_EQ(wrong.offset(pair->first), wrong.offset(pair->second));
}

TEST(Parity, RandomSchemesKeepAllWordsApart) {
    SplitMix64 rng(5);
    for (int k = 0; k < 2000; ++k) {
        ir::Shape dims;
        for (std::int64_t d = rng.range(1, 3); d > 0; --d)
            dims.push_back(rng.range(1, 19));
        std::vector<ir::FlatMap> maps;
        for (std::int64_t row = rng.range(1, 4); row > 0; --row) {
            std::vector<std::int64_t> masks;
            for (std::size_t d = 0; d < dims.size(); ++d)
                masks.push_back(rng.range(0, 31));
            maps.push_back(ir::parityMap(std::move(masks)));
        }
        const Scheme scheme = derive(maps, dims);
        EXPECT_FALSE(verify(scheme).has_value()) << scheme.text();
        expectInjective(scheme, dims);
        const auto held = wordsPerBank(scheme, dims);
        ASSERT_TRUE(held.has_value());
        std::vector<std::int64_t> counted(held->size());
        oracle::forAll(dims, [&](const Address& x) {
            ++counted[static_cast<std::size_t>(oracle::bankOf(maps, x))];
        });
        EXPECT_EQ(*held, counted) << scheme.text();
        if (HasFailure())
            return;
    }
}

TEST(Parity, LongLoopsAreDecidedByTheirResidues) {
    const AccessPattern pattern = patternOf("array a : i8[4194304]; for i in 0 .. 2097152 { read "
                                            "a[2*i], a[2*i + 1]; }");
    EXPECT_FALSE(firstConflict(std::vector{ir::parityMap({1})}, pattern).has_value());
    EXPECT_TRUE(firstConflict(std::vector{ir::parityMap({6})}, pattern).has_value());
    const auto seen =
        banksSeen(std::vector{ir::parityMap({1}), ir::parityMap({2})}, visitedBy(pattern, 0, 0));
    EXPECT_EQ(seen, (std::vector<bool>{true, true, false, false}));
}

TEST(Parity, PinsAskForThem) {
    const std::string body = fft(64, 4);
    const AccessPattern pattern = patternOf(body);
    SchemePins pins;
    pins.kind = Kind::Xor;
    pins.banks = 16;
    const auto plan16 = plan(pattern, {}, pins, deviceNamed("arria10"));
    ASSERT_TRUE(plan16.has_value()) << format(plan16.error());
    EXPECT_EQ(plan16->chosen().scheme.kind(), Kind::Xor);
    EXPECT_EQ(plan16->chosen().scheme.banks(), 16);
    pins.banks = 12;
    const auto plan12 = plan(pattern, {}, pins, deviceNamed("arria10"));
    ASSERT_FALSE(plan12.has_value());
    EXPECT_EQ(plan12.error().front().code, "pins-unmet");
    pins = {};
    pins.maps = search(pattern).minimal->maps;
    const auto fixed = plan(pattern, {}, pins, deviceNamed("arria10"));
    ASSERT_TRUE(fixed.has_value()) << format(fixed.error());
    EXPECT_EQ(fixed->chosen().scheme.maps, pins.maps);
    EXPECT_FALSE(fixed->rejected.empty());
}

TEST(Parity, DirectivesFixThem) {
    const std::string loop = "for i in 0 .. 8 { read a[2*i], a[2*i + 1]; }";
    const auto good = planOf("array a : i8[16] bank xor([[9]]); " + loop);
    ASSERT_TRUE(good.has_value()) << format(good.error());
    EXPECT_EQ(good->chosen().scheme.text(), "xor N=2 masks=(9)");
    const auto bad = planOf("array a : i8[16] bank xor([[10]]) copies 1; " + loop);
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(bad.error().front().code, "bank-conflict");
    EXPECT_EQ(bad.error().front().notes.front(), "a[2*i] and a[2*i + 1] both hit bank 0 at i = 0");
}

} // namespace
} // namespace marquetry::banking
