// Parameters of schemes: the draft's examples with the corrected formulas, and known lattices.
#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/lattice.h"
#include "tests/banking/check_scheme.h"
#include "tests/banking/memory_helpers.h"
#include "tests/support/effort.h"

#include <gmock/gmock.h>

namespace marquetry::banking {
namespace {

using testing::ElementsAre;

TEST(Scheme, ExampleOneOfTheDraft) {
    // background/banking.md, "Examples": 6 x 8, 2 x 2 tiles, N = 4, B = 1, alpha = (1, 2): right as
    // printed.
    const Scheme scheme = derive({{{1, 2}, 1, 4}}, {6, 8});
    EXPECT_THAT(scheme.box, ElementsAre(2, 2));
    EXPECT_EQ(scheme.words, 48);
    EXPECT_EQ(scheme.padding, 0);
    EXPECT_EQ(scheme.dark, 0);
    const AccessPattern pattern =
        patternOf("array a : i32[6, 8]; for i in 0 .. 6 step 2, j in 0 .. 8 step 2 {"
                  " read a[i, j], a[i, j+1], a[i+1, j], a[i+1, j+1]; }");
    EXPECT_FALSE(firstConflict(scheme.maps, pattern).has_value());
    for (std::size_t k = 0; k < 4; ++k) {
        const auto seen = banksSeen(scheme.maps, visitedBy(pattern, 0, k));
        EXPECT_EQ(std::ranges::count(seen, true), 2);
    }
    // Two maps of two banks: every access sees one bank, and is a wire.
    const Scheme direct = derive({{{1, 0}, 1, 2}, {{0, 1}, 1, 2}}, {6, 8});
    EXPECT_EQ(direct.kind(), Kind::Hierarchical);
    EXPECT_FALSE(firstConflict(direct.maps, pattern).has_value());
    const auto seen = banksSeen(direct.maps, visitedBy(pattern, 0, 3));
    EXPECT_EQ(std::ranges::count(seen, true), 1);
}

TEST(Scheme, ExampleTwoOfTheDraftFailsAndIsRepaired) {
    const AccessPattern pattern =
        patternOf("array a : i32[6, 9]; for i in 0 .. 6 step 2, j in 0 .. 9 step 3 {"
                  " read a[i, j], a[i, j+1], a[i+1, j], a[i+1, j+1]; }");
    // As printed: N = (2, 2), B = (1, 2), alpha = (1, 3).
    const std::vector<ir::FlatMap> printed = {{{1, 0}, 1, 2}, {{0, 3}, 2, 2}};
    const auto witness = findWitness(pattern, printed);
    ASSERT_TRUE(witness.has_value());
    EXPECT_EQ(text(*witness, pattern), "a[i, j] and a[i, j + 1] both hit bank 0 at i = 0, j = 3");
    EXPECT_THAT(derive(printed, {6, 9}).box, ElementsAre(2, 4)); // period 4, not 3
    EXPECT_EQ(derive(printed, {6, 9}).padding, 18);
    // Repaired: B = (1, 3), alpha = (1, 4).
    const Scheme repaired = derive({{{1, 0}, 1, 2}, {{0, 4}, 3, 2}}, {6, 9});
    EXPECT_FALSE(firstConflict(repaired.maps, pattern).has_value());
    EXPECT_THAT(repaired.box, ElementsAre(2, 3));
    EXPECT_EQ(repaired.words, 72);
    EXPECT_EQ(repaired.padding, 0);
    EXPECT_EQ(repaired.dark, 18);
    for (std::size_t k = 0; k < 4; ++k) {
        const auto seen = banksSeen(repaired.maps, visitedBy(pattern, 0, k));
        EXPECT_EQ(std::ranges::count(seen, true), 1);
    }
    expectInjective(repaired, {6, 9});
}

TEST(Scheme, TheCompactOffsetHalvesTheWords) {
    // N = 9, B = 4, alpha = 3 on 128 words: every third residue occurs, two per block.
    const Scheme scheme = derive({{{3}, 4, 9}}, {128});
    EXPECT_THAT(scheme.box, ElementsAre(12));
    EXPECT_THAT(scheme.units, ElementsAre(3));
    EXPECT_THAT(scheme.wordsIn, ElementsAre(2));
    EXPECT_EQ(scheme.words, 198);
    expectInjective(scheme, {128});
}

TEST(Scheme, BoxesThatASearchOverDivisorsMisses) {
    EXPECT_THAT(derive({{{3, 2}, 1, 6}}, {12, 12}).box, ElementsAre(2, 3));
    EXPECT_THAT(derive({{{4, 3}, 1, 12}}, {12, 12}).box, ElementsAre(3, 4));
    const Scheme three = derive({{{1, 2, 2}, 2, 4}}, {6, 8, 10});
    EXPECT_FALSE(verify(three).has_value());
    expectInjective(three, {6, 8, 10});
}

TEST(Scheme, AWrongBoxIsNotAccepted) {
    Scheme scheme = derive({{{1, 2, 2}, 2, 4}}, {6, 8, 10});
    scheme.box = {1, 4, 2};
    const auto clash = verify(scheme);
    ASSERT_TRUE(clash.has_value());
    EXPECT_NE(clash->first, clash->second);
    EXPECT_EQ(scheme.bank(clash->first), scheme.bank(clash->second));
}

TEST(Lattice, AllSublatticesOnce) {
    // The number of sublattices of Z^2 of index n is the sum of the divisors of n.
    for (const auto& [index, count] :
         std::map<std::int64_t, int>{{1, 1}, {4, 7}, {6, 12}, {16, 31}}) {
        int seen = 0;
        forEachSublattice(2, index, [&](const HermiteForm&) {
            ++seen;
            return true;
        });
        EXPECT_EQ(seen, count) << index;
    }
    int inThree = 0;
    forEachSublattice(3, 4, [&](const HermiteForm&) {
        ++inThree;
        return true;
    });
    EXPECT_EQ(inThree, 35);
}

TEST(Lattice, MapsHaveTheLatticeAsKernel) {
    for (const std::size_t rank : {2U, 3U}) {
        for (std::int64_t index = 1; index <= 12; ++index) {
            forEachSublattice(rank, index, [&](const HermiteForm& lattice) {
                const auto maps = mapsOf(lattice);
                std::int64_t banks = 1;
                for (const ir::FlatMap& map : maps)
                    banks *= map.banks;
                EXPECT_EQ(banks, index);
                oracle::forAll(std::vector<std::int64_t>(rank, 6), [&](const Address& shifted) {
                    Address x = shifted;
                    for (std::int64_t& v : x)
                        v += 12;
                    const Address zero(rank, 12);
                    Address delta = shifted;
                    EXPECT_EQ(contains(lattice, delta),
                              oracle::bankOf(maps, x) == oracle::bankOf(maps, zero));
                });
                return !testing::Test::HasFailure();
            });
        }
    }
}

TEST(Lattice, SomePatternsNeedOneThatIsNotCyclic) {
    // Any flat scheme needs six banks; two maps of two do with four.
    const AccessPattern pattern =
        patternOf("array a : i32[9, 9]; for i in 0 .. 8, j in 0 .. 7 {"
                  " read a[i, j], a[i+1, j+1], a[i+1, j+2], a[i+2, j+1]; }");
    const SearchResult found = search(pattern);
    EXPECT_EQ(found.minBanks, 4);
    EXPECT_TRUE(found.proved());
    EXPECT_EQ(found.minimal->kind(), Kind::Hierarchical);
}

// 720 orders of the dimensions, 2^16 residues.
TEST(Scheme, ManyDimensionsTakeLittleTime) {
    Scheme scheme;
    const auto six = test::leastEffortOf(3, [&] {
        scheme = derive(
            {ir::FlatMap{{1, 2, 3, 4, 5, 6}, 16, 16}, ir::FlatMap{{3, 5, 2, 1, 7, 9}, 128, 2}},
            {8, 8, 8, 8, 8, 8});
    });
    const auto four = test::leastEffortOf(3, [] {
        (void)derive({ir::FlatMap{{1, 2, 3, 4}, 16, 16}, ir::FlatMap{{3, 5, 2, 1}, 128, 2}},
                     {23, 23, 23, 22});
    });
    EXPECT_LT(six, 40 * four) << "as many words, 30 times the orders";
    EXPECT_FALSE(verify(scheme));
    EXPECT_GE(scheme.words, 1 << 18);
}

} // namespace
} // namespace marquetry::banking
