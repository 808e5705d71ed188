// The Schedule in the window: of the design that was found, linked to the source both ways; and the
// tree of the modules that it becomes.
#include "window_fixture.h"

#include "engine/design/make_timetable.h"
#include "engine/session/explore.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/program/program_view.h"
#include "widgets/schedule/queue_lanes_widget.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/schedule/timetable_model.h"
#include "widgets/text/code_view.h"

#include <QRegularExpression>
#include <QSet>
#include <QTabBar>
#include <QTableView>
#include <QTextBlock>
#include <QTextCursor>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

#include <fstream>
#include <map>

namespace marquetry::test {

class ScheduleWindow : public EngineWindow {
protected:
    widgets::ScheduleView* view() { return window->findChild<widgets::ScheduleView*>(); }
    widgets::ProgramView* program() { return window->findChild<widgets::ProgramView*>(); }

    void showTab(QWidget* tab) {
        QTabBar* bar = window->tabs()->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, {},
                          bar->tabRect(window->tabs()->indexOf(tab)).center());
        ASSERT_EQ(window->tabs()->currentWidget(), tab);
    }
    void showSteps() {
        showTab(view());
        ASSERT_TRUE(until([&] {
            return snapshot()->timetable &&
                   view()->model()->rowCount() ==
                       static_cast<int>(snapshot()->timetable->steps.size());
        }));
    }
    void clickRow(int row) {
        const QModelIndex at = view()->table()->model()->index(row, 1);
        QTest::mouseClick(view()->table()->viewport(), Qt::LeftButton, {},
                          view()->table()->visualRect(at).center());
    }
    /// Of the first step of that kind.
    int rowOfKind(design::StepKind kind) {
        const auto& steps = snapshot()->timetable->steps;
        const auto at = std::ranges::find(steps, kind, &design::TimedStep::kind);
        return at == steps.end() ? -1 : static_cast<int>(at - steps.begin());
    }
    std::string textOfLine() {
        return program()->code()->textCursor().block().text().toStdString();
    }
};

TEST_F(ScheduleWindow, ShowsTheStepsOfTheDesignAndLeadsToTheSource) {
    runToEnd();
    showSteps();
    EXPECT_EQ(*snapshot()->timetable, design::makeTimetable(*snapshot()->design));
    const int call = rowOfKind(design::StepKind::Call);
    ASSERT_GE(call, 0);
    clickRow(call);
    const std::string layer = snapshot()->timetable->steps[static_cast<std::size_t>(call)].name;
    EXPECT_EQ(window->selection().subject(), widgets::Subject(widgets::LayerName{layer}));
    savePicture(QStringLiteral("schedule_window"));
    QTest::keyClick(view()->table(), Qt::Key_Return);
    EXPECT_TRUE(program()->code()->hasFocus());
    EXPECT_NE(textOfLine().find(layer), std::string::npos) << textOfLine();
    const int load = rowOfKind(design::StepKind::Load);
    ASSERT_GE(load, 0);
    clickRow(load);
    const std::string input = snapshot()->timetable->steps[static_cast<std::size_t>(load)].name;
    EXPECT_TRUE(widgets::isEmpty(window->selection().subject()));
    EXPECT_NE(textOfLine().find("input"), std::string::npos) << textOfLine();
    EXPECT_NE(textOfLine().find(input), std::string::npos) << textOfLine();
}

TEST_F(ScheduleWindow, ALineOfTheSourceComesBackToItsStep) {
    runToEnd();
    showSteps();
    const std::string layer = snapshot()->design->calls.front().layer;
    const int row = program()->layers()->rowOf(QString::fromStdString(layer));
    ASSERT_GE(row, 0);
    const int line = program()->layers()->rows()[static_cast<std::size_t>(row)].line;
    widgets::CodeView* code = program()->code();
    code->goTo(line);
    const QTextCursor cursor(code->document()->findBlockByNumber(line - 1));
    QTest::mouseClick(code->viewport(), Qt::LeftButton, {}, code->cursorRect(cursor).center());
    ASSERT_TRUE(view()->step().has_value());
    EXPECT_EQ(snapshot()->timetable->steps[*view()->step()].name, layer);
    EXPECT_EQ(view()->lanes()->marks().at, view()->step());
}

TEST_F(ScheduleWindow, IsOfAHeldDesignUntilSomethingIsSearched) {
    runToEnd();
    const app::SnapshotPtr found = snapshot();
    const QString design = folder.filePath(QStringLiteral("DESIGN.json"));
    std::ofstream(design.toStdString()) << session::designJson(
        *found->design, *found->program, session::DesignChoices{found->settings, found->pins});
    window->openFile(design);
    ASSERT_TRUE(until([&] { return snapshot()->heldAtHand; }));
    showSteps();
    EXPECT_EQ(*snapshot()->timetable, *found->timetable);
    EXPECT_EQ(snapshot()->design, nullptr);
}

namespace {

/// How often modules have others inside, by the lines that begin an instance.
std::map<std::string, int> instancesByLine(const std::vector<session::HdlFile>& files) {
    static const QRegularExpression start(
        QStringLiteral("^ *(\\w+)(?:\\s+#\\([^;]*?\\))?\\s+(\\w+)\\s*\\($"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression module(QStringLiteral("^module (\\w+)"),
                                           QRegularExpression::MultilineOption);
    QSet<QString> names;
    std::map<std::string, int> counts;
    for (const session::HdlFile& file : files)
        for (auto it = module.globalMatch(QString::fromStdString(file.text)); it.hasNext();)
            names.insert(it.next().captured(1));
    for (const session::HdlFile& file : files)
        for (auto it = start.globalMatch(QString::fromStdString(file.text)); it.hasNext();)
            if (const QString name = it.next().captured(1); names.contains(name))
                ++counts[name.toStdString()];
    return counts;
}

} // namespace

TEST_F(ScheduleWindow, TheModulesOfItsVerilogAreATree) {
    runToEnd();
    auto* hdl = window->findChild<widgets::HdlView*>();
    showTab(hdl);
    ASSERT_TRUE(
        until([&] { return snapshot()->hdl && hdl->moduleTree()->topLevelItemCount() > 0; }));
    const widgets::HdlModules modules = widgets::modulesOf(*snapshot()->hdl);
    EXPECT_EQ(widgets::topModules(modules).size(), 1U) << "all of it is below the top module";
    std::map<std::string, int> counts;
    for (const widgets::HdlModule& module : modules)
        for (const widgets::HdlInstance& instance : module.instances)
            ++counts[modules[instance.module].name.toStdString()];
    EXPECT_EQ(counts, instancesByLine(*snapshot()->hdl));
    for (QTreeWidgetItemIterator it(hdl->moduleTree()); *it; ++it)
        if (!(*it)->text(2).isEmpty()) {
            const QString module = (*it)->text(1);
            hdl->moduleTree()->setCurrentItem(*it);
            EXPECT_TRUE(hdl->code()->textCursor().block().text().contains(
                QStringLiteral("module ") + module))
                << module.toStdString() << " in " << hdl->currentFile().toStdString();
            break;
        }
    EXPECT_EQ(window->selection().linked().units.size(), 1U) << "the unit of the module";
    EXPECT_FALSE(window->selection().linked().layers.empty());
    savePicture(QStringLiteral("hdl_modules"));
}

} // namespace marquetry::test
