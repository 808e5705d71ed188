#include "window_fixture.h"

#include <QDockWidget>
#include <QTabWidget>

namespace marquetry::test {

class PerspectiveLayout : public WindowFixture {};

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

} // namespace marquetry::test
