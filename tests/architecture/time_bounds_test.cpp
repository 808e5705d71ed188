#include "tests/architecture/sources.h"
#include "tests/architecture/time_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::architecture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> found(const std::string& text) {
    return timeBounds({{"tests/ir/a_test.cpp", text}});
}

TEST(TimeBounds, NoTestHoldsOne) {
    const Files files = sources({"tests"});
    EXPECT_GT(files.size(), 100U);
    EXPECT_THAT(timeBounds(files), IsEmpty());
}

TEST(TimeBounds, ComparisonsWithAnAmountAreFound) {
    for (const char* const bound :
         {"EXPECT_LT(seconds, 10) << model;", "ASSERT_LE(result->stats.seconds, kLimit);",
          "EXPECT_GT(2.0, cpuSeconds() - start);", "EXPECT_LT(report[\"search_ms\"], limit);",
          "EXPECT_LT(\n    elapsed(),\n    50);", "EXPECT_NEAR(duration, 2, 0.1);",
          "EXPECT_TRUE(run.milliseconds < 50);", "QVERIFY(timer.elapsed() < 100);",
          "EXPECT_LT(paintMs(f(a, b), view), 50);"})
        EXPECT_THAT(found(bound), SizeIs(1)) << bound;
}

TEST(TimeBounds, ClocksSleepsAndImpatientWaitsAreFound) {
    for (const char* const word :
         {"const auto start = std::chrono::steady_clock::now();", "#include <ctime>",
          "const double start = std::clock();", "getrusage(RUSAGE_SELF, &usage);",
          "QElapsedTimer timer;", "QTest::qWait(60);", "ASSERT_TRUE(spy.wait());",
          "ASSERT_TRUE(spy.wait(500));", "QTRY_COMPARE(a, b);",
          "changed.wait_for(lock, 5s, [] { return true; });",
          "QTest::qWaitFor([&] { return done; }, 100);"})
        EXPECT_THAT(found(word), SizeIs(testing::Ge(1U))) << word;
}

TEST(TimeBounds, WhatIsNoBoundIsLeftAlone) {
    for (const char* const allowed :
         {"EXPECT_LT(effort(large), 8 * effort(small));", "EXPECT_LE(partSeconds, total_s);",
          "EXPECT_GT(found.bufferMilliseconds, 0);", "EXPECT_EQ(settings.seconds, 5);",
          "// EXPECT_LT(seconds, 10), as it once was", "harness.wait(ticket);",
          "changed_.wait_for(lock, test::kPatience, [&] { return done; });",
          "fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(10));",
          "EXPECT_LT(terms, 10);", "EXPECT_TRUE(params.empty());"})
        EXPECT_THAT(found(allowed), IsEmpty()) << allowed;
}

TEST(TimeBounds, TheMessageSaysWhereFiguresLive) {
    EXPECT_THAT(found("\n\nEXPECT_LT(seconds, 10);"),
                ElementsAre(AllOf(StartsWith("tests/ir/a_test.cpp:3: EXPECT_LT: "),
                                  HasSubstr("printed by tests/bench"))));
    EXPECT_THAT(timeBounds({{"tests/bench/a.cpp", "std::clock(); EXPECT_LT(seconds, 10);"}}),
                IsEmpty());
}

} // namespace
} // namespace marquetry::architecture
