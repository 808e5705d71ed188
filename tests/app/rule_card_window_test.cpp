// The road to the card of a rule, and what it answers, by keys and the mouse.
#include "app/command_palette.h"
#include "end_to_end.h"
#include "engine/session/explore.h"
#include "engine/session/next_changes.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/rules/rules_view.h"

#include <QDockWidget>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTreeWidget>

namespace marquetry::test {

using widgets::RuleName;
using widgets::Subject;

class RuleCardWindow : public EndToEnd {
protected:
    Subject selected() { return window->findChild<widgets::SelectionModel*>()->subject(); }
    widgets::InspectorView* inspector() { return view<widgets::InspectorView>(); }

    void openCardByCommand(const QString& rule) {
        press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = dialog<app::CommandPalette>("commandPalette");
        ASSERT_NE(palette, nullptr);
        QTest::keyClicks(palette->field(), QStringLiteral("rule ") + rule);
        ASSERT_NE(palette->list()->currentItem(), nullptr);
        ASSERT_EQ(palette->list()->currentItem()->text(0), QStringLiteral("Rule ") + rule);
        QTest::keyClick(palette->field(), Qt::Key_Return);
        ASSERT_TRUE(until([&] { return selected() == Subject(RuleName{rule.toStdString()}); }));
    }
};

TEST_F(RuleCardWindow, ACommandOpensItAndAButtonFindsWhatTheRuleIsWorth) {
    runToEnd();
    window->docks().inspector->hide();
    const std::string rule = "R-TILE-MV";
    ASSERT_NO_FATAL_FAILURE(openCardByCommand(QString::fromStdString(rule)));
    EXPECT_TRUE(window->docks().inspector->isVisible());
    const app::SnapshotPtr before = snapshot();
    QTest::mouseClick(inspector()->whatIfButton(), Qt::LeftButton);
    ASSERT_TRUE(
        until([&] { return snapshot()->withoutRule && !snapshot()->withoutRule->running; }));
    session::Settings without = before->settings;
    without.without = {rule};
    const auto alone = session::explore(before->program, without, {});
    ASSERT_TRUE(alone && alone->extraction.design);
    EXPECT_EQ(snapshot()->withoutRule->then,
              session::figuresOf(*alone->extraction.design, alone->outOfTime));
    EXPECT_EQ(snapshot()->design, before->design) << "what is at hand stays";
    ASSERT_TRUE(
        until([&] { return inspector()->toText().contains(QStringLiteral("It is worth")); }));
    expectLog({QStringLiteral("--without R-TILE-MV")});
    savePicture(QStringLiteral("rule_card"));
}

TEST_F(RuleCardWindow, ADoubleClickInTheLogOpensIt) {
    runToEnd();
    auto* log = view<widgets::LogView>();
    window->docks().log->show();
    window->docks().log->raise();
    log->append(widgets::LogKind::Message, QStringLiteral("padding R-PAD-MV"));
    auto* text = log->findChild<QPlainTextEdit*>();
    ASSERT_TRUE(until([&] { return text->isVisible(); }));
    const auto doubleClick = [&](const char* word) {
        QTextCursor at(text->document()->lastBlock());
        at.setPosition(at.block().position() +
                       static_cast<int>(at.block().text().indexOf(QLatin1String(word)) + 2));
        text->setTextCursor(at);
        text->ensureCursorVisible();
        QTest::mouseDClick(text->viewport(), Qt::LeftButton, {}, text->cursorRect().center());
    };
    const Subject other = selected();
    doubleClick("padding");
    EXPECT_EQ(selected(), other) << "a group has no card";
    doubleClick("R-PAD-MV");
    EXPECT_EQ(selected(), Subject(RuleName{"R-PAD-MV"}));
}

TEST_F(RuleCardWindow, ANodeOfTheEGraphLeadsToItAndAMatchBack) {
    runToEnd();
    const egraph::FrozenEGraph& graph = *snapshot()->egraph;
    egraph::ENodeId made;
    for (std::size_t k = 0; k < graph.totalEnodes() && !made.valid(); ++k)
        if (const auto rule = graph.origin(egraph::ENodeId{k}).rule;
            egraph::isRule(rule) && snapshot()->ruleNames[rule.index()] == "R-TILE-MV")
            made = egraph::ENodeId{k};
    ASSERT_TRUE(made.valid());
    auto* egraphView = view<widgets::EGraphView>();
    const std::unique_ptr<QMenu> menu(egraphView->createMenu(made));
    for (QAction* action : menu->actions())
        if (action->text() == QLatin1String("Show the card of R-TILE-MV"))
            action->trigger();
    ASSERT_EQ(selected(), Subject(RuleName{"R-TILE-MV"}));
    const egraph::EClassId matched = graph.eclassOf(graph.origin(made).root);
    QTextBrowser& browser = *inspector()->browser();
    ASSERT_TRUE(browser.find(QStringLiteral("Where it matched")));
    ASSERT_TRUE(browser.find(QStringLiteral("c%1 ").arg(matched.value())));
    browser.ensureCursorVisible();
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {},
                      browser.cursorRect().center() - QPoint(6, 0));
    EXPECT_EQ(selected(), Subject(matched));
    EXPECT_EQ(window->findChild<QTabWidget*>(QStringLiteral("views"))->currentWidget(), egraphView);
    EXPECT_TRUE(until([&] { return egraphView->keyInPicture(matched) != widgets::kNoKey; }));
}

} // namespace marquetry::test
