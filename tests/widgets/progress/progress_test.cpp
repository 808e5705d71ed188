#include "widgets/progress/progress_view.h"

#include <QAbstractItemModelTester>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::ProgressView;
using widgets::RuleTableModel;

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
        snapshot->iterations.push_back(iteration(k, static_cast<std::size_t>(1000 * k), 10));
    return snapshot;
}

} // namespace

TEST(ProgressView, SumsRulesOverIterationsAndSaysWhatIsUnknown) {
    ProgressView view;
    view.setSnapshot(running(2));
    EXPECT_EQ(view.toText().toStdString(),
              "saturating · iteration 2 · 2\u202F000 e-nodes · 500 e-classes · 0.50 s searching · "
              "2.0 MB · how long: unknown\n"
              "R-TILE-MV [tiling] 40 20\nR-PAD-MV [padding] 2 0\n");
}

TEST(ProgressView, TellsHowItEnded) {
    ProgressView view;
    auto snapshot = running(1);
    snapshot->phase = session::Phase::Ready;
    snapshot->outcome = egraph::Outcome::NodeLimit;
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.summary().endsWith(QStringLiteral("stopped by the limit on e-nodes")));
}

TEST(RuleTableModel, KeepsTheModelContractWhileItGrowsAndResets) {
    RuleTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int k = 0; k < 5; ++k)
        model.setSnapshot(*running(k));
    EXPECT_EQ(model.rows()[0].applied, 40u);
    EXPECT_EQ(model.rows()[0].lastApplied, 10u);
    model.setSnapshot(session::Snapshot{});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RuleTableModel, MarksARuleThatRests) {
    RuleTableModel model;
    model.setSnapshot(*running(2));
    EXPECT_TRUE(
        model.index(1, RuleTableModel::Rule).data().toString().contains(QStringLiteral("resting")));
}

} // namespace marquetry::test
