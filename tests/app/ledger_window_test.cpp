// The Ledger in the window: of the design that was found, and of the one that a DESIGN.json holds.
#include "window_fixture.h"

#include "widgets/ledger/ledger_view.h"
#include "widgets/models/selection_model.h"

#include "engine/session/explore.h"
#include "engine/session/next_change.h"

#include <QTabBar>
#include <QTableView>

#include <fstream>

namespace marquetry::test {

class LedgerWindow : public EngineWindow {
protected:
    widgets::LedgerView* view() { return window->findChild<widgets::LedgerView*>(); }

    void showLedger() {
        QTabBar* bar = window->tabs()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {},
                          bar->tabRect(window->tabs()->indexOf(view())).center());
        ASSERT_EQ(window->tabs()->currentWidget(), view());
    }

    /// In the last row of the table.
    std::int64_t sum() {
        const auto* model = view()->model();
        return model->rowCount() == 0 ? -1 : model->row(model->rowCount() - 1).clocks.cycles();
    }
};

TEST_F(LedgerWindow, SaysWhereTheClocksOfTheDesignGo) {
    showLedger();
    runToEnd();
    ASSERT_TRUE(until([&] { return sum() == snapshot()->design->cycles; }));
    const QAbstractItemModel* rows = view()->table()->model();
    for (int row = 0; row < rows->rowCount(); ++row)
        if (rows->index(row, 1).data().toString() == QStringLiteral("call")) {
            QTest::mouseClick(view()->table()->viewport(), Qt::LeftButton, {},
                              view()->table()->visualRect(rows->index(row, 0)).center());
            break;
        }
    EXPECT_EQ(window->selection().linked().layers.size(), 1U);
    savePicture(QStringLiteral("ledger_window"));
    saveViewPicture(QStringLiteral("ledger"));
}

TEST_F(LedgerWindow, IsInFrontWhenARunEndsButNotAgainstTheUser) {
    runToEnd();
    EXPECT_TRUE(until([&] { return window->tabs()->currentWidget() == view(); }));
    const int other = (window->tabs()->indexOf(view()) + 1) % window->tabs()->count();
    window->tabs()->setCurrentIndex(other);
    session::Settings settings = snapshot()->settings;
    settings.limits["dsp"] = 16;
    window->post(session::ChangeSettings{settings});
    ASSERT_TRUE(until([&] {
        return snapshot()->settings == settings && snapshot()->phase == session::Phase::Ready &&
               snapshot()->design;
    }));
    EXPECT_EQ(window->tabs()->currentIndex(), other) << "it was there once";
}

TEST_F(LedgerWindow, IsInFrontOnceForEachFile) {
    const QString other = folder.filePath(QStringLiteral("other.mq"));
    ASSERT_TRUE(QFile::copy(QString::fromStdString(runningExample()), other));
    const int away = window->tabs()->count() - 1;
    const auto ranOf = [&](const QString& file) {
        window->tabs()->setCurrentIndex(away);
        window->openFile(file);
        EXPECT_TRUE(
            until([&] { return snapshot()->file == file.toStdString() && !snapshot()->design; }));
        trigger(app::Act::Run);
        EXPECT_TRUE(until([&] {
            return snapshot()->phase == session::Phase::Ready && snapshot()->design != nullptr;
        }));
        return window->tabs()->currentWidget() == view();
    };
    const QString first = QString::fromStdString(runningExample());
    EXPECT_TRUE(ranOf(first));
    EXPECT_TRUE(ranOf(other));
    EXPECT_FALSE(ranOf(first));
    EXPECT_FALSE(ranOf(other));
}

TEST_F(LedgerWindow, LooksForChangesOnlyWhileItCanBeSeen) {
    runToEnd();
    ASSERT_TRUE(until([&] { return snapshot()->changes != nullptr; }));
    window->tabs()->setCurrentIndex(window->tabs()->count() - 1);
    const session::Ticket asked = window->post(session::AskProof{"no such layer"});
    QSignalSpy answers(&window->bridge(), &app::SessionBridge::acknowledged);
    ASSERT_TRUE(until([&] {
        return std::ranges::any_of(answers, [&](const QList<QVariant>& each) {
            return each[0].value<session::Acknowledgement>().ticket == asked;
        });
    })) << "the session knows that the view is away";
    EXPECT_FALSE(snapshot()->changes->stopped);
    showLedger();
    EXPECT_TRUE(until([&] { return snapshot()->changes && snapshot()->changes->complete(); }));
    EXPECT_FALSE(snapshot()->changes->stopped);
}

TEST_F(LedgerWindow, LeavesTheViewThatIsChosenDuringTheRun) {
    openExample();
    trigger(app::Act::Run);
    const int other = window->tabs()->count() - 1;
    ASSERT_TRUE(until([&] { return !snapshot()->iterations.empty(); }));
    window->tabs()->setCurrentIndex(other);
    ASSERT_TRUE(reaches(session::Phase::Ready));
    ASSERT_NE(snapshot()->design, nullptr);
    EXPECT_EQ(window->tabs()->currentIndex(), other);
}

TEST_F(LedgerWindow, FindsTheBestChangeAndTriesItByOneClick) {
    openExample();
    session::Settings settings = snapshot()->settings;
    settings.device = "xc7z020";
    settings.limits["dsp"] = 16;
    window->post(session::ChangeSettings{settings});
    trigger(app::Act::Run);
    ASSERT_TRUE(reaches(session::Phase::Ready));
    ASSERT_TRUE(until([&] { return snapshot()->changes && snapshot()->changes->complete(); }));
    const auto changes = snapshot()->changes;
    ASSERT_FALSE(changes->tried.empty());
    const session::NextChange best = changes->tried.front();
    ASSERT_TRUE(best.then);
    savePicture(QStringLiteral("ledger_changes"));
    clickButton("tryChange");
    ASSERT_TRUE(until([&] {
        return snapshot()->settings == best.change.settings && snapshot()->design &&
               snapshot()->phase == session::Phase::Ready;
    }));
    EXPECT_EQ(snapshot()->design->cycles, best.then->cycles);
    trigger(app::Act::Undo);
    ASSERT_TRUE(until([&] {
        return snapshot()->settings == settings && snapshot()->design &&
               snapshot()->phase == session::Phase::Ready;
    }));
    EXPECT_EQ(snapshot()->design->cycles, changes->now.cycles);
}

TEST_F(LedgerWindow, IsOfAHeldDesignUntilSomethingIsSearched) {
    runToEnd();
    const app::SnapshotPtr found = snapshot();
    const QString design = folder.filePath(QStringLiteral("DESIGN.json"));
    std::ofstream(design.toStdString()) << session::designJson(
        *found->design, *found->program, session::DesignChoices{found->settings, found->pins});
    window->openFile(design);
    ASSERT_TRUE(until([&] { return snapshot()->heldAtHand; }));
    showLedger();
    EXPECT_TRUE(until([&] { return sum() == found->design->cycles; }));
    EXPECT_EQ(snapshot()->design, nullptr);
}

} // namespace marquetry::test
