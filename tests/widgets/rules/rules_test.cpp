#include "tests/support/waits.h"
#include "widgets/rules/rules_view.h"

#include "engine/egraph/egraph.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::RuleModel;
using widgets::RuleName;
using widgets::RulesView;
using widgets::SelectionModel;

namespace {

egraph::Iteration iteration(int index, std::size_t applied) {
    egraph::Iteration it;
    it.index = index;
    it.complete = true;
    it.rules = {{applied * 2, applied, 0.125, false}, {1, 0, 0.5, index == 2}};
    return it;
}

/// Two e-nodes as written, and two made by the first rule.
std::shared_ptr<const egraph::FrozenEGraph> smallGraph() {
    auto language = std::make_shared<egraph::Language>();
    const egraph::SortId unit = language->addSort("unit");
    const egraph::OpId mv = language->addOp({"Mv", unit, {}, 1});
    egraph::EGraph graph(language);
    const egraph::EClassId first = graph.add(mv, {1}, {});
    graph.add(mv, {2}, {});
    for (const egraph::Param size : {3, 4})
        graph.add(mv, {size}, {}, {egraph::RuleId{0}, 1, egraph::ENodeId{first.value()}});
    graph.rebuild();
    return graph.view();
}

std::shared_ptr<session::Snapshot> searched(int iterations) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->phase = session::Phase::Saturating;
    snapshot->program = std::make_shared<const ir::Program>();
    snapshot->ruleNames = {"R-TILE-MV", "R-PAD-MV"};
    snapshot->ruleGroups = {"tiling", "padding"};
    snapshot->ruleSwitches = {"tiling", "padding", "fusion"};
    snapshot->settings.without = {"fusion"};
    for (int k = 1; k <= iterations; ++k)
        snapshot->iterations.edit().push_back(iteration(k, 10));
    return snapshot;
}

QString cell(const RuleModel& model, const std::string& rule, RuleModel::Column column) {
    return model.indexOf(rule).siblingAtColumn(column).data().toString();
}

} // namespace

TEST(RuleModel, KeepsTheModelContractWhileItGrowsAndStartsOver) {
    RuleModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    for (int k = 0; k < 5; ++k)
        model.setSnapshot(*searched(k));
    EXPECT_EQ(model.rowCount(model.indexOf("R-TILE-MV")), 4);
    EXPECT_EQ(cell(model, "R-TILE-MV", RuleModel::Applied), "40");
    model.setSnapshot(*searched(1));
    EXPECT_EQ(cell(model, "R-TILE-MV", RuleModel::Applied), "10");
    model.setSnapshot(session::Snapshot{});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(RuleModel, CountsWhatEveryRuleMade) {
    RuleModel model;
    auto snapshot = searched(1);
    snapshot->egraph = smallGraph();
    model.setSnapshot(*snapshot);
    model.setSnapshot(*snapshot);
    EXPECT_EQ(cell(model, "R-TILE-MV", RuleModel::Made), "2");
    EXPECT_EQ(cell(model, "R-PAD-MV", RuleModel::Made), "0");
}

TEST(RuleModel, SaysWhichRuleRests) {
    RuleModel model;
    model.setSnapshot(*searched(2));
    EXPECT_EQ(cell(model, "R-PAD-MV", RuleModel::State), "resting, 1×");
    model.setSnapshot(*searched(3));
    EXPECT_EQ(cell(model, "R-PAD-MV", RuleModel::State), "rested 1×");
    EXPECT_EQ(cell(model, "R-TILE-MV", RuleModel::State), "");
}

TEST(RulesView, ListsGroupsThatAreOff) {
    SelectionModel selection;
    RulesView view(&selection);
    view.setSnapshot(searched(2));
    EXPECT_EQ(view.toText().toStdString(),
              "2 rules · 2 iterations · 1250.0 ms in rules · 1 groups off\n"
              "[x] tiling\n    R-TILE-MV hits 40 applied 20 made 0\n"
              "[x] padding\n    R-PAD-MV hits 2 applied 0 made 0\n"
              "[ ] fusion\n");
    EXPECT_EQ(view.toCsv().split(u'\n').at(3).toStdString(),
              "\"tiling\",\"R-TILE-MV\",\"1\",\"20\",\"10\",\"\",\"125.0\",\"\"");
    EXPECT_TRUE(view.toMarkdown().startsWith("| Group | Rule | Iteration | Hits |"));
}

TEST(RulesView, AClickOnTheBoxAsksToSwitchTheGroup) {
    SelectionModel selection;
    RulesView view(&selection);
    view.setSnapshot(searched(1));
    view.resize(500, 300);
    view.show();
    ASSERT_TRUE(waitForExposed(&view));
    QSignalSpy switched(&view, &RulesView::groupSwitched);
    const QRect row = view.tree()->visualRect(view.tree()->model()->index(0, 0));
    QTest::mouseClick(view.tree()->viewport(), Qt::LeftButton, {},
                      QPoint(row.left() + 9, row.center().y()));
    ASSERT_EQ(switched.size(), 1);
    EXPECT_EQ(switched[0][0].toString(), "tiling");
    EXPECT_FALSE(switched[0][1].toBool());
    view.tree()->setCurrentIndex(view.tree()->model()->index(2, 0));
    QTest::keyClick(view.tree(), Qt::Key_Space);
    ASSERT_EQ(switched.size(), 2);
    EXPECT_EQ(switched[1][0].toString(), "fusion");
    EXPECT_TRUE(switched[1][1].toBool());
}

TEST(RulesView, ARuleLightsTheNodesItMadeAndBack) {
    SelectionModel selection;
    RulesView view(&selection);
    auto snapshot = searched(1);
    snapshot->egraph = smallGraph();
    view.setSnapshot(snapshot);
    view.resize(500, 300);
    view.show();
    ASSERT_TRUE(waitForExposed(&view));
    const QModelIndex group = view.tree()->model()->index(0, 0);
    const QRect row = view.tree()->visualRect(view.tree()->model()->index(0, 0, group));
    QTest::mouseClick(view.tree()->viewport(), Qt::LeftButton, {}, row.center());
    EXPECT_EQ(selection.subject(), widgets::Subject(RuleName{"R-TILE-MV"}));
    EXPECT_EQ(selection.linked().enodes, (std::vector{egraph::ENodeId{2}, egraph::ENodeId{3}}));
    selection.clear();
    EXPECT_FALSE(view.tree()->currentIndex().isValid());
    selection.select(egraph::ENodeId{3});
    EXPECT_EQ(view.tree()->currentIndex().data().toString(), "R-TILE-MV");
    EXPECT_EQ(selection.subject(), widgets::Subject(egraph::ENodeId{3}));
}

} // namespace marquetry::test
