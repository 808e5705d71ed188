// The largest published counts: seconds in a release build, minutes in a debug one.
#include "tests/egraph/workload_counts.h"

namespace marquetry::egraph {
namespace {

TEST(LargeWorkload, MathMicroReachesAMillionEnodes) {
    const auto counts = countsOf("math-micro", 11, Scheduler::Simple);
    ASSERT_EQ(counts.size(), 11u);
    EXPECT_EQ(counts[10], (Count{1047896, 443832}));
}

TEST(LargeWorkload, SumsOfElevenAndTwelveReachTheClosedForm) {
    expectClosedForm(11);
    expectClosedForm(12);
}

} // namespace
} // namespace marquetry::egraph
