// Limits and large inputs: what was found so far, a bound, and no hanging.
#include "tests/banking/memory_helpers.h"

#include <ctime>

namespace marquetry::banking {
namespace {

double cpuSeconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Sanitizers slow everything down.
constexpr double kPatience = 30;

/// Needs 5 banks; 4 are excluded by searching: one lane less than the minimum.
const std::string kHard = "array a : i32[24, 24]; for i in 0 .. 20, j in 0 .. 20 {"
                          " read a[i, j], a[i, j+1], a[i+1, j], a[i+2, j+2], a[i+3, j+1]; }";

TEST(Limits, StepsAreDeterministic) {
    const Pattern pattern = patternOf(kHard);
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

TEST(Limits, FewStepsLeaveTheBestAndABound) {
    // Diagonals of a large array: a search to the end takes long.
    const Pattern pattern =
        patternOf("array a : i32[64, 64, 64]; for i in 0 .. 60, j in 0 .. 60, k in 0 .. 60 {"
                  " read a[i, j, k], a[i+1, j+2, k+3], a[i+2, j, k+1], a[i+3, j+1, k], a[i, j+3, "
                  "k+2], a[i+1, j, k], a[i, j+1, k]; }");
    SearchParams params;
    params.steps = 100'000;
    const SearchResult found = search(pattern, params);
    ASSERT_TRUE(found.minimal.has_value());
    EXPECT_GE(found.bound.banks, 7);
    EXPECT_GE(found.minBanks, found.bound.banks);
    EXPECT_EQ(found.proved, found.minBanks == found.bound.banks);
}

TEST(Limits, TimeAndCancelEndTheSearch) {
    const Pattern pattern =
        patternOf("array a : i32[4096, 4096]; for i in 0 .. 4000, j in 0 .. 4000 {"
                  " read a[i, j], a[j, i], a[i + 1, j], a[7, j]; }");
    SearchParams params;
    params.steps = INT64_MAX / 4;
    params.seconds = 0.05;
    const double start = cpuSeconds();
    const SearchResult timed = search(pattern, params);
    EXPECT_LT(cpuSeconds() - start, kPatience);
    EXPECT_GE(timed.bound.banks, 1);
    std::stop_source source;
    source.request_stop();
    params.seconds = 0;
    const double again = cpuSeconds();
    const SearchResult cancelled = search(pattern, params, source.get_token());
    EXPECT_LT(cpuSeconds() - again, kPatience);
    EXPECT_GE(cancelled.bound.banks, 1);
}

TEST(Limits, AWidePatternOfAHardKindIsStopped) {
    const Pattern pattern =
        patternOf("array a : i32[512, 512]; for i in 0 .. 500, j in 0 .. 500 {"
                  " read a[i, j], a[i, j+2], a[i, j+4], a[i+2, j], a[i+4, j], a[i+1, j+1], "
                  "a[i+3, j+3], a[i+5, j+4]; }");
    SearchParams params;
    params.steps = INT64_MAX / 4;
    params.seconds = 0.2;
    const SearchResult found = search(pattern, params);
    ASSERT_TRUE(found.minimal.has_value() || found.outcome == Outcome::TimeLimit);
    if (found.outcome == Outcome::TimeLimit && found.minBanks > found.bound.banks) {
        EXPECT_FALSE(found.proved);
    }
}

TEST(Limits, AThousandLanes) {
    const double start = cpuSeconds();
    const auto found =
        planOf("array a : i8[1048576]; for i in 0 .. 1048576 par 1000 { read a[i]; }");
    EXPECT_LT(cpuSeconds() - start, kPatience);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 1000);
    EXPECT_TRUE(found->found.proved);
}

TEST(Limits, TheLargestArray) {
    const double start = cpuSeconds();
    const auto found =
        planOf("array a : i8[2147483648]; for i in 0 .. 2147483648 par 4 { read a[i]; "
               "write a[i]; }");
    EXPECT_LT(cpuSeconds() - start, kPatience);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 4);
    EXPECT_TRUE(found->found.proved);
    EXPECT_EQ(found->chosen().scheme.words % (std::int64_t{1} << 31), 0);
}

TEST(Limits, TheLargestArrayInTwoDimensions) {
    const double start = cpuSeconds();
    const auto found = planOf("array a : i32[65536, 32768]; for i in 0 .. 65534, j in 0 .. 32766 {"
                              " read a[i, j+1], a[i+1, j], a[i+1, j+2], a[i+2, j+1]; }");
    EXPECT_LT(cpuSeconds() - start, kPatience);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 4);
    EXPECT_TRUE(found->found.proved);
}

TEST(Limits, ManyIterationsOfDifferentAccessesAreNotGuessed) {
    // Not in lockstep and too long to run: one copy is not offered, two copies are.
    const double start = cpuSeconds();
    const auto found =
        planOf("array a : i8[1073741824]; for i in 0 .. 1073741824, j in 0 .. 1000000 "
               "{ read a[i], a[j]; }");
    EXPECT_LT(cpuSeconds() - start, kPatience);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->found.minBanks, 0);
    EXPECT_FALSE(found->found.proved);
    EXPECT_EQ(found->chosen().scheme.copies, 2);
    EXPECT_EQ(found->chosen().scheme.banks(), 1);
}

TEST(Limits, TwoPortsWithTooManyLanesAreRefused) {
    const auto found = accessPattern(
        memoryOf("array a : i8[65536] ports 2; for i in 0 .. 65536 par 1000 { read a[i]; }"));
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "too-many-lanes");
}

TEST(Limits, WrongParametersAreRefused) {
    PlanParams params;
    params.search.maxCopies = 0;
    const auto found = planOf(kHard, params);
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error()[0].code, "bad-parameter");
}

} // namespace
} // namespace marquetry::banking
