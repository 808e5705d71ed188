#include "tests/session/session_harness.h"

#include "engine/session/command_line.h"

namespace marquetry::session {
namespace {

TEST(SessionMetrics, CountTermsAfterEveryIteration) {
    Harness harness;
    const auto done = harness.explored(512);
    ASSERT_EQ(done->terms.size(), done->iterations.size());
    for (std::size_t k = 1; k < done->terms.size(); ++k)
        EXPECT_GE(done->terms[k].log10Terms, done->terms[k - 1].log10Terms);
    EXPECT_GT(done->terms.back().log10Terms, 2);
    EXPECT_EQ(done->metrics, nullptr) << "the others only when asked for";
    const auto again = harness.settle(OpenText{kTwoLayers, "two_layers.mq"});
    EXPECT_TRUE(again->terms.empty());
}

TEST(SessionMetrics, ComeWhenAskedForAndGrowOld) {
    Harness harness;
    const auto before = harness.explored(512);
    const auto measured = harness.settle(Measure{});
    ASSERT_TRUE(measured->metrics);
    EXPECT_TRUE(measured->metrics->complete);
    EXPECT_FALSE(measured->metricsOutdated);
    EXPECT_EQ(measured->metrics->terms, measured->terms.back());
    EXPECT_EQ(measured->design, before->design);
    EXPECT_GT(measured->metrics->unitSets, 1);
    EXPECT_GT(measured->metrics->hypervolume, 0);
    EXPECT_EQ(measured->metrics->samples, 1000U);
    ASSERT_FALSE(measured->metrics->front.empty());
    EXPECT_EQ(measured->metrics->front.back().latency, // by area: the fastest comes last
              static_cast<double>(measured->design->cycles));

    Settings less = Harness::withDsp(256);
    const auto changed = harness.settle(ChangeSettings{less});
    EXPECT_EQ(changed->metrics, measured->metrics);
    EXPECT_TRUE(changed->metricsOutdated);
    EXPECT_EQ(harness.settle(OpenText{kTwoLayers, "two_layers.mq"})->metrics, nullptr);
}

TEST(SessionMetrics, NeedAProgram) {
    Harness harness;
    const Acknowledgement refused = harness.run(Measure{});
    EXPECT_FALSE(refused.accepted);
    EXPECT_TRUE(hasCode(refused.diagnostics, "no-program"));
}

TEST(SessionMetrics, AreACommandOfTheirOwn) {
    CommandContext context;
    context.file = "a.mq";
    EXPECT_EQ(commandLine(Measure{}, context), "marquetry count a.mq --device arria10");
}

} // namespace
} // namespace marquetry::session
