// The best changes to try next in the Ledger: what the table says of changes made by hand, when
// they are wanted, and what the buttons ask for.
#include "widgets/ledger/changes_model.h"
#include "widgets/ledger/changes_panel.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <gtest/gtest.h>

namespace marquetry::test {

namespace {

using session::ChangeFigures;
using session::NextChange;
using session::NextChanges;
using session::Snapshot;
using widgets::ChangesModel;
using widgets::ChangesPanel;

ChangeFigures figures(std::int64_t cycles, double dsp, std::int64_t frames = 1) {
    ChangeFigures made;
    made.cycles = cycles;
    made.frames = frames;
    made.resources.dsp = dsp;
    made.clockMhz = 100;
    return made;
}

NextChange limitOf(double dsp, const std::optional<ChangeFigures>& then) {
    NextChange change;
    change.change.text = "Up to " + std::to_string(static_cast<int>(dsp)) + " DSP blocks";
    change.change.settings.limits["dsp"] = dsp;
    change.then = then;
    if (!then)
        change.problem = {makeError("limit", "nothing is so small")};
    return change;
}

NextChanges handChanges() {
    NextChanges changes;
    changes.now = figures(12'000, 64);
    changes.tried = {limitOf(128, figures(8'000, 120)), limitOf(96, figures(48'000, 90, 8)),
                     limitOf(65, figures(12'000, 64)), limitOf(1, std::nullopt)};
    changes.toTry = 6;
    return changes;
}

std::shared_ptr<Snapshot> snapshotOf(const std::optional<NextChanges>& changes) {
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->design = std::make_shared<const design::Design>();
    if (changes)
        snapshot->changes = std::make_shared<const NextChanges>(*changes);
    return snapshot;
}

QString cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

QPushButton* button(const ChangesPanel& panel, const char* name) {
    return panel.findChild<QPushButton*>(QLatin1String(name));
}

} // namespace

TEST(ChangesModel, SaysNowAndThen) {
    ChangesModel model;
    const QAbstractItemModelTester tester(&model);
    model.setChanges(std::make_shared<const NextChanges>(handChanges()));
    ASSERT_EQ(model.rowCount(), 4);
    EXPECT_EQ(cell(model, 0, ChangesModel::Change), QStringLiteral("Up to 128 DSP blocks"));
    EXPECT_EQ(cell(model, 0, ChangesModel::Gain), QStringLiteral("×1.50"));
    EXPECT_EQ(cell(model, 0, ChangesModel::Cycles), QStringLiteral("12\u202f000 → 8\u202f000"));
    EXPECT_EQ(cell(model, 0, ChangesModel::Dsp), QStringLiteral("64 → 120"));
    EXPECT_EQ(cell(model, 1, ChangesModel::Gain), QStringLiteral("×2.00")) << "of a frame";
    EXPECT_EQ(cell(model, 2, ChangesModel::Gain), QStringLiteral("the same"));
    EXPECT_EQ(cell(model, 3, ChangesModel::Gain), QStringLiteral("no design"));
    EXPECT_TRUE(model.index(3, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("nothing is so small")));
    model.setChanges(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(ChangesPanel, WantsChangesOfADesignWhileSomebodyCanSeeThem) {
    ChangesPanel panel;
    const QSignalSpy wanted(&panel, &ChangesPanel::changesWanted);
    panel.setSnapshot(std::make_shared<const Snapshot>());
    panel.show();
    EXPECT_EQ(wanted.count(), 0) << "there is no design";
    panel.hide();
    panel.setSnapshot(snapshotOf(std::nullopt));
    EXPECT_EQ(wanted.count(), 0) << "nobody can see it";
    panel.show();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_TRUE(wanted[0][0].toBool());
    panel.setSnapshot(std::make_shared<const Snapshot>());
    EXPECT_EQ(wanted.count(), 1) << "another design comes";
    panel.hide();
    ASSERT_EQ(wanted.count(), 2);
    EXPECT_FALSE(wanted[1][0].toBool());
    panel.show();
    EXPECT_EQ(wanted.count(), 2) << "there is no design";
    panel.setSnapshot(snapshotOf(std::nullopt));
    ASSERT_EQ(wanted.count(), 3);
    EXPECT_TRUE(wanted[2][0].toBool());
}

TEST(ChangesPanel, TriesTheBestByOneClickAndAnyByEnter) {
    ChangesPanel panel;
    panel.show();
    const QSignalSpy asked(&panel, &ChangesPanel::tryRequested);
    EXPECT_FALSE(button(panel, "tryChange")->isEnabled());
    panel.setSnapshot(snapshotOf(handChanges()));
    QTest::mouseClick(button(panel, "tryChange"), Qt::LeftButton);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].value<session::Settings>().limits.at("dsp"), 128);
    panel.table()->selectRow(1);
    QTest::keyClick(panel.table(), Qt::Key_Return);
    ASSERT_EQ(asked.count(), 2);
    EXPECT_EQ(asked[1][0].value<session::Settings>().limits.at("dsp"), 96);
}

TEST(ChangesPanel, KeepsWhatIsSelectedWhileOthersCome) {
    ChangesPanel panel;
    NextChanges changes = handChanges();
    panel.setSnapshot(snapshotOf(changes));
    panel.table()->selectRow(2);
    changes.tried.insert(changes.tried.begin(), limitOf(200, figures(5'000, 180)));
    panel.setSnapshot(snapshotOf(changes));
    EXPECT_EQ(panel.table()->currentIndex().row(), 3);
    panel.table()->selectRow(0);
    changes.tried.insert(changes.tried.begin(), limitOf(220, figures(4'000, 200)));
    panel.setSnapshot(snapshotOf(changes));
    EXPECT_EQ(panel.table()->currentIndex().row(), 0) << "the best stays the best";
}

TEST(ChangesPanel, StopsAndGoesOn) {
    ChangesPanel panel;
    panel.show();
    const QSignalSpy stopped(&panel, &ChangesPanel::changesStopped);
    NextChanges changes = handChanges();
    panel.setSnapshot(snapshotOf(changes));
    EXPECT_EQ(panel.stateText(), QStringLiteral("4 of 6 tried"));
    QTest::mouseClick(button(panel, "stopChanges"), Qt::LeftButton);
    ASSERT_EQ(stopped.count(), 1);
    EXPECT_TRUE(stopped[0][0].toBool());
    changes.stopped = true;
    panel.setSnapshot(snapshotOf(changes));
    EXPECT_EQ(panel.stateText(), QStringLiteral("4 of 6 tried, stopped"));
    QTest::mouseClick(button(panel, "stopChanges"), Qt::LeftButton);
    ASSERT_EQ(stopped.count(), 2);
    EXPECT_FALSE(stopped[1][0].toBool());
    changes.stopped = false;
    changes.toTry = 4;
    changes.now.outOfTime = true;
    panel.setSnapshot(snapshotOf(changes));
    EXPECT_EQ(panel.stateText(), QStringLiteral("4 of 4 tried; a limit on time ended the search"));
    EXPECT_FALSE(button(panel, "stopChanges")->isVisible());
}

} // namespace marquetry::test
