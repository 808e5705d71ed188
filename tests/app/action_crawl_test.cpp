#include "message_guard.h"
#include "window_fixture.h"

#include <QDialog>
#include <QMenu>
#include <QMenuBar>

namespace marquetry::test {

namespace {

void collect(const QList<QAction*>& from, QList<QAction*>& to) {
    QList<QList<QAction*>> open{from};
    while (!open.isEmpty())
        for (QAction* action : open.takeLast()) {
            if (action->isSeparator())
                continue;
            if (action->menu())
                open << action->menu()->actions();
            else
                to << action;
        }
}

QList<QAction*> menuActions(const app::MainWindow& window) {
    QList<QAction*> all;
    collect(window.menuBar()->actions(), all);
    return all;
}

void closeDialogs(app::MainWindow& window) {
    if (QWidget* const menu = QApplication::activePopupWidget())
        menu->close();
    for (QDialog* dialog : window.findChildren<QDialog*>())
        dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

/// Triggers every enabled action of the menus once, with whatever state the one before left.
void crawl(app::MainWindow& window) {
    for (const QAction* listed : menuActions(window)) {
        const QString name = listed->objectName();
        if (name == QStringLiteral("quit") || name.isEmpty())
            continue;
        for (QAction* action : menuActions(window))
            if (action->objectName() == name && action->isEnabled())
                action->trigger();
        QCoreApplication::processEvents();
        closeDialogs(window);
    }
}

} // namespace

class ActionCrawl : public WindowFixture {};

TEST_F(ActionCrawl, EveryActionHasTextAndStatusTip) {
    for (const QAction* action : menuActions(*window)) {
        EXPECT_FALSE(action->text().isEmpty()) << action->objectName().toStdString();
        EXPECT_FALSE(action->statusTip().isEmpty()) << action->text().toStdString();
    }
}

TEST_F(ActionCrawl, EveryActionIsInAMenu) {
    const QList<QAction*> reachable = menuActions(*window);
    for (QAction* action : window->windowActions().all())
        EXPECT_TRUE(reachable.contains(action)) << action->objectName().toStdString();
}

TEST_F(ActionCrawl, ShortcutsAreUnique) {
    QMap<QString, QString> seen;
    for (const QAction* action : menuActions(*window)) {
        const QString keys = action->shortcut().toString();
        if (keys.isEmpty())
            continue;
        EXPECT_FALSE(seen.contains(keys))
            << keys.toStdString() << ": " << seen.value(keys).toStdString() << " and "
            << action->text().toStdString();
        seen[keys] = action->text();
    }
    EXPECT_GT(seen.size(), 10);
}

TEST_F(ActionCrawl, ActionsWarnOfNothingWhenEmpty) {
    const MessageGuard guard;
    crawl(*window);
    EXPECT_EQ(guard.text(), "");
}

TEST_F(ActionCrawl, ActionsWarnOfNothingWhenLoaded) {
    const MessageGuard guard;
    openExample();
    crawl(*window);
    EXPECT_EQ(guard.text(), "");
}

TEST_F(ActionCrawl, ActionsWarnOfNothingWhileRunning) {
    const MessageGuard guard;
    openExample();
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(session::Phase::Saturating));
    crawl(*window);
    EXPECT_EQ(guard.text(), "");
}

TEST_F(ActionCrawl, ActionsWarnOfNothingWhenDone) {
    const MessageGuard guard;
    runToEnd();
    crawl(*window);
    EXPECT_EQ(guard.text(), "");
}

TEST_F(ActionCrawl, ActionsFollowThePhase) {
    app::WindowActions& act = window->windowActions();
    EXPECT_FALSE(act[app::Act::Run]->isEnabled());
    EXPECT_FALSE(act[app::Act::Export]->isEnabled());
    openExample();
    EXPECT_TRUE(act[app::Act::Run]->isEnabled());
    EXPECT_FALSE(act[app::Act::Pause]->isEnabled());
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(session::Phase::Saturating));
    EXPECT_TRUE(act[app::Act::Pause]->isEnabled());
    EXPECT_FALSE(act[app::Act::Run]->isEnabled());
    ASSERT_TRUE(reaches(session::Phase::Ready));
    EXPECT_TRUE(act[app::Act::Export]->isEnabled());
    EXPECT_TRUE(act[app::Act::Verify]->isEnabled());
    EXPECT_FALSE(act[app::Act::Undo]->isEnabled());
}

} // namespace marquetry::test
