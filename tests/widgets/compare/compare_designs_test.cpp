// Which designs the Compare view offers, asks for and lets go: shown before, of the front, of
// files, and how the Verilog of two differs.
#include "tests/widgets/compare/compare_shown.h"
#include "widgets/compare/hdl_difference_panel.h"

#include <QCheckBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTreeWidget>

namespace marquetry::test {

TEST_F(CompareShown, AsksForTheDesignOfAPoint) {
    const auto snapshot = showing(quick, {quick, slow, least});
    view.setSnapshot(snapshot);
    QSignalSpy asked(&view, &CompareView::besideRequested);
    choose(QStringLiteral("4 DSP"));
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].value<design::DesignPoint>().cycles, 4500);
    EXPECT_EQ(view.noteText(), "Looking for design B …");
    view.setSnapshot(answering(*snapshot, least));
    EXPECT_EQ(view.comparison(), nullptr) << "that is the answer to another question";
    view.setSnapshot(answering(*snapshot, slow));
    ASSERT_NE(view.comparison(), nullptr);
    EXPECT_EQ(view.comparison()->figures.front().value.b, 4500);
    EXPECT_TRUE(view.wordsOfB().startsWith(u"B, of the front: "));
    auto none = answering(*snapshot, least);
    none->beside->design = nullptr;
    none->beside->problem = {makeError("gone", "it is gone")};
    view.compareWith(pointOf(*least.design));
    view.setSnapshot(none);
    EXPECT_EQ(view.noteText(), "✕ There is no comparison: it is gone");
}

TEST_F(CompareShown, SaysWhyADesignIsNotLookedFor) {
    const auto snapshot = showing(quick, {quick, slow, least});
    view.setSnapshot(snapshot);
    choose(QStringLiteral("4 DSP"));
    view.refuse({makeError("running", "the e-graph is growing")});
    EXPECT_EQ(view.noteText(), "✕ There is no comparison: the e-graph is growing");
    QSignalSpy asked(&view, &CompareView::besideRequested);
    choose(QStringLiteral("4 DSP"));
    EXPECT_EQ(asked.count(), 1);
    auto running = answering(*snapshot, slow);
    running->beside->running = true;
    running->beside->design = nullptr;
    view.setSnapshot(running);
    EXPECT_EQ(view.noteText(), "Looking for design B …");
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.noteText(),
              "✕ There is no comparison: the search for it has ended; choose it again");
}

TEST_F(CompareShown, RemembersTheDesignsThatWereShown) {
    for (const MadeDesign* const each : {&least, &slow, &quick, &slow})
        view.setSnapshot(showing(*each, {}));
    QStringList offered;
    for (int k = 1; k < view.choices()->count(); ++k)
        offered << QString::fromStdString(plain(view.choices()->itemText(k)));
    EXPECT_EQ(offered.join(u'|'), "shown before: 1 500 cycles, 16 DSP|"
                                  "shown before: 18 000 cycles, 1 DSP");
    EXPECT_EQ(view.comparison()->figures.front().value.b, 1500);
    choose(QStringLiteral("18"));
    EXPECT_EQ(view.comparison()->figures.front().value.b, 18000);
    std::vector<MadeDesign> many;
    for (int k = 0; k < 12; ++k) {
        many.push_back(made(k + 1, {{"a", 100 + k}}));
        view.setSnapshot(showing(many.back(), {}));
    }
    EXPECT_EQ(view.choices()->count(), 1 + static_cast<int>(CompareChoices::kMostKept));
    EXPECT_EQ(view.comparison()->figures.front().value.b, 18000) << "B stays all the same";
}

TEST_F(CompareShown, ReadsTheDesignOfAFile) {
    const QString path = file(QStringLiteral("small.json"));
    const auto before = holding(*reading(*showing(quick), path, 1), least);
    view.setSnapshot(before);
    QSignalSpy asked(&view, &CompareView::fileRequested);
    view.compareWithFile(path);
    ASSERT_EQ(asked.count(), 1);
    EXPECT_EQ(asked[0][0].toString(), path);
    view.setSnapshot(before);
    EXPECT_EQ(view.noteText(), QStringLiteral("Reading design B from %1 …").arg(path));
    EXPECT_EQ(view.comparison(), nullptr) << "that was read before it was asked for";
    const auto asking = reading(*before, path, 2);
    view.setSnapshot(asking);
    EXPECT_EQ(view.comparison(), nullptr);
    view.setSnapshot(holding(*asking, slow));
    ASSERT_NE(view.comparison(), nullptr);
    EXPECT_EQ(view.comparison()->figures.front().value.b, 4500);
    EXPECT_EQ(plain(view.wordsOfB()).substr(0, 27), "B, small.json: 4 500 cycles");
    EXPECT_EQ(view.noteText(), "") << "nobody has said that it is among those found";
    view.setSnapshot(showing(least));
    choose(QStringLiteral("shown before"));
    EXPECT_EQ(view.comparison()->figures.front().value.b, 1500);
    choose(QStringLiteral("small.json"));
    EXPECT_EQ(asked.count(), 1) << "it was read";
    EXPECT_EQ(view.comparison()->figures.front().value.b, 4500);
}

TEST_F(CompareShown, SaysWhatBecameOfTheFile) {
    const QString path = file(QStringLiteral("small.json"));
    const auto shown = showing(quick);
    view.setSnapshot(shown);
    view.compareWithFile(path);
    const auto answer = holding(*reading(*shown, path, 1), slow);
    answer->besideFile->warnings = {makeWarning("design-stale", "the program has changed since")};
    view.setSnapshot(answer);
    EXPECT_EQ(view.noteText(), "the program has changed since.");
    const auto told = [&](const QString& text) {
        return waitFor([&] {
            for (const QLabel* const label : view.findChildren<QLabel*>())
                if (label->isVisible() && label->text().startsWith(text))
                    return true;
            return false;
        });
    };
    ASSERT_TRUE(QFile::remove(path));
    EXPECT_TRUE(told(QStringLiteral("small.json is gone; B is as it was read.")));
    EXPECT_EQ(view.comparison()->figures.front().value.b, 4500);
    view.compareWithFile(path);
    const auto none = reading(*answer, path, 2);
    none->besideFile->running = false;
    none->besideFile->problem = {makeError("file-missing", "there is no such file")};
    view.setSnapshot(none);
    EXPECT_EQ(view.noteText(), "✕ There is no comparison: there is no such file");
}

TEST_F(CompareShown, AFileThatWasWrittenAnewSaysSo) {
    const QString path = file(QStringLiteral("small.json"));
    const auto shown = showing(quick);
    view.setSnapshot(shown);
    view.compareWithFile(path);
    view.setSnapshot(holding(*reading(*shown, path, 1), slow));
    ASSERT_EQ(view.noteText(), "");
    QFile again(path);
    ASSERT_TRUE(again.open(QIODevice::ReadWrite));
    ASSERT_TRUE(again.setFileTime(QDateTime::fromSecsSinceEpoch(1000000),
                                  QFileDevice::FileModificationTime));
    again.close();
    EXPECT_EQ(view.noteText(), "small.json has changed since; B is as it was read.");
}

namespace {

/// The answer of a session: a module that is equal, one that differs, and one of B alone.
std::shared_ptr<Snapshot> differing(const Snapshot& asked, const MadeDesign& a,
                                    const MadeDesign& b) {
    auto difference = std::make_shared<session::HdlDifference>();
    difference->a = a.design;
    difference->b = b.design;
    difference->running = false;
    difference->files = {{"rtl/same.v", true, true, 0, 0, ""},
                         {"rtl/unit.v", true, true, 1, 2, "@@ -1,1 +1,2 @@\n-a\n+b\n+c\n"},
                         {"rtl/more.v", false, true, 0, 1, "@@ -0,0 +1,1 @@\n+x\n"}};
    auto snapshot = std::make_shared<Snapshot>(asked);
    snapshot->hdlDifference = difference;
    return snapshot;
}

constexpr int kVerilogPage = 5;

} // namespace

TEST_F(CompareShown, AsksForTheVerilogOfBothWhenItsPageIsSeen) {
    view.setSnapshot(showing(slow));
    const auto snapshot = showing(quick);
    view.setSnapshot(snapshot);
    QSignalSpy asked(&view, &CompareView::hdlRequested);
    view.pages()->setCurrentIndex(kVerilogPage);
    ASSERT_EQ(asked.count(), 1);
    const widgets::HdlDifferencePanel& panel = *view.verilog();
    EXPECT_TRUE(panel.message().startsWith(u"Writing and comparing"));
    view.setSnapshot(differing(*snapshot, slow, quick));
    EXPECT_EQ(panel.difference(), nullptr) << "that is of another pair";
    view.setSnapshot(differing(*snapshot, quick, slow));
    ASSERT_NE(panel.difference(), nullptr);
    view.pages()->setCurrentIndex(0);
    view.pages()->setCurrentIndex(kVerilogPage);
    EXPECT_EQ(asked.count(), 1) << "it is known";
    view.setSnapshot(showing(least));
    EXPECT_EQ(panel.difference(), nullptr) << "it was of another design A";
    EXPECT_EQ(asked.count(), 2);
    view.refuseHdl({makeError("no-program", "there is no program")});
    EXPECT_EQ(panel.message(), "✕ The Verilog is not compared: there is no program");
    view.pages()->setCurrentIndex(0);
    view.pages()->setCurrentIndex(kVerilogPage);
    EXPECT_EQ(asked.count(), 3);
}

TEST_F(CompareShown, ShowsTheModulesThatDiffer) {
    view.setSnapshot(showing(slow));
    const auto snapshot = showing(quick);
    view.setSnapshot(snapshot);
    view.pages()->setCurrentIndex(kVerilogPage);
    view.setSnapshot(differing(*snapshot, quick, slow));
    const widgets::HdlDifferencePanel& panel = *view.verilog();
    ASSERT_EQ(panel.modules()->topLevelItemCount(), 3);
    EXPECT_EQ(panel.modules()->currentItem()->text(0), "unit.v") << "the first that differs";
    EXPECT_EQ(panel.lines()->toPlainText(), "@@ -1,1 +1,2 @@\n-a\n+b\n+c\n");
    EXPECT_EQ(panel.modules()->topLevelItem(2)->text(1), "only B");
    EXPECT_TRUE(view.toText().contains(u"rtl/unit.v: differs; lines of A alone: 1, of B alone: 2"));
    view.findChild<QCheckBox*>()->setChecked(true);
    EXPECT_TRUE(panel.modules()->topLevelItem(0)->isHidden());
    view.findChild<QLineEdit*>()->setText(QStringLiteral("more"));
    EXPECT_TRUE(panel.modules()->topLevelItem(1)->isHidden());
    EXPECT_FALSE(panel.modules()->topLevelItem(2)->isHidden());
    panel.modules()->setCurrentItem(panel.modules()->topLevelItem(2));
    EXPECT_EQ(panel.lines()->toPlainText(), "@@ -0,0 +1,1 @@\n+x\n");
}

TEST_F(CompareShown, SaysOfWhichFileTheDesignAtHandIs) {
    auto snapshot = showing(quick);
    auto held = std::make_shared<session::HeldDesign>();
    held->path = "made/DESIGN.json";
    held->design = std::exchange(snapshot->design, nullptr);
    snapshot->held = held;
    snapshot->heldAtHand = true;
    view.setSnapshot(snapshot);
    EXPECT_TRUE(view.wordsOfA().startsWith(u"A, made/DESIGN.json: "))
        << view.wordsOfA().toStdString();
}

TEST_F(CompareShown, AnotherProgramBeginsAnew) {
    view.setSnapshot(showing(slow, {quick, slow}));
    view.keepShown();
    view.setSnapshot(showing(quick, {quick, slow}));
    ASSERT_NE(view.comparison(), nullptr);
    const auto other = std::make_shared<Snapshot>(*showing(least));
    other->file = "other.mq";
    view.setSnapshot(other);
    EXPECT_EQ(view.comparison(), nullptr);
    EXPECT_EQ(view.wordsOfB(), "B: none is chosen");
    EXPECT_EQ(view.choices()->count(), 1);
}

// While the view is hidden nothing is compared, and the words must not be those of what is gone.
TEST_F(CompareShown, AnotherProgramBeginsAnewWhileHidden) {
    const MadeDesign first = made(2, {{"a", 40}});
    const MadeDesign second = made(4, {{"a", 20}});
    view.setSnapshot(showing(first));
    view.setSnapshot(showing(second));
    ASSERT_TRUE(view.comparison());
    view.hide();
    const MadeDesign other = made(8, {{"b", 10}});
    auto snapshot = showing(other, {other});
    snapshot->file = "other.mq";
    view.setSnapshot(snapshot);
    view.setSnapshot(std::make_shared<Snapshot>(*snapshot));
    EXPECT_FALSE(view.comparison());
    EXPECT_NE(view.noteText().indexOf("Choose above"), -1) << view.noteText().toStdString();
}

TEST_F(CompareShown, ARefusalEndsWithItsDesigns) {
    const MadeDesign first = made(2, {{"a", 40}});
    MadeDesign renamed = made(4, {{"a", 20}});
    renamed.design->program = "renamed";
    view.setSnapshot(showing(first));
    view.setSnapshot(showing(renamed));
    EXPECT_NE(view.noteText().indexOf("There is no comparison"), -1);
    MadeDesign better = made(8, {{"a", 10}});
    better.design->program = "renamed";
    view.setSnapshot(showing(better));
    EXPECT_TRUE(view.comparison());
    EXPECT_EQ(view.noteText().indexOf("There is no comparison"), -1)
        << view.noteText().toStdString();
}

} // namespace marquetry::test
