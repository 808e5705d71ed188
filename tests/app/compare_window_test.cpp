// Compare in the window: the designs of a real session, by the menus of the Ledger and the plot.
#include "window_fixture.h"

#include "widgets/compare/compare_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/pareto/pareto_view.h"

#include "engine/session/explore.h"

#include <QComboBox>
#include <QMenu>
#include <QTabBar>

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
    session::Settings settings = snapshot()->settings;
    settings.limits["dsp"] = 16;
    window->post(session::ChangeSettings{settings});
    ASSERT_TRUE(until([&] {
        return snapshot()->phase == session::Phase::Ready && snapshot()->settings == settings &&
               snapshot()->design && snapshot()->design->cycles != cycles;
    }));
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
    const QString design = folder.filePath(QStringLiteral("DESIGN.json"));
    std::ofstream(design.toStdString()) << session::designJson(
        *found->design, *found->program, session::DesignChoices{found->settings, found->pins});
    window->openFile(design);
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
        EXPECT_EQ(figure.value.a, figure.value.b) << figure.key;
}

} // namespace marquetry::test
