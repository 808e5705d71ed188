#include "widgets/progress/progress_view.h"

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::ProgressView;

namespace {

egraph::Iteration iteration(int index, std::size_t enodes, std::size_t applied) {
    egraph::Iteration it;
    it.index = index;
    it.enodes = enodes;
    it.eclasses = enodes / 4;
    it.bytes = 2'000'000;
    it.searchSeconds = 0.25;
    it.rules = {{applied * 2, applied, 0.125, false}, {1, 0, 0.5, index == 2}};
    return it;
}

std::shared_ptr<session::Snapshot> running(int iterations) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Saturating;
    snapshot->ruleNames = {"R-TILE-MV", "R-PAD-MV"};
    snapshot->ruleGroups = {"tiling", "padding"};
    for (int k = 1; k <= iterations; ++k)
        snapshot->iterations.edit().push_back(iteration(k, static_cast<std::size_t>(1000 * k), 10));
    return snapshot;
}

} // namespace

TEST(ProgressView, SumsTimesOverIterationsAndSaysWhatIsUnknown) {
    ProgressView view;
    view.setSnapshot(running(2));
    EXPECT_EQ(view.toText().toStdString(),
              "saturating · iteration 2 · 2\u202F000 e-nodes · 500 e-classes · 0.50 s searching · "
              "2.0 MB · how long: unknown\n"
              "1 1000 250\n2 2000 500\n");
}

TEST(ProgressView, TellsHowItEnded) {
    ProgressView view;
    auto snapshot = running(1);
    snapshot->phase = session::Phase::Ready;
    snapshot->outcome = egraph::StopReason::NodeLimit;
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.summary().endsWith(QStringLiteral("stopped by the limit on e-nodes")));
}

TEST(ProgressView, ShowsMetricsAndALongExtraction) {
    ProgressView view;
    auto snapshot = running(1);
    snapshot->phase = session::Phase::Extracting;
    snapshot->extracting = session::Extracting{2.5, 1200, 4000, 3000};
    snapshot->terms = {{"729", 2.9, 3, false}, {"2187", 3.3, 3, false}};
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.summary().contains(QStringLiteral("extracting for 2.5 s, 1\u202F200 pools")));
    EXPECT_TRUE(view.toText().endsWith(QStringLiteral("M1 terms: 2187\n")));
}

TEST(ProgressView, ShowsWhatWasMeasuredAndWhetherItIsOutdated) {
    ProgressView view;
    auto snapshot = running(1);
    extract::Metrics metrics;
    metrics.normalForms = "1234567890123456";
    metrics.unitSets = 17;
    metrics.unitSetsExact = false;
    metrics.front = {{1, 2}, {2, 1}};
    metrics.samples = 1000;
    snapshot->metrics = std::make_shared<const extract::Metrics>(metrics);
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.toText().contains(QStringLiteral("M2 normal forms: 1.2e15\n")));
    EXPECT_TRUE(view.toText().contains(QStringLiteral("M3 unit sets: ≈ 17\n")));
    EXPECT_TRUE(view.toText().contains(QStringLiteral("M6 front: 2\n")));
}

} // namespace marquetry::test
