// What pictures of large things take to lay out and paint (processor time), how long an event waits
// in the window while the engine explores, or grows an e-graph of more than 100 000 e-nodes (wall
// clock), how long the first picture of a million takes, and what memory the process has had by
// then, beside their goals.
//
//   QT_QPA_PLATFORM=offscreen window_times EXAMPLES
#include "tests/app/probe.h"
#include "tests/bench/goals.h"
#include "tests/support/waits.h"
#include "tests/widgets/memories/bank_pictures.h"
#include "tests/widgets/random_graph.h"
#include "tests/widgets/snapshot_fixture.h"
#include "tests/widgets/workload_snapshot.h"

#include "app/main_window.h"
#include "widgets/canvas/scene_painter.h"
#include "widgets/egraph/egraph_scene.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QTabWidget>
#include <QTemporaryDir>

#include <cstring>
#include <mutex>
#include <thread>

#include <sys/resource.h>

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

/// Saturates math-micro again and again, at most 183 270 e-nodes, and shows an e-graph that has
/// more than 100 000 whenever it is asked to, between two iterations as a session does.
class Workhorse : public app::SessionPort {
public:
    explicit Workhorse(session::Session::Callbacks callbacks)
        : callbacks_(std::move(callbacks)), thread_([this](std::stop_token stop) { work(stop); }) {}

    session::Ticket post(session::Command) override {
        callbacks_.acknowledged({++tickets_, true, {}, 0});
        return tickets_;
    }
    void requestSnapshot() override { wanted_ = true; }
    std::shared_ptr<const session::Snapshot> latest() const override {
        const std::lock_guard lock(mutex_);
        return latest_;
    }
    std::size_t shown() const { return shown_; }

private:
    static constexpr std::size_t kLeastEnodes = 100'000;

    void work(const std::stop_token& stop) {
        const auto workload = egraph::makeWorkload("math-micro");
        egraph::SaturationParams params;
        params.maxIterations = 50;
        params.scheduler = egraph::Scheduler::Backoff;
        while (!stop.stop_requested()) {
            egraph::EGraph graph((*workload).language);
            egraph::addTerms(graph, *workload);
            std::vector<egraph::Iteration> iterations;
            egraph::saturate(graph, (*workload).rules, params, stop,
                             [&](const egraph::EGraph& now, const egraph::Iteration& iteration) {
                                 iterations.push_back(iteration);
                                 if (iteration.enodes >= kLeastEnodes && wanted_.exchange(false))
                                     publish(test::workloadSnapshot(*workload, now, iterations));
                             });
        }
    }
    void publish(std::shared_ptr<session::Snapshot> snapshot) {
        snapshot->epoch = ++epoch_;
        ++shown_;
        {
            const std::lock_guard lock(mutex_);
            latest_ = std::move(snapshot);
        }
        callbacks_.snapshotReady();
    }

    session::Session::Callbacks callbacks_;
    mutable std::mutex mutex_;
    std::shared_ptr<const session::Snapshot> latest_ = std::make_shared<session::Snapshot>();
    std::atomic<bool> wanted_ = false;
    std::atomic<std::size_t> shown_ = 0;
    session::Ticket tickets_ = 0;
    std::uint64_t epoch_ = 0;
    std::jthread thread_;
};

void latencyOfGrowth() {
    const QTemporaryDir folder;
    Workhorse* horse = nullptr;
    app::WindowParams params;
    params.port = [&horse](session::Session::Callbacks callbacks) {
        auto made = std::make_unique<Workhorse>(std::move(callbacks));
        horse = made.get();
        return made;
    };
    params.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    app::MainWindow window(params);
    window.resize(1600, 1000);
    window.show();
    window.tabs()->setCurrentWidget(window.findChild<widgets::EGraphView*>());
    test::waitFor([&] { return horse->shown() > 0; });
    test::Probe probe;
    test::waitFor([&] { return probe.count() >= 2000; });
    const test::Span due = Figures::span(1e-3 * test::Probe::kEveryMs);
    report("an event while 10^5 e-nodes grow (" + std::to_string(horse->shown()) +
               " pictures): 95 % wait less",
           probe.quantile(0.95) - due, 0.05);
    report("the same, 99 %", probe.quantile(0.99) - due, 0.2);
}

/// Shows nothing until it is given a snapshot.
class Showcase : public app::SessionPort {
public:
    explicit Showcase(session::Session::Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

    session::Ticket post(session::Command) override {
        callbacks_.acknowledged({++tickets_, true, {}, 0});
        return tickets_;
    }
    void requestSnapshot() override {}
    std::shared_ptr<const session::Snapshot> latest() const override { return latest_; }
    void show(std::shared_ptr<session::Snapshot> snapshot) {
        snapshot->epoch = 1;
        latest_ = std::move(snapshot);
        callbacks_.snapshotReady();
    }

private:
    session::Session::Callbacks callbacks_;
    std::shared_ptr<const session::Snapshot> latest_ = std::make_shared<session::Snapshot>();
    session::Ticket tickets_ = 0;
};

/// From the snapshot in hand to the painted window, with all docks, and what memory the process has
/// taken by then, the saturation included.
void firstPicture() {
    const QTemporaryDir folder;
    Showcase* showcase = nullptr;
    app::WindowParams params;
    params.port = [&showcase](session::Session::Callbacks callbacks) {
        auto made = std::make_unique<Showcase>(std::move(callbacks));
        showcase = made.get();
        return made;
    };
    params.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
    app::MainWindow window(params);
    window.resize(1600, 1000);
    window.show();
    auto* const view = window.findChild<widgets::EGraphView*>();
    window.tabs()->setCurrentWidget(view);
    test::waitForExposed(&window);
    const std::shared_ptr<session::Snapshot> snapshot = test::mathMicro(11);
    const auto isPainted = [&] {
        const std::size_t blocks = view->canvas()->scene().boxes.size();
        return blocks > 0 && view->canvas()->paintStats().boxes >= blocks; // frames are among those
    };
    const test::Span before = test::now();
    showcase->show(snapshot);
    test::waitFor(isPainted);
    report("first picture of " + std::to_string(snapshot->egraph->enodeCount()) + " e-nodes, as " +
               std::to_string(view->canvas()->scene().boxes.size()) + " blocks",
           test::now() - before, 1);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const double megabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
    std::printf("%-62s %10.1f MB   goal %8.0f MB%s\n", "memory of the process, at its peak",
                megabytes, 1000.0, megabytes > 1000 ? "   ABOVE" : "");
    std::fflush(stdout);
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
    bench::firstPicture(); // comes first: the memory is that of it alone
    bench::banks();
    bench::graphs();
    bench::latency(QString::fromLocal8Bit(argv[1]));
    bench::latencyOfGrowth();
    return 0;
}
