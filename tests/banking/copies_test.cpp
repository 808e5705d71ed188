// Schemes with several copies: found without asking where they win, with blocks where these need
// fewer, and under pins.
#include "engine/banking/pins.h"
#include "engine/support/rng.h"
#include "tests/banking/check_scheme.h"
#include "tests/banking/memory_helpers.h"
#include "tests/banking/oracle.h"

#include <gtest/gtest.h>

#include <string>

namespace marquetry::banking {
namespace {

double lutOf(const Result<Plan>& plan) {
    return plan ? plan->chosen().cost.total.lut : 0;
}

TEST(Copies, AGatherBesideAStridedAccessTakesTwo) {
    const std::string body = "array a : i32[256]; for t in 0 .. 64 { read a[?r(t)], a[4*t], "
                             "a[4*t + 1], a[4*t + 2], a[4*t + 3]; }";
    const auto free = planOf(body);
    ASSERT_TRUE(free.has_value());
    EXPECT_EQ(free->chosen().scheme.copies, 2);
    EXPECT_LE(free->chosen().scheme.banks(), 8);
    EXPECT_EQ(free->found.minBanks, 256);
    PlanParams one;
    one.search.maxCopies = 1;
    EXPECT_LT(10 * lutOf(free), lutOf(planOf(body, one)));
}

/// A tile of neighbours or of distant words, and a word that nobody knows, in random order.
std::string gatherAndTile(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const std::int64_t parts = rng.range(2, 4);
    const std::int64_t rows = rng.range(4, 10);
    const std::int64_t words = parts * rows;
    const bool distant = rng.range(0, 1) == 1;
    const bool plane = rng.range(0, 2) == 0;
    const std::string row = plane ? "1, " : "";
    std::vector<std::string> reads;
    for (std::int64_t k = 0; k < parts; ++k)
        reads.push_back("a[" + row +
                        (distant ? "t + " + std::to_string(k * rows)
                                 : std::to_string(parts) + "*t + " + std::to_string(k)) +
                        "]");
    reads.insert(reads.begin() + rng.range(0, parts), "a[" + row + "?r(t)]");
    std::string list;
    for (const std::string& read : reads)
        list += (list.empty() ? " read " : ", ") + read;
    return std::string("array a : i32[") + (plane ? "2, " : "") + std::to_string(words) +
           "]; for t in 0 .. " + std::to_string(rows) + " {" + list + "; }";
}

TEST(Copies, RandomGathersAndTilesAreServedByFewBanks) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::string body = gatherAndTile(seed);
        SCOPED_TRACE(body);
        const ir::MemoryProgram memory = memoryOf(body);
        const auto pattern = accessPattern(memory);
        ASSERT_TRUE(pattern.has_value());
        const auto plan = banking::plan(*pattern, {}, deviceNamed("arria10"));
        ASSERT_TRUE(plan.has_value());
        const Scheme& scheme = plan->chosen().scheme;
        EXPECT_GE(scheme.copies, 2);
        EXPECT_LE(scheme.banks() * scheme.copies, 10);
        EXPECT_TRUE(servesAll(scheme, *pattern, oracle::cyclesOf(memory, 40), memory))
            << scheme.text();
        expectInjective(scheme, memory.type.dims);
    }
}

TEST(Copies, BlocksSaveCopies) {
    // With B = 1, distances of 64 words need five banks.
    const std::string body = "array a : i32[256]; for t in 0 .. 64 { read a[t], a[t + 64], "
                             "a[t + 128], a[t + 192], a[?r(t)]; }";
    const auto plan = planOf(body);
    ASSERT_TRUE(plan.has_value());
    const auto& front = plan->found.schemes;
    EXPECT_TRUE(std::ranges::any_of(front, [](const Scheme& scheme) {
        return scheme.banks() == 4 && scheme.copies == 2 && scheme.maps[0].block == 64;
    }));
}

TEST(Copies, StayWhenTheStepsAreUsedUp) {
    PlanParams params;
    params.search.steps = 4000;
    const auto plan = planOf("array a : i32[4096]; for t in 0 .. 1024 { read a[?r(t)], a[4*t], "
                             "a[4*t + 1], a[4*t + 2], a[4*t + 3]; }",
                             params);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->chosen().scheme.copies, 2);
    EXPECT_EQ(plan->chosen().scheme.banks(), 4);
}

TEST(Copies, PinsOnThemTakeNoSearchOfTheirOwn) {
    const AccessPattern pattern =
        patternOf("array a : i32[64, 64]; for i in 0 .. 60, j in 0 .. 60 { read a[i, j], "
                  "a[i, j + 1], a[i, j + 2], a[i + 1, j], a[i + 1, j + 1], a[i + 1, j + 2], "
                  "a[i + 2, j], a[i + 2, j + 1], a[i + 2, j + 2]; }");
    SchemePins pins;
    pins.copies = 3;
    const auto pinned = plan(pattern, {}, pins, deviceNamed("arria10"));
    ASSERT_TRUE(pinned.has_value());
    EXPECT_EQ(pinned->chosen().scheme.copies, 3);
    PlanParams three;
    three.search.maxCopies = 3;
    const auto free = plan(pattern, {}, deviceNamed("arria10"), three);
    ASSERT_TRUE(free.has_value());
    EXPECT_LE(pinned->chosen().cost.total.lut, free->chosen().cost.total.lut * 2);
    EXPECT_EQ(pinned->found.tests, free->found.tests);
}

} // namespace
} // namespace marquetry::banking
