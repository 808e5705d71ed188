// What pictures of large things take to lay out and paint (processor time), and how long an event
// waits in the window while the engine explores (wall clock), beside their goals.
//
//   QT_QPA_PLATFORM=offscreen window_times EXAMPLES
#include "tests/app/probe.h"
#include "tests/bench/goals.h"
#include "tests/support/waits.h"
#include "tests/widgets/memories/bank_pictures.h"
#include "tests/widgets/random_graph.h"
#include "tests/widgets/snapshot_fixture.h"

#include "app/main_window.h"
#include "widgets/canvas/scene_painter.h"
#include "widgets/egraph/egraph_scene.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QTemporaryDir>

#include <cstring>

namespace marquetry::bench {
namespace {

using session::Phase;

std::string text(const std::vector<std::int64_t>& dims) {
    std::string text;
    for (const std::int64_t extent : dims)
        text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return text;
}

std::string cellsText(double cell) {
    return cell > 0 ? "cells of " + std::to_string(cell).substr(0, 4) + " pixels" : "all of it";
}

void banks() {
    using namespace widgets;
    for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{
             {1080, 1920}, {std::int64_t{1} << 31}, {46340, 46340}, {128, 16, 1024, 1024}}) {
        const BankPicture picture = pictureOf(dims);
        for (const double cell : {0.0, 0.7, 3.0, 6.0, 15.0, 16.0, 30.0, 44.0}) {
            const BankView view = middleView(picture, cell);
            report("banks of [" + text(dims) + "], " + cellsText(cell),
                   test::leastEffortOf(5, [&] { (void)painted(picture, view, lightTheme()); }),
                   0.05);
        }
    }
}

void graphs() {
    using namespace widgets;
    const LayeredGraph graph = randomGraph(100'000, 130'000);
    report("layered layout of 100 000 blocks",
           test::leastEffortOf(3, [&] { (void)layeredLayout(graph); }), 5);
    const auto snapshot = test::bigSnapshot(100'000);
    const SnapshotIndex index(snapshot);
    Overview overview;
    OverviewMemory memory;
    report("overview of 100 000 e-classes",
           test::effortOf([&] { overview = overviewScene(index, memory); }), 5);
    QImage image(1280, 800, QImage::Format_RGB32);
    report("painting that", test::effortOf([&] {
               QPainter painter(&image);
               paint(painter, *overview.scene,
                     Viewport::fitting(overview.scene->bounds(), image.size()), lightTheme());
           }),
           1);
}

void latency(const QString& examples) {
    const QTemporaryDir folder;
    app::WindowParams params;
    params.port = &app::makeEnginePort;
    params.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    params.examplesFolder = examples;
    app::MainWindow window(params);
    window.resize(1600, 1000);
    window.show();
    const auto reach = [&window](Phase phase) {
        return test::waitFor([&] { return window.bridge().snapshot()->phase == phase; });
    };
    window.openFile(examples + QStringLiteral("/vgg_cifar/vgg_cifar.mq"));
    reach(Phase::Loaded);
    test::Probe probe;
    while (probe.count() < 400) {
        window.windowActions()[app::Act::Run]->trigger();
        reach(Phase::Ready);
        window.windowActions()[app::Act::Reload]->trigger();
        reach(Phase::Loaded);
    }
    const test::Span due = Figures::span(1e-3 * test::Probe::kEveryMs);
    report("an event while VGG is explored: 95 % wait less", probe.quantile(0.95) - due, 0.05);
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    using namespace marquetry;
    // The graph view runs its own executable as the layout worker.
    if (argc == 2 && std::strcmp(argv[1], widgets::kLayoutWorkerFlag) == 0)
        return widgets::runLayoutWorker();
    QApplication application(argc, argv);
    if (argc < 2) {
        std::fprintf(stderr, "usage: window_times EXAMPLES\n");
        return 2;
    }
    widgets::loadFonts();
    widgets::applyTheme(application, widgets::lightTheme());
    bench::banks();
    bench::graphs();
    bench::latency(QString::fromLocal8Bit(argv[1]));
    return 0;
}
