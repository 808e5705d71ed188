// Limits and large inputs: what was found so far, a bound, and no hanging.
#include "tests/banking/memory_helpers.h"
#include "tests/support/effort.h"

#include <set>

namespace marquetry::banking {
namespace {

using test::Effort;
using test::leastEffortAfterStop;
using test::leastEffortOf;

/// However large the array, few schemes are looked at.
Result<Plan> quickPlanOf(const std::string& body) {
    auto plan = planOf(body);
    if (plan) {
        EXPECT_LE(plan->found.tests, 20'000);
    }
    return plan;
}

/// Needs 5 banks; 4 are excluded by searching: one lane less than the minimum.
const std::string kHard = "array a : i32[24, 24]; for i in 0 .. 20, j in 0 .. 20 {"
                          " read a[i, j], a[i, j+1], a[i+1, j], a[i+2, j+2], a[i+3, j+1]; }";

void expectProved(const Result<Plan>& found, std::int64_t banks) {
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, banks);
    EXPECT_TRUE(found->found.proved());
}

TEST(Limits, StepsAreDeterministic) {
    const AccessPattern pattern = patternOf(kHard);
    SearchParams params;
    params.steps = 300;
    const SearchResult first = search(pattern, params);
    const SearchResult second = search(pattern, params);
    EXPECT_EQ(first.tests, second.tests);
    EXPECT_EQ(first.minBanks, second.minBanks);
    ASSERT_EQ(first.schemes.size(), second.schemes.size());
    for (std::size_t k = 0; k < first.schemes.size(); ++k)
        EXPECT_EQ(first.schemes[k].text(), second.schemes[k].text());
    EXPECT_LE(first.tests, params.steps);
}

/// Needs 6 banks; that 5 do not suffice only a search of all forms shows.
const std::string kExhausting = "array a : i32[7, 7]; for i in 0 .. 4, j in 0 .. 4 {"
                                " read a[i, j], a[i, j+2], a[i, j+3], a[i+1, j], a[i+3, j+3]; }";

TEST(Limits, ASearchToTheEndProves) {
    const SearchResult found = search(patternOf(kExhausting));
    EXPECT_EQ(found.minBanks, 6);
    EXPECT_EQ(found.bound.banks, 5);
    EXPECT_TRUE(found.proved());
    EXPECT_EQ(found.proof, BoundProof::Exhausted);
    EXPECT_EQ(found.outcome, SearchOutcome::Complete);
    EXPECT_EQ(proofName(found), "exhausted:flat,hierarchical,lattice,xor");
    EXPECT_EQ(provedAmong(found), "flat, hierarchical, lattice and xor schemes");
}

TEST(Limits, MemoryEndsTheProofNotTheAnswer) {
    SearchParams params;
    params.memoryBytes = 1000;
    const SearchResult found = search(patternOf(kExhausting), params);
    EXPECT_EQ(found.outcome, SearchOutcome::MemoryLimit);
    EXPECT_EQ(found.minBanks, 6);
    EXPECT_EQ(found.bound.banks, 5);
    EXPECT_FALSE(found.proved());
}

TEST(Limits, StepsEndTheProofNotTheAnswer) {
    SearchParams params;
    params.steps = 5000;
    const SearchResult found = search(patternOf(kExhausting), params);
    EXPECT_EQ(found.outcome, SearchOutcome::StepLimit);
    EXPECT_GE(found.minBanks, 6);
    EXPECT_EQ(found.bound.banks, 5);
    EXPECT_FALSE(found.proved());
}

TEST(Limits, FewStepsLeaveTheBestAndABound) {
    // Diagonals of a large array: a search to the end takes long.
    const AccessPattern pattern =
        patternOf("array a : i32[64, 64, 64]; for i in 0 .. 60, j in 0 .. 60, k in 0 .. 60 {"
                  " read a[i, j, k], a[i+1, j+2, k+3], a[i+2, j, k+1], a[i+3, j+1, k], a[i, j+3, "
                  "k+2], a[i+1, j, k], a[i, j+1, k]; }");
    SearchParams params;
    params.steps = 100'000;
    const SearchResult found = search(pattern, params);
    ASSERT_TRUE(found.minimal.has_value());
    EXPECT_GE(found.bound.banks, 7);
    EXPECT_GE(found.minBanks, found.bound.banks);
    EXPECT_EQ(found.proved(), found.minBanks == found.bound.banks);
}

/// As kExhausting, in an array where trying every map takes years.
const std::string kEndless = "array a : i32[512, 512]; for i in 0 .. 509, j in 0 .. 509 {"
                             " read a[i, j], a[i, j+2], a[i, j+3], a[i+1, j], a[i+3, j+3]; }";

TEST(Limits, TimeEndsTheSearch) {
    SearchParams params;
    params.steps = INT64_MAX / 4;
    params.seconds = 1e-3;
    SearchResult found;
    // More time until it suffices for something that works: all of it never does.
    for (; found.minBanks == 0; params.seconds *= 2) {
        found = search(patternOf(kEndless), params);
        ASSERT_EQ(found.outcome, SearchOutcome::TimeLimit);
        EXPECT_EQ(found.bound.banks, 5);
        EXPECT_FALSE(found.proved());
    }
    EXPECT_EQ(found.minBanks, 6);
}

TEST(Limits, CancelEndsTheSearch) {
    SearchParams params;
    params.steps = INT64_MAX / 4;
    std::stop_source source;
    source.request_stop();
    const SearchResult found = search(patternOf(kEndless), params, source.get_token());
    EXPECT_EQ(found.outcome, SearchOutcome::Cancelled);
    EXPECT_LE(found.tests, 1024) << "that many lie between two looks at the token";
    EXPECT_FALSE(found.proved());
}

TEST(Limits, CancelEndsARunningSearch) {
    const AccessPattern pattern = patternOf(kEndless);
    const Effort usual = leastEffortOf(3, [&] { (void)search(pattern); });
    SearchParams params;
    params.steps = INT64_MAX / 4;
    for (const double share : {0.1, 0.5, 2.0}) {
        const auto after = leastEffortAfterStop(3, share * usual, [&](std::stop_token stop) {
            EXPECT_EQ(search(pattern, params, stop).outcome, SearchOutcome::Cancelled);
        });
        ASSERT_TRUE(after.has_value());
        EXPECT_LT(*after, 0.2 * usual) << share << " of " << usual;
    }
}

TEST(Limits, StepsLeaveTheBestSoFar) {
    const SearchResult found = search(patternOf(kEndless));
    EXPECT_EQ(found.outcome, SearchOutcome::StepLimit);
    EXPECT_EQ(found.minBanks, 6);
    EXPECT_EQ(found.bound.banks, 5);
    EXPECT_FALSE(found.proved());
}

TEST(Limits, LookingAtAccessesCanBeStopped) {
    const ir::MemoryProgram memory =
        memoryOf("array a : i32[64, 4096]; for i in 0 .. 4096 par 1024 { read a[?r(i), i]; }");
    std::stop_source source;
    source.request_stop();
    const auto pattern = accessPattern(memory, {}, source.get_token());
    ASSERT_FALSE(pattern.has_value());
    EXPECT_EQ(pattern.error().front().code, "cancelled");
}

TEST(Limits, LanesTakeWorkInProportionToTheirPairs) {
    const auto effort = [](int lanes) {
        const ir::MemoryProgram memory =
            memoryOf("array a : i8[1048576]; for i in 0 .. 1048576 par " + std::to_string(lanes) +
                     " { read a[i]; }");
        return leastEffortOf(3, [&] {
            const auto pattern = accessPattern(memory);
            ASSERT_TRUE(pattern.has_value());
            EXPECT_TRUE(search(*pattern).proved());
        });
    };
    // Four times the lanes, 16 times the pairs, 64 times the triples.
    EXPECT_LT(effort(800), 48 * effort(200));
}

TEST(Limits, AThousandLanes) {
    const auto found =
        quickPlanOf("array a : i8[1048576]; for i in 0 .. 1048576 par 1000 { read a[i]; }");
    ASSERT_NO_FATAL_FAILURE(expectProved(found, 1000));
}

TEST(Limits, TheLargestArray) {
    const auto found =
        quickPlanOf("array a : i8[2147483648]; for i in 0 .. 2147483648 par 4 { read a[i]; "
                    "write a[i]; }");
    ASSERT_NO_FATAL_FAILURE(expectProved(found, 4));
    EXPECT_EQ(found->chosen().scheme.words % (std::int64_t{1} << 31), 0);
}

TEST(Limits, TheLargestArrayInTwoDimensions) {
    const auto found =
        quickPlanOf("array a : i32[65536, 32768]; for i in 0 .. 65534, j in 0 .. 32766 {"
                    " read a[i, j+1], a[i+1, j], a[i+1, j+2], a[i+2, j+1]; }");
    ASSERT_NO_FATAL_FAILURE(expectProved(found, 4));
}

TEST(Limits, ManyIterationsOfDifferentAccessesAreNotGuessed) {
    // Not in lockstep and too long to run: one copy is not offered, two copies are.
    const auto found =
        quickPlanOf("array a : i8[1073741824]; for i in 0 .. 1073741824, j in 0 .. 1000000 "
                    "{ read a[i], a[j]; }");
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 0);
    EXPECT_FALSE(found->found.proved());
    EXPECT_EQ(found->chosen().scheme.copies, 2);
    EXPECT_EQ(found->chosen().scheme.banks(), 1);
}

TEST(Limits, TwoPortsWithTooManyLanesAreRefused) {
    const auto found = accessPattern(
        memoryOf("array a : i8[65536] ports 2; for i in 0 .. 65536 par 1000 { read a[i]; }"));
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "too-many-lanes");
}

TEST(Limits, HugeBlocksOfADirective) {
    const auto planBoth = [](const std::string& rows, const std::string& columns,
                             const std::string& block) {
        const std::string loop = " for i in 0 .. " + rows + " - 1, j in 0 .. " + columns +
                                 " - 1 { read a[i, j], a[i, j + 1]; }";
        const std::string array = "array a : i32[" + rows + ", " + columns + "] bank ";
        // Blocks as wide as the array: neighbours share one.
        const auto conflicting =
            planOf(array + "flat(3, " + block + ", [" + columns + ", 1]) copies 1;" + loop);
        ASSERT_FALSE(conflicting.has_value());
        EXPECT_EQ(conflicting.error()[0].code, "bank-conflict");
        const auto fixed =
            planOf(array + "hierarchical([2, 2], [" + rows + ", 1], [1, 1]);" + loop);
        ASSERT_TRUE(fixed.has_value());
        EXPECT_EQ(fixed->chosen().scheme.banks(), 4);
    };
    const Effort small = leastEffortOf(5, [&] { planBoth("16", "8", "100"); });
    const Effort huge = leastEffortOf(5, [&] { planBoth("65536", "32768", "500000000"); });
    EXPECT_LT(huge, 1000 * small) << "the array has 16 million times the words";
}

TEST(Limits, DirectivesWithTooManyBanksAreRefused) {
    const auto found = planOf("array a : i32[8] bank flat(1000000, 1, [1]);"
                              " for i in 0 .. 7 { read a[i], a[i + 1]; }");
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "too-many-banks");
}

TEST(Limits, ManyDifferentWritesAreNotComparedForEver) {
    const auto effort = [](const std::string& trips) {
        return leastEffortOf(3, [&] {
            const auto parsed = frontend::parse(
                "memory m { array a : i8[2147483648]; for i in 0 .. " + trips +
                    " par 250, j in 0 .. " + trips +
                    " { write a[1000*i], a[1000*i + 1000*j + 1], a[999*j + 1000*i + 500]; } }",
                "test.mq");
            EXPECT_TRUE(parsed.has_value() || parsed.error()[0].code == "double-write");
        });
    };
    EXPECT_LT(effort("1000000"), 20 * effort("1000")) << "a million times the iterations";
}

TEST(Limits, WrongParametersAreRefused) {
    PlanParams params;
    params.search.maxCopies = 0;
    const auto found = planOf(kHard, params);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "bad-parameter");
}

TEST(Limits, TimeEndsTheLookAtManyUnknownIndices) {
    const ir::MemoryProgram memory =
        memoryOf("array a : i32[64, 4096]; for i in 0 .. 4096 par 1024 { read a[?r(i), i]; }");
    AccessParams params;
    params.seconds = 1e-6;
    const auto pattern = accessPattern(memory, params);
    ASSERT_TRUE(pattern.has_value());
    // All pairs of 1 024 lanes are there: looked at, or left undecided.
    std::set<std::vector<std::size_t>> pairs;
    for (const Unresolved& left : pattern->unresolved)
        pairs.insert(left.lanes);
    for (const LaneCollision& found : pattern->laneCollisions)
        pairs.insert(found.lanes);
    EXPECT_EQ(pairs.size(), 1024U * 1023 / 2);
    EXPECT_LE(pairs.size() - pattern->unresolved.size(), 256U)
        << "that many lie between two looks at the clock";
}

TEST(Limits, ALateLookAtAccessesIsTheTimeLimit) {
    const ir::MemoryProgram memory =
        memoryOf("array a : i32[64, 4096]; for i in 0 .. 4096 par 1024 { read a[?r(i), i]; }");
    AccessParams params;
    params.seconds = 1e-6;
    const auto pattern = accessPattern(memory, params);
    ASSERT_TRUE(pattern.has_value());
    EXPECT_TRUE(pattern->late);
    EXPECT_EQ(search(*pattern).outcome, SearchOutcome::TimeLimit);
    const auto found = plan(*pattern, {}, deviceNamed("arria10"));
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "undecided");
    EXPECT_EQ(found.error()[0].hint, "allow more time");
}

} // namespace
} // namespace marquetry::banking
