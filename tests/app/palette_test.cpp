// The command palette and the sheet of keys: made of the actions that there are, and worked by keys
// alone.
#include "window_fixture.h"

#include "app/command_palette.h"

#include <QTextBrowser>
#include <QTreeWidget>

#include <set>

namespace marquetry::test {

using app::fuzzyCost;

TEST(FuzzyCost, LettersStandInTheirOrder) {
    EXPECT_TRUE(fuzzyCost("sesas", "Save Session As…"));
    EXPECT_TRUE(fuzzyCost("SAVE as", "Save Session As…"));
    EXPECT_FALSE(fuzzyCost("asx", "Save Session As…"));
    EXPECT_FALSE(fuzzyCost("evas", "Save"));
    EXPECT_EQ(fuzzyCost("", "Run"), 0);
    EXPECT_FALSE(fuzzyCost("r", ""));
}

TEST(FuzzyCost, BeginningsOfWordsAndRunsAreBest) {
    EXPECT_LT(fuzzyCost("ver", "Verify"), fuzzyCost("ver", "Save Error"));
    EXPECT_LT(fuzzyCost("ssa", "Save Session As"), fuzzyCost("ssa", "Glossary sand"));
    EXPECT_LT(fuzzyCost("exp", "Export…"), fuzzyCost("exp", "Next Patch"));
    // Not the first letter that fits, but the best.
    EXPECT_EQ(fuzzyCost("as", "Save As"), fuzzyCost("as", "Open As"));
}

class Palette : public WindowFixture {
protected:
    app::CommandPalette* openPalette() {
        window->activateWindow();
        EXPECT_TRUE(waitForActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        return shownDialog<app::CommandPalette>("commandPalette");
    }
};

TEST_F(Palette, HasEveryActionOfTheWindow) {
    const auto* palette = openPalette();
    ASSERT_NE(palette, nullptr);
    std::set<QString> names;
    for (int k = 0; k < palette->list()->topLevelItemCount(); ++k) {
        const QTreeWidgetItem* item = palette->list()->topLevelItem(k);
        names.insert(item->text(0));
        EXPECT_FALSE(item->text(1).isEmpty()) << item->text(0).toStdString();
    }
    for (const QAction* action : window->windowActions().all()) {
        QString text = action->text();
        EXPECT_TRUE(names.contains(text.remove(u'&'))) << text.toStdString();
    }
    EXPECT_TRUE(names.contains(QStringLiteral("Filter the rows"))) << "of a view";
    EXPECT_TRUE(names.contains(QStringLiteral("Inspector"))) << "a dock";
}

TEST_F(Palette, DoesWhatIsTypedByKeysAlone) {
    openExample();
    auto* palette = openPalette();
    ASSERT_NE(palette, nullptr);
    QTest::keyClicks(palette->field(), QStringLiteral("dark"));
    EXPECT_EQ(palette->list()->currentItem()->text(0), QStringLiteral("Dark Colours"));
    EXPECT_EQ(palette->list()->currentItem()->text(2),
              QKeySequence(QStringLiteral("Ctrl+Shift+D")).toString(QKeySequence::NativeText));
    QAction* const dark = window->windowActions()[app::Act::Dark];
    const bool before = dark->isChecked();
    QTest::keyClick(palette->field(), Qt::Key_Return);
    EXPECT_TRUE(waitFor([&] { return dark->isChecked() != before; }));
    EXPECT_EQ(window->findChild<app::CommandPalette*>(), nullptr);
    window->setDark(before);
}

TEST_F(Palette, ArrowsMoveAndWhatIsGreyIsNotDone) {
    auto* palette = openPalette();
    ASSERT_NE(palette, nullptr);
    QTest::keyClick(palette->field(), Qt::Key_Down);
    EXPECT_EQ(palette->list()->currentItem(), palette->list()->topLevelItem(1));
    QTest::keyClick(palette->field(), Qt::Key_PageUp);
    EXPECT_EQ(palette->list()->currentItem(), palette->list()->topLevelItem(0));
    QTest::keyClicks(palette->field(), QStringLiteral("verify"));
    const QTreeWidgetItem* first = palette->list()->currentItem();
    ASSERT_NE(first, nullptr);
    ASSERT_FALSE(first->data(0, app::CommandPalette::kPossibleRole).toBool()) << "nothing is open";
    QTest::keyClick(palette->field(), Qt::Key_Return);
    EXPECT_TRUE(palette->isVisible());
    QTest::keyClicks(palette->field(), QStringLiteral("qqqq"));
    EXPECT_EQ(palette->list()->topLevelItemCount(), 0);
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QTest::keyClick(palette->field(), Qt::Key_Down);
    QTest::keyClick(palette->field(), Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return window->findChild<app::CommandPalette*>() == nullptr; }));
}

TEST_F(Palette, TheSheetHasEveryKey) {
    trigger(app::Act::Shortcuts);
    const auto* sheet = shownDialog<QDialog>("keySheet");
    ASSERT_NE(sheet, nullptr);
    const QString text = sheet->findChild<QTextBrowser*>()->toPlainText();
    for (const app::ListedAction& each : app::actionsOf(*window))
        if (!each.keys.isEmpty()) {
            EXPECT_TRUE(text.contains(each.keys)) << each.text.toStdString();
            EXPECT_TRUE(text.contains(each.tip)) << each.text.toStdString();
            EXPECT_TRUE(text.contains(each.place)) << each.place.toStdString();
        }
    EXPECT_TRUE(text.contains(QStringLiteral("Ctrl+Shift+P")));
}

} // namespace marquetry::test
