// The published counts of the benchmark workloads (egg 0.11.0, egglog 3.0.0; acN: closed form).
#include "tests/egraph/workload_counts.h"

namespace marquetry::egraph {
namespace {

TEST(Workload, MathMicroHasThePublishedCounts) {
    const auto counts = countsOf("math-micro", 10, Scheduler::Simple);
    ASSERT_EQ(counts.size(), 10u);
    EXPECT_EQ(counts[0], (Count{69, 50}));
    EXPECT_EQ(counts[7], (Count{8113, 3576}));
    EXPECT_EQ(counts[8], (Count{28303, 12445}));
    EXPECT_EQ(counts[9], (Count{136446, 58464}));
}

TEST(Workload, MathMicroWithBackoffHasThePublishedCounts) {
    const auto counts = countsOf("math-micro", 50, Scheduler::Backoff);
    ASSERT_EQ(counts.size(), 50u);
    EXPECT_EQ(counts[9], (Count{13106, 7190}));
    EXPECT_EQ(counts[19], (Count{24329, 13470}));
    EXPECT_EQ(counts[29], (Count{47434, 28736}));
    EXPECT_EQ(counts[39], (Count{92137, 54663}));
    EXPECT_EQ(counts[49], (Count{183270, 112084}));
}

TEST(Workload, SumsReachTheClosedForm) {
    for (int n = 7; n <= 9; ++n)
        expectClosedForm(n);
}

TEST(Workload, SumOfTenHasThePublishedCountsOfEveryIteration) {
    EXPECT_EQ(countsOf("ac10", 100, Scheduler::Simple), (Counts{{44, 27},
                                                                {130, 62},
                                                                {598, 245},
                                                                {3355, 1154},
                                                                {15502, 3763},
                                                                {40742, 5984},
                                                                {59456, 4199},
                                                                {57036, 1028},
                                                                {57012, 1023},
                                                                {57012, 1023}}));
}

TEST(WorkloadErrors, AnUnknownNameIsADiagnostic) {
    for (const char* name : {"", "ac", "ac1", "ac17", "acx", "ac7 ", "math", "a"}) {
        const auto workload = makeWorkload(name);
        ASSERT_FALSE(workload.has_value()) << name;
        EXPECT_EQ(workload.error()[0].code, "unknown-workload");
    }
}

} // namespace
} // namespace marquetry::egraph
