#include "window_fixture.h"

#include <QDockWidget>
#include <QTabWidget>

namespace marquetry::test {

class PerspectiveLayout : public WindowFixture {
protected:
    /// How small each part of the window can be.
    QString minima() const {
        QString text;
        const auto add = [&](const QString& name, const QWidget& widget) {
            const QSize least = widget.minimumSizeHint();
            text += QStringLiteral(" %1 %2×%3").arg(name).arg(least.width()).arg(least.height());
        };
        for (const QDockWidget* dock : window->docks().all())
            if (dock->isVisible())
                add(dock->objectName(), *dock);
        add(QStringLiteral("views"), *window->centralWidget());
        const auto* tabs = window->centralWidget()->findChild<QTabWidget*>();
        for (int k = 0; tabs && k < tabs->count(); ++k)
            add(tabs->tabText(k), *tabs->widget(k));
        return text;
    }
};

TEST_F(PerspectiveLayout, PerspectivesShowWhatTheyAreFor) {
    trigger(app::Act::ExportView);
    EXPECT_FALSE(window->docks().program->isVisible());
    EXPECT_TRUE(window->docks().log->isVisible());
    trigger(app::Act::Explore);
    EXPECT_TRUE(window->docks().program->isVisible());
    EXPECT_TRUE(window->docks().pareto->isVisible());
}

TEST_F(PerspectiveLayout, APerspectiveRemembersHowItWasLeft) {
    window->docks().program->hide();
    trigger(app::Act::Inspect);
    EXPECT_TRUE(window->docks().program->isVisible());
    trigger(app::Act::Explore);
    EXPECT_FALSE(window->docks().program->isVisible());
}

TEST_F(PerspectiveLayout, TheViewMenuBringsADockBack) {
    window->docks().program->close();
    EXPECT_FALSE(window->docks().program->isVisible());
    window->docks().program->toggleViewAction()->trigger();
    EXPECT_TRUE(window->docks().program->isVisible());
}

TEST_F(PerspectiveLayout, ResetPutsDocksBack) {
    window->docks().program->setFloating(true);
    window->docks().pareto->hide();
    trigger(app::Act::ResetLayout);
    EXPECT_FALSE(window->docks().program->isFloating());
    EXPECT_TRUE(window->docks().pareto->isVisible());
}

TEST_F(PerspectiveLayout, LayoutThemeAndPerspectiveSurviveTheProgram) {
    trigger(app::Act::Inspect);
    window->docks().pareto->hide();
    window->setDark(true);
    window->close();
    makeWindow();
    EXPECT_EQ(window->perspectives().current(), app::Perspective::Inspect);
    EXPECT_FALSE(window->docks().pareto->isVisible());
    EXPECT_TRUE(window->windowActions()[app::Act::Dark]->isChecked());
    window->setDark(false);
}

TEST_F(PerspectiveLayout, ADockThatFloatsStaysFloating) {
    window->docks().log->setFloating(true);
    window->close();
    makeWindow();
    EXPECT_TRUE(window->docks().log->isFloating());
}

// The frame of a window takes what a screen of 1280 × 800 has more.
TEST_F(PerspectiveLayout, EveryPerspectiveFitsASmallScreen) {
    openExample();
    for (const app::Act act : {app::Act::Explore, app::Act::Inspect, app::Act::ExportView}) {
        trigger(act);
        window->resize(1264, 752);
        QApplication::processEvents();
        EXPECT_LE(window->width(), 1264) << static_cast<int>(act) << minima().toStdString();
        EXPECT_LE(window->height(), 752) << static_cast<int>(act) << minima().toStdString();
    }
}

} // namespace marquetry::test
