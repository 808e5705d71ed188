// A DESIGN.json in the window.
#include "app/session_keeper.h"
#include "window_fixture.h"

#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "widgets/program/program_view.h"

#include <QDragEnterEvent>
#include <QDropEvent>
#include <QListWidget>
#include <QMimeData>

#include <fstream>

namespace marquetry::test {

namespace {

void dropOn(QWidget& window, const QString& file) {
    QMimeData dropped;
    dropped.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent event({9, 9}, Qt::CopyAction, &dropped, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

} // namespace

/// Dropped on the window, a DESIGN.json brings its program, its device and its pins; what has
/// changed since is said beside the program.
TEST_F(EngineWindow, TakesADesignThatIsDroppedOnIt) {
    const std::string program = folder.filePath(QStringLiteral("d.mq")).toStdString();
    const QString design = folder.filePath(QStringLiteral("DESIGN.json"));
    const std::string text = "design d { input a : i8[8] = random(seed: 1);"
                             "weight v : i8[4, 8] = random(seed: 5); output y = mv(v, a); }";
    std::ofstream(program) << text;
    session::Settings settings;
    settings.device = "xcu250";
    const auto parsed = frontend::parseFile(program);
    ASSERT_TRUE(parsed);
    const auto explored = session::explore(
        std::make_shared<const ir::Program>(parsed->programs.front()), settings, {});
    ASSERT_TRUE(explored);
    std::ofstream(design.toStdString())
        << session::designJson(*explored->extraction.design, *explored->program, explored->choices);
    std::ofstream(program) << text << "// the same\n";
    dropOn(*window, design);
    ASSERT_TRUE(until([&] { return snapshot()->device.id == "xcu250"; }));
    EXPECT_EQ(snapshot()->file, program);
    EXPECT_TRUE(snapshot()->diagnostics.empty());
    auto* const list = window->findChild<widgets::ProgramView*>()->diagnosticList();
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->count(), 0);
    ASSERT_TRUE(window->keeper().save(folder.filePath(QStringLiteral("one.mqs"))));
    std::ofstream(program) << "design d { input a : i8[8] = random(seed: 1);"
                              "weight v : i8[4, 8] = random(seed: 6); output y = mv(v, a); }";
    dropOn(*window, design);
    ASSERT_TRUE(until([&] { return list->count() == 1; }));
    EXPECT_TRUE(list->item(0)->text().contains(QStringLiteral("has changed since")))
        << list->item(0)->text().toStdString();
    EXPECT_TRUE(until([&] { return window->keeper().path().isEmpty(); }))
        << "it is another session of the program, which is not saved over the one that was open";
    EXPECT_FALSE(window->isWindowModified());
}

} // namespace marquetry::test
