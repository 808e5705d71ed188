// Decisions: directives, witnesses, copies, fronts, cost terms, reasons of lockstep.
#include "engine/banking/cost_calibration.h"
#include "tests/banking/memory_helpers.h"

#include <gmock/gmock.h>

#include <cmath>

namespace marquetry::banking {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kDenoise = "for i in 0 .. 6, j in 0 .. 6 { read a[i+1, j], a[i, j+1], "
                             "a[i+1, j+2], a[i+2, j+1]; }";

TEST(Plan, ADirectiveIsTaken) {
    const auto found = planOf("array a : i32[8, 8] bank flat(5, 1, [1, 2]); " + kDenoise);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->front.size(), 1U);
    EXPECT_EQ(found->chosen().scheme.text(), "flat N=5 B=1 alpha=(1, 2)");
    EXPECT_EQ(found->found.minBanks, 4);
}

TEST(Plan, AConflictingDirectiveIsAnsweredWithAWitness) {
    PlanParams one;
    one.search.maxCopies = 1;
    const auto found = planOf("array a : i32[8, 8] bank flat(4, 1, [1, 2]); " + kDenoise, one);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "bank-conflict");
    ASSERT_EQ(found.error()[0].notes.size(), 1U);
    EXPECT_EQ(found.error()[0].notes[0],
              "a[i + 1, j] and a[i + 1, j + 2] both hit bank 1 at i = 0, j = 0");
}

TEST(Plan, CopiesServeWhatOneCopyDoesNot) {
    const auto found = planOf("array a : i32[8, 8] copies 2; " + kDenoise);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->chosen().scheme.copies, 2);
    for (const PricedScheme& priced : found->front)
        EXPECT_EQ(priced.scheme.words, 2 * priced.scheme.banks() * priced.scheme.depth);
    const auto single = planOf("array a : i32[8, 8] copies 1; " + kDenoise);
    ASSERT_TRUE(single.has_value());
    EXPECT_EQ(single->chosen().scheme.copies, 1);
}

TEST(Plan, WritersReachEveryCopyAndAreNeverSplit) {
    const auto found =
        planOf("array a : i32[32]; for i in 0 .. 8 { write a[4*i], a[4*i+1], a[4*i+2], "
               "a[4*i+3]; } for i in 0 .. 20 { read a[i], a[i+7]; }");
    ASSERT_TRUE(found.has_value());
    for (const PricedScheme& priced : found->front)
        EXPECT_GE(priced.scheme.banks(), 4);
}

TEST(Plan, RejectedNeighboursHaveWitnesses) {
    const auto found = planOf("array a : i32[8, 8]; " + kDenoise);
    ASSERT_TRUE(found.has_value());
    ASSERT_FALSE(found->rejected.empty());
    for (const Rejected& rejected : found->rejected) {
        ASSERT_EQ(rejected.witness.addresses.size(), 2U);
        EXPECT_NE(rejected.witness.addresses[0], rejected.witness.addresses[1]);
        for (const Address& x : rejected.witness.addresses)
            EXPECT_EQ(rejected.scheme.bank(x), rejected.witness.bank);
    }
}

TEST(Plan, NobodyBeatsAMemberOfTheFront) {
    const auto found =
        planOf("array a : i32[16, 16]; for i in 0 .. 16 step 2, j in 0 .. 15 step 3 {"
               " read a[i, j], a[i, j+1], a[i, j+2], a[i+1, j], a[i+1, j+1]; }");
    ASSERT_TRUE(found.has_value());
    for (const PricedScheme& a : found->front) {
        for (const PricedScheme& b : found->front) {
            if (&a == &b)
                continue;
            const auto& x = a.cost.total;
            const auto& y = b.cost.total;
            EXPECT_FALSE(x.lut <= y.lut && x.ff <= y.ff && x.bram <= y.bram && x.dsp <= y.dsp &&
                         a.scheme.words <= b.scheme.words)
                << a.scheme.text() << " beats " << b.scheme.text();
        }
    }
}

TEST(Cost, TermsAddUpAndNameTheirNumbers) {
    const auto found = planOf("array a : i32[8, 8] bank flat(5, 1, [1, 2]); " + kDenoise);
    ASSERT_TRUE(found.has_value());
    device::Resources sum;
    std::vector<std::string> names;
    for (const SchemeCostTerm& term : found->chosen().cost.terms) {
        sum += term.resources;
        names.push_back(term.name);
        EXPECT_FALSE(term.formula.empty());
    }
    EXPECT_EQ(sum, found->chosen().cost.total);
    EXPECT_THAT(names, ElementsAre("banks", "read data", "bank tables", "load port",
                                   "loop counters", "mapping"));
    // Four readers that see all five banks: two LUTs per bit each, as calibrated.
    EXPECT_NEAR(found->chosen().cost.terms[1].resources.lut, 4 * 32 * 2, 4 * 32 * 2 * 0.1);
    EXPECT_THAT(found->chosen().cost.terms[1].formula, HasSubstr("4 readers x 32 bits x 5:1"));
}

TEST(Cost, WiresCostNothing) {
    const auto found = planOf("array a : i32[6, 8] bank hierarchical([2, 2], [1, 1], [1, 1]);"
                              " for i in 0 .. 6 step 2, j in 0 .. 8 step 2 {"
                              " read a[i, j], a[i, j+1], a[i+1, j], a[i+1, j+1]; }");
    ASSERT_TRUE(found.has_value());
    for (const SchemeCostTerm& term : found->chosen().cost.terms) {
        EXPECT_NE(term.name, "read data");
        EXPECT_NE(term.name, "routing");
    }
}

TEST(Cost, TwoWritePortsNeedMemoriesOfTheirOwn) {
    const std::string array = "array a : i16[64] ports 2 bank flat(1, 1, [0]) copies 1;";
    const auto one = planOf(array + " for i in 0 .. 63 { read a[i], a[i+1]; write a[i]; }");
    const auto two = planOf(array + " for i in 0 .. 63 { read a[i], a[i+1]; write a[i], a[i+1]; }");
    ASSERT_TRUE(one.has_value() && two.has_value());
    EXPECT_THAT(one->chosen().cost.terms[0].formula, HasSubstr("2 memories"));
    EXPECT_THAT(two->chosen().cost.terms[0].formula, HasSubstr("4 memories"));
    EXPECT_EQ(two->chosen().cost.terms[1].name, "last writer");
    // A bit per word, and what it was for each read port, as calibrated.
    EXPECT_EQ(two->chosen().cost.terms[1].resources.ff, std::round((64 + 2) * kCostFactors[1].ff));
}

TEST(Cost, LargeBanksAreBlockRam) {
    const std::string body = "array a : i16[65536]; for i in 0 .. 65536 par 4 { read a[i]; }";
    const auto found = planOf(body);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->chosen().cost.total.bram,
              static_cast<double>(found->chosen().scheme.banks() * found->chosen().scheme.copies) *
                  deviceNamed("arria10").ramBlocks(found->chosen().scheme.depth, 16));
    EXPECT_EQ(found->chosen().cost.terms[0].name, "banks");
    EXPECT_THAT(found->chosen().cost.terms[0].formula, HasSubstr("M20K"));
}

TEST(Cost, UnknownIndicesAreDecoded) {
    const auto found = planOf("array a : i16[4096, 3] bank flat(3, 1, [0, 1]);"
                              " for i in 0 .. 64 { read a[?r(i), 0], a[?r(i), 1], a[?r(i), 2]; }");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 3);
    const auto& terms = found->chosen().cost.terms;
    ASSERT_GE(terms.size(), 2U);
    EXPECT_EQ(terms[terms.size() - 2].name, "decoded addresses");
    EXPECT_EQ(found->chosen().cost.total.dsp, 0);
}

TEST(Access, ReasonsOfLockstep) {
    EXPECT_THAT(patternOf("array a : i8[8, 8]; " + kDenoise).groups[0].why,
                HasSubstr("in lockstep"));
    const AccessPattern dephased =
        patternOf("array a : i8[32, 8]; for i in 0 .. 8 par 2 { read a[?row(i), 0]; }");
    EXPECT_THAT(dephased.groups[0].why, HasSubstr("dephased by ?row@i=0"));
    const AccessPattern shared =
        patternOf("array a : i8[32, 8]; for i in 0 .. 8 par 2 { read a[?row(), i]; }");
    EXPECT_THAT(shared.groups[0].why, HasSubstr("in lockstep"));
    const AccessPattern different =
        patternOf("array a : i8[32]; for i in 0 .. 8 { read a[i], a[2*i]; }");
    EXPECT_THAT(different.groups[0].why, HasSubstr("not in lockstep"));
}

TEST(Access, ReadsOfOneAddressAreOne) {
    const AccessPattern pattern = patternOf(
        "array a : i8[8, 8]; for i in 0 .. 8, j in 0 .. 8 par 4 { read a[i, 0], a[i, 0]; }");
    ASSERT_EQ(pattern.groups.size(), 1U);
    EXPECT_EQ(pattern.groups[0].lanes.size(), 1U);
    EXPECT_THAT(pattern.groups[0].broadcasts, ElementsAre(7U));
    EXPECT_EQ(search(pattern).minBanks, 1);
}

TEST(Access, ReadsAndWritesDoNotConflict) {
    const AccessPattern pattern =
        patternOf("array a : i8[8]; for i in 0 .. 7 { read a[i + 1]; write a[i]; }");
    EXPECT_EQ(pattern.groups.size(), 2U);
    EXPECT_EQ(search(pattern).minBanks, 1);
}

TEST(Bounds, ACliqueThatNoCycleHolds) {
    // Pairs of three addresses meet in different loops: two accesses per cycle, three banks.
    const AccessPattern pattern = patternOf("array a : i8[3]; for i in 0 .. 1 { read a[0], a[1]; }"
                                            " for i in 0 .. 1 { read a[1], a[2]; }"
                                            " for i in 0 .. 1 { read a[0], a[2]; }");
    const SearchResult found = search(pattern);
    EXPECT_EQ(found.minBanks, 3);
    EXPECT_TRUE(found.proved());
    EXPECT_EQ(found.proof, BoundProof::Clique);
    EXPECT_EQ(found.bound.addresses.size(), 3U);
}

TEST(Bounds, AColouringThatNoCliqueShows) {
    // A ring of five addresses: no three meet, two colours are not enough.
    std::string body = "array a : i8[5];";
    for (int k = 0; k < 5; ++k)
        body += " for i in 0 .. 1 { read a[" + std::to_string(k) + "], a[" +
                std::to_string((k + 1) % 5) + "]; }";
    const SearchResult found = search(patternOf(body));
    EXPECT_EQ(found.minBanks, 3);
    EXPECT_TRUE(found.proved());
    EXPECT_EQ(found.proof, BoundProof::Colouring);
}

// Any two values: their sum takes every value, so that neighbours always meet in one bank.
TEST(Plan, TwoUnknownValuesInOneDimensionStillMove) {
    for (const std::string kind : {"read", "write"}) {
        SCOPED_TRACE(kind);
        const auto found = planOf("array a : i8[8]; for i in 0 .. 4 { " + kind +
                                  " a[?r() - ?s()], a[?r() - ?s() + 1]; }");
        ASSERT_TRUE(found.has_value());
        EXPECT_EQ(found->found.minBanks, 2);
    }
}

TEST(Plan, LanesOfAnOpenLoopRunWhetherOrNotAnIndexNamesIt) {
    const auto open = planOf("array a : i32[64, 4]; for row in 0 .. ?rows() par 4, "
                             "j in 0 .. ?n(row) { read a[j, 0]; }");
    const auto number = planOf("array a : i32[64, 4]; for row in 0 .. 64 par 4, "
                               "j in 0 .. ?n(row) { read a[j, 0]; }");
    ASSERT_TRUE(open.has_value() && number.has_value());
    EXPECT_EQ(open->found.bound.banks, number->found.bound.banks);
    EXPECT_EQ(open->found.minBanks, number->found.minBanks);
}

/// Two accesses that move by different amounts, over 720 000 iterations.
const std::string kApart = "for i in 0 .. 1200, j in 0 .. 600 { write a[i, j], a[j+600, i]; }";

TEST(Plan, WhatIsNotKnownIsNoAnswer) {
    const auto found = planOf("array a : i8[1200, 600]; " + kApart);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "undecided");
    EXPECT_THAT(found.error()[0].message, HasSubstr("1 set(s) of accesses"));
    const auto fixed = planOf("array a : i8[1200, 600] bank flat(2, 600, [1, 0]); " + kApart);
    ASSERT_FALSE(fixed.has_value());
    EXPECT_EQ(fixed.error()[0].code, "undecided");
}

TEST(Plan, DirectivesBeyondAllMeasureAreRefused) {
    const ir::MemoryProgram memory = memoryOf("array a : i8[8, 8]; " + kDenoise);
    const auto pattern = accessPattern(memory);
    ASSERT_TRUE(pattern.has_value());
    const auto codeOf = [&](std::int64_t banks, std::int64_t block, std::size_t maps) {
        ir::BankDirective directive;
        directive.maps.assign(maps, {{1, 1}, block, banks});
        const auto found = plan(*pattern, directive, deviceNamed("arria10"));
        return found ? std::string() : found.error()[0].code;
    };
    EXPECT_EQ(codeOf(65536, 1, 4), "too-many-banks") << "2^64 banks";
    EXPECT_EQ(codeOf(2, std::int64_t{1} << 30, 3), "too-many-words");
    EXPECT_EQ(codeOf(1, std::int64_t{1} << 31, 3), "too-many-words");
}

} // namespace
} // namespace marquetry::banking
