// Compare in the window: the designs of a real session, by the menus of the Ledger and the plot.
#include "window_fixture.h"

#include "app/action_list.h"
#include "app/session_keeper.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/hdl_difference_panel.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/pareto/pareto_view.h"

#include "engine/session/explore.h"

#include <QComboBox>
#include <QFileDialog>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPointer>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>
#include <fstream>

namespace marquetry::test {

class CompareWindow : public EngineWindow {
protected:
    widgets::CompareView* view() { return window->findChild<widgets::CompareView*>(); }

    /// Of a menu that a view has made.
    static QAction* entry(const QMenu& menu, const QString& text) {
        for (QAction* const action : menu.actions())
            if (action->text() == text)
                return action;
        return nullptr;
    }

    std::optional<std::size_t> otherPoint() {
        const auto& points = snapshot()->points;
        for (std::size_t k = 0; k < points.size(); ++k)
            if (points[k].onFront && points[k].feasible &&
                points[k].cycles != snapshot()->design->cycles)
                return k;
        return std::nullopt;
    }

    /// By its accessible name, among what stands in the view.
    QToolButton* button(const QString& name) {
        for (QToolButton* const each : view()->findChildren<QToolButton*>())
            if (each->accessibleName() == name)
                return each;
        return nullptr;
    }

    QString write(const char* name, const session::Snapshot& found) {
        const QString path = folder.filePath(QLatin1String(name));
        std::ofstream(path.toStdString()) << session::designJson(
            *found.design, *found.program, session::DesignChoices{found.settings, found.pins});
        return path;
    }

    /// Another design than that with so many cycles is at hand.
    void limitDsp(double most, std::int64_t cycles) {
        session::Settings settings = snapshot()->settings;
        settings.limits["dsp"] = most;
        window->post(session::ChangeSettings{settings});
        ASSERT_TRUE(until([&] {
            return snapshot()->phase == session::Phase::Ready && snapshot()->settings == settings &&
                   snapshot()->design && snapshot()->design->cycles != cycles;
        }));
    }

    double cyclesOf(bool b) {
        const auto& value = view()->comparison()->figures.front().value;
        return b ? value.b.value_or(-1) : value.a.value_or(-1);
    }
};

TEST_F(CompareWindow, APointOfTheFrontIsComparedWithTheCurrentDesign) {
    runToEnd();
    const std::int64_t cycles = snapshot()->design->cycles;
    const auto other = otherPoint();
    ASSERT_TRUE(other);
    const design::DesignPoint point = snapshot()->points[*other];
    auto* const plot = window->findChild<widgets::ParetoView*>();
    Q_EMIT plot->compareRequested(point);
    EXPECT_EQ(window->tabs()->currentWidget(), view());
    ASSERT_TRUE(until([&] { return view()->comparison() != nullptr; }))
        << view()->noteText().toStdString();
    EXPECT_EQ(cyclesOf(false), static_cast<double>(cycles));
    EXPECT_EQ(cyclesOf(true), static_cast<double>(point.cycles));
    EXPECT_EQ(snapshot()->design->cycles, cycles) << "the current design stays";
    EXPECT_EQ(view()->noteText(), "");
    saveViewPicture(QStringLiteral("compare"));

    window->post(session::ChoosePoint{point});
    ASSERT_TRUE(until([&] { return snapshot()->design->cycles == point.cycles; }));
    ASSERT_TRUE(until([&] { return cyclesOf(false) == static_cast<double>(point.cycles); }));
    EXPECT_EQ(cyclesOf(true), static_cast<double>(point.cycles)) << "B stays until it is chosen";
}

TEST_F(CompareWindow, TheLedgerKeepsItsDesignForThoseThatCome) {
    runToEnd();
    const std::int64_t cycles = snapshot()->design->cycles;
    auto* const ledger = window->findChild<widgets::LedgerView*>();
    ASSERT_TRUE(until([&] { return ledger->model()->rowCount() > 0; }));
    QMenu* const menu = ledger->createMenu({});
    QAction* const compare = entry(*menu, QStringLiteral("Compare with This Design"));
    ASSERT_NE(compare, nullptr);
    ASSERT_TRUE(compare->isEnabled());
    compare->trigger();
    delete menu;
    EXPECT_EQ(window->tabs()->currentWidget(), view());
    ASSERT_NE(view()->comparison(), nullptr);
    limitDsp(16, cycles);
    ASSERT_TRUE(until([&] {
        return view()->comparison() &&
               cyclesOf(false) == static_cast<double>(snapshot()->design->cycles);
    }));
    EXPECT_EQ(cyclesOf(true), static_cast<double>(cycles));
    EXPECT_TRUE(view()->noteText().startsWith(u"B is not among the designs found now"))
        << view()->noteText().toStdString();
}

TEST_F(CompareWindow, AHeldDesignIsComparedWithWhatTheSearchFinds) {
    runToEnd();
    const app::SnapshotPtr found = snapshot();
    window->openFile(write("DESIGN.json", *found));
    ASSERT_TRUE(until([&] { return snapshot()->heldAtHand; }));
    window->tabs()->setCurrentWidget(view());
    ASSERT_TRUE(until([&] { return view()->wordsOfA().contains(u"DSP"); }));
    view()->keepShown();
    ASSERT_NE(view()->comparison(), nullptr);
    EXPECT_EQ(cyclesOf(true), static_cast<double>(found->design->cycles));
    trigger(app::Act::Run);
    ASSERT_TRUE(until([&] { return snapshot()->phase == session::Phase::Ready; }));
    window->tabs()->setCurrentWidget(view());
    ASSERT_TRUE(until([&] {
        return view()->comparison() &&
               cyclesOf(false) == static_cast<double>(snapshot()->design->cycles);
    }));
    for (const design::ComparedFigure& figure : view()->comparison()->figures)
        if (figure.key == "bound" || figure.key == "gap_percent")
            EXPECT_FALSE(figure.value.b) << "a file of a design says none";
        else
            EXPECT_EQ(figure.value.a, figure.value.b) << figure.key;
}

TEST_F(CompareWindow, TheDesignOfAFileIsChosenInADialog) {
    runToEnd();
    const std::int64_t cycles = snapshot()->design->cycles;
    const QString written = write("one.json", *snapshot());
    const QString saved = folder.filePath(QStringLiteral("one.mqs"));
    ASSERT_TRUE(window->keeper().save(saved));
    limitDsp(16, cycles);
    window->tabs()->setCurrentWidget(view());
    QToolButton* const fromFile = button(QStringLiteral("Compare with the Design of a File…"));
    ASSERT_NE(fromFile, nullptr);
    for (const QString& path : {written, saved}) {
        ASSERT_TRUE(until([&] { return fromFile->isEnabled(); }));
        QTest::mouseClick(fromFile, Qt::LeftButton);
        const QPointer<QFileDialog> files = shownDialog<QFileDialog>("compareFileDialog");
        ASSERT_NE(files, nullptr);
        auto* const name = files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        ASSERT_NE(name, nullptr);
        name->setCompleter(nullptr);
        name->setText(path);
        QTest::keyClick(name, Qt::Key_Return);
        const QString words = QStringLiteral("B, %1: ").arg(QFileInfo(path).fileName());
        ASSERT_TRUE(until([&] {
            return view()->comparison() && view()->wordsOfB().startsWith(words);
        })) << view()->noteText().toStdString();
        EXPECT_EQ(cyclesOf(true), static_cast<double>(cycles));
        EXPECT_EQ(cyclesOf(false), static_cast<double>(snapshot()->design->cycles));
        ASSERT_TRUE(until([&] { return snapshot()->phase == session::Phase::Ready; }));
        ASSERT_TRUE(until([&] { return !files; })) << "the dialog is gone";
    }
    saveViewPicture(QStringLiteral("compare_file"));
}

TEST_F(CompareWindow, TheVerilogOfBothIsCompared) {
    runToEnd();
    const auto other = otherPoint();
    ASSERT_TRUE(other);
    const design::DesignPoint point = snapshot()->points[*other];
    window->tabs()->setCurrentWidget(view());
    view()->compareWith(point);
    ASSERT_TRUE(until([&] { return view()->comparison() != nullptr; }));
    QTabBar* const pages = view()->pages()->tabBar();
    QTest::mouseClick(pages, Qt::LeftButton, {}, pages->tabRect(pages->count() - 1).center());
    ASSERT_TRUE(until([&] { return view()->verilog()->difference() != nullptr; }))
        << view()->verilog()->message().toStdString();
    EXPECT_TRUE(std::ranges::any_of(view()->verilog()->difference()->files,
                                    [](const auto& file) { return !file.text.empty(); }));
    EXPECT_TRUE(view()->verilog()->lines()->toPlainText().startsWith(u"@@ "));
    saveViewPicture(QStringLiteral("compare_verilog"));
    window->post(session::ChoosePoint{point});
    ASSERT_TRUE(until([&] {
        const auto& difference = view()->verilog()->difference();
        return snapshot()->design->cycles == point.cycles && difference &&
               difference->a == snapshot()->design;
    }));
    for (const session::HdlFileDifference& file : view()->verilog()->difference()->files)
        EXPECT_EQ(file.text, "") << "A is now B: " << file.path;
}

TEST_F(CompareWindow, AFileOfAnotherProgramIsRefused) {
    window->openFile(QString::fromStdString(test::sourceFolder() + "/examples/lenet5/lenet5.mq"));
    ASSERT_TRUE(until([&] { return snapshot()->phase == session::Phase::Loaded; }));
    trigger(app::Act::Run);
    ASSERT_TRUE(until([&] { return snapshot()->phase == session::Phase::Ready; }));
    const QString other = write("lenet5.json", *snapshot());
    runToEnd();
    window->tabs()->setCurrentWidget(view());
    view()->compareWithFile(other);
    EXPECT_TRUE(until([&] {
        return view()->noteText().contains(QStringLiteral("A is a design of 'running_example', and "
                                                          "B one of 'lenet5'"));
    })) << view()->noteText().toStdString();
    EXPECT_EQ(view()->comparison(), nullptr);
    view()->compareWithFile(folder.filePath(QStringLiteral("none.json")));
    EXPECT_TRUE(until([&] {
        return view()->noteText().contains(QStringLiteral("none.json")) &&
               view()->noteText().startsWith(u'✕');
    })) << view()->noteText().toStdString();
    EXPECT_TRUE(until([&] { return snapshot()->phase == session::Phase::Ready; }));
    EXPECT_NE(snapshot()->design, nullptr);
}

TEST_F(CompareWindow, IsInTheViewMenuAndThePalette) {
    runToEnd();
    const auto listed = app::actionsOf(*window);
    const auto find = [&](const QString& text) -> QAction* {
        for (const app::ListedAction& each : listed)
            if (each.text == text)
                return each.action;
        return nullptr;
    };
    for (int tab = 0; tab < window->tabs()->count(); ++tab) {
        QAction* const show = find(QStringLiteral("Show %1").arg(window->tabs()->tabText(tab)));
        ASSERT_NE(show, nullptr) << window->tabs()->tabText(tab).toStdString();
        show->trigger();
        EXPECT_EQ(window->tabs()->currentIndex(), tab);
    }
    QAction* const keep = find(QStringLiteral("Keep A as B"));
    ASSERT_NE(keep, nullptr);
    ASSERT_TRUE(until([&] { return keep->isEnabled(); }));
    keep->trigger();
    EXPECT_NE(view()->comparison(), nullptr);
    EXPECT_NE(find(QStringLiteral("Compare with the Design of a File…")), nullptr);
}

TEST_F(CompareWindow, NothingOfItIsCutInTheSmallestWindow) {
    window->resize(1280, 800);
    runToEnd();
    const auto other = otherPoint();
    ASSERT_TRUE(other);
    window->tabs()->setCurrentWidget(view());
    view()->compareWith(snapshot()->points[*other]);
    ASSERT_TRUE(until([&] { return view()->comparison() != nullptr; }));
    QCoreApplication::processEvents();
    int seen = 0;
    for (const QAbstractButton* const each : view()->findChildren<QAbstractButton*>())
        if (each->isVisible() && !each->text().isEmpty()) {
            EXPECT_GE(each->width(), each->sizeHint().width()) << each->text().toStdString();
            ++seen;
        }
    EXPECT_GE(seen, 4);
    const QTabBar* const pages = view()->pages()->tabBar();
    EXPECT_GE(pages->width(), pages->sizeHint().width());
    savePicture(QStringLiteral("compare_1280"));
}

} // namespace marquetry::test
