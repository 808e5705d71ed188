// The pictures of README and guide, from the program as it is:
//
//   QT_QPA_PLATFORM=offscreen guide_pictures EXAMPLES FOLDER
//
// docs/guide/make_pictures calls it. A picture is taken when the window no longer changes. Exit 1
// when something that is to be shown does not come.
#include "tests/support/waits.h"

#include "app/application.h"
#include "app/export_dialog.h"
#include "app/main_window.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/graph_layout/layout_worker.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/memories/try_panel.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTreeView>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace marquetry::bench {
namespace {

using session::Phase;

[[noreturn]] void fail(const QString& what) {
    std::fprintf(stderr, "error: %s does not come\n", qPrintable(what));
    std::exit(1);
}

template <class Condition>
void waitUntil(Condition condition, const QString& what) {
    if (!test::waitFor(condition))
        fail(what);
}

/// The widget once two looks at it, a while apart, are equal.
QImage still(QWidget* widget) {
    constexpr int kApartMs = 800;
    constexpr int kMostLooks = 200;
    QImage before;
    for (int look = 0; look < kMostLooks; ++look) {
        if (QWidget* const focus = QApplication::focusWidget())
            focus->clearFocus(); // its cursor blinks
        test::passTimersOf(kApartMs);
        QImage now = widget->grab().toImage();
        if (now == before)
            return now;
        before = std::move(now);
    }
    fail(QStringLiteral("a picture that keeps still"));
}

class Guide {
public:
    Guide(const QString& examples, const QString& folder, QSize size)
        : examples_(examples), folder_(folder) {
        app::WindowParams params;
        params.port = &app::makeEnginePort;
        params.settingsFile = settings_.filePath(QStringLiteral("settings.ini"));
        params.examplesFolder = examples;
        window_ = std::make_unique<app::MainWindow>(params);
        window_->resize(size);
        window_->show();
    }

    app::SnapshotPtr snapshot() { return window_->bridge().snapshot(); }
    app::MainWindow& window() { return *window_; }

    template <class View>
    View* view() {
        return window_->findChild<View*>();
    }
    template <class View>
    void show() {
        window_->tabs()->setCurrentWidget(view<View>());
    }

    void open(const QString& path, const QString& item = {}) {
        window_->openItem(examples_ + u'/' + path, item);
        waitUntil([&] { return snapshot()->phase != Phase::Empty; }, path);
    }
    void explore(const QString& path) {
        open(path);
        waitUntil([&] { return snapshot()->phase == Phase::Loaded; }, path);
        run();
    }
    void run() {
        window_->windowActions()[app::Act::Run]->trigger();
        waitUntil([&] { return snapshot()->phase == Phase::Ready && snapshot()->design; },
                  QStringLiteral("a design"));
    }
    void runOn(const char* device) {
        session::Settings settings = snapshot()->settings;
        settings.device = device;
        window_->post(session::ChangeSettings{settings});
        waitUntil([&] { return snapshot()->device.id == device; }, QStringLiteral("the device"));
        run();
    }
    /// Docks that say nothing about what is shown.
    void hideDocks() {
        for (QDockWidget* dock : {window_->docks().pareto, window_->docks().progress,
                                  window_->docks().rules, window_->docks().inspector})
            dock->hide();
    }

    void save(const QString& name, QWidget* widget = nullptr) {
        const QString path = folder_ + u'/' + name + QStringLiteral(".png");
        if (!still(widget != nullptr ? widget : window_.get()).save(path))
            fail(path);
        std::printf("wrote %s\n", qPrintable(path));
    }

private:
    QString examples_;
    QString folder_;
    QTemporaryDir settings_;
    std::unique_ptr<app::MainWindow> window_;
};

const QSize kSize(1600, 1000);

void vggPictures(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.explore(QStringLiteral("vgg_cifar/vgg_cifar.mq"));
    guide.show<widgets::EGraphView>();
    guide.save(QStringLiteral("window"));
    guide.show<widgets::SharingView>();
    guide.save(QStringLiteral("sharing"));

    const std::shared_ptr<const design::Design> design = guide.snapshot()->design;
    const std::string unit = design->units.front().name;
    guide.window().selection().select(design->calls.at(2).id);
    waitUntil([&] { return !guide.snapshot()->proofs.empty(); }, QStringLiteral("a proof"));
    QDockWidget* const inspector = guide.window().docks().inspector;
    inspector->setFloating(true);
    inspector->resize(460, 700);
    guide.save(QStringLiteral("inspector"), guide.view<widgets::InspectorView>());
    inspector->setFloating(false);

    guide.window().selection().select(design->units.front().id);
    guide.window().post(session::AskWhatIf{design::Pin{0, design::PinKind::NeverShare, unit, {}}});
    waitUntil([&] { return guide.snapshot()->whatIf && !guide.snapshot()->whatIf->running; },
              QStringLiteral("what if"));
    guide.save(QStringLiteral("what_if"));
    guide.window().post(session::AskWhatIf{});
    guide.window().selection().clear();

    guide.show<widgets::MemoriesView>();
    guide.hideDocks();
    waitUntil([&] { return !guide.snapshot()->memories.empty(); }, QStringLiteral("buffers"));
    guide.window().post(session::ShowMemory{"c1_1"});
    waitUntil([&] { return guide.snapshot()->memories[guide.snapshot()->memory].ready(); },
              QStringLiteral("the banks of a buffer"));
    guide.save(QStringLiteral("memories_vgg"));

    guide.window().selection().select(design->calls.at(9).id);
    guide.show<widgets::LedgerView>();
    guide.save(QStringLiteral("ledger"));
}

void networkPicture(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("networks/ds_cnn.onnx"));
    guide.runOn("xc7z020");
    guide.show<widgets::SharingView>();
    guide.window().selection().select(guide.snapshot()->design->calls.at(2).id);
    waitUntil([&] { return !guide.snapshot()->proofs.empty(); }, QStringLiteral("a proof"));
    guide.save(QStringLiteral("network"));
}

void streamUnitPicture(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("lenet5/lenet5.mq"));
    session::Settings settings = guide.snapshot()->settings;
    settings.device = "xc7k160t";
    settings.limits["dsp"] = 64;
    guide.window().post(session::ChangeSettings{settings});
    waitUntil(
        [&] {
            return guide.snapshot()->phase == Phase::Loaded &&
                   guide.snapshot()->device.id == "xc7k160t";
        },
        QStringLiteral("the settings"));
    guide.run();
    guide.show<widgets::SharingView>();
    guide.window().selection().select(guide.snapshot()->design->units.front().id);
    guide.save(QStringLiteral("stream_unit"));
}

/// The fastest design beside the fastest with half as many DSP blocks.
void comparePicture(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("lenet5/lenet5.mq"));
    guide.runOn("xc7z020");
    const app::SnapshotPtr found = guide.snapshot();
    std::optional<design::DesignPoint> smaller;
    for (const design::DesignPoint& point : found->points)
        if (point.onFront && point.feasible &&
            2 * point.resources.dsp <= found->design->resources.dsp &&
            (!smaller || point.cycles < smaller->cycles))
            smaller = point;
    if (!smaller)
        fail(QStringLiteral("a smaller design"));
    guide.show<widgets::CompareView>();
    guide.hideDocks();
    auto* const compare = guide.view<widgets::CompareView>();
    compare->compareWith(*smaller);
    waitUntil([&] { return compare->comparison() != nullptr; }, QStringLiteral("a comparison"));
    guide.save(QStringLiteral("compare"));
}

/// The rules by group, and the card of one of them.
void rulesPictures(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("lenet5/lenet5.mq"));
    guide.runOn("xc7z020");
    guide.window().selection().select(widgets::RuleName{"R-TILE-MV"});
    auto* const rules = guide.view<widgets::RulesView>();
    QDockWidget* const list = guide.window().docks().rules;
    list->setFloating(true);
    list->resize(720, 560);
    rules->tree()->resizeColumnToContents(0);
    guide.save(QStringLiteral("rules"), rules);
    QDockWidget* const card = guide.window().docks().inspector;
    card->setFloating(true);
    card->resize(520, 900);
    guide.save(QStringLiteral("rule_card"), guide.view<widgets::InspectorView>());
}

/// The front with the designs that are not on it.
void paretoPicture(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("lenet5/lenet5.mq"));
    guide.runOn("xc7z020");
    QDockWidget* const pareto = guide.window().docks().pareto;
    pareto->setFloating(true);
    pareto->resize(900, 560);
    guide.save(QStringLiteral("pareto"), guide.view<widgets::ParetoView>());
}

void streamPictures(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("streams/camera/camera.mq"), QStringLiteral("camera_1080p"));
    guide.show<widgets::StreamsView>();
    guide.hideDocks();
    waitUntil(
        [&] {
            const app::SnapshotPtr snapshot = guide.snapshot();
            if (snapshot->streams.empty())
                return false;
            const session::StreamItem& item = snapshot->streams[snapshot->stream];
            return item.schedule && item.states && !item.scheduling && !item.sweeping;
        },
        QStringLiteral("all throughputs"));
    guide.save(QStringLiteral("streams"));
    guide.show<widgets::EGraphView>();
    guide.save(QStringLiteral("streams_states"));
}

void memoryPictures(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("memories/memories.mq"), QStringLiteral("sobel"));
    guide.show<widgets::MemoriesView>();
    guide.hideDocks();
    const auto item = [&]() -> const session::MemoryItem& {
        return guide.snapshot()->memories.at(guide.snapshot()->memory);
    };
    waitUntil([&] { return !guide.snapshot()->memories.empty() && item().ready(); },
              QStringLiteral("banks"));
    guide.save(QStringLiteral("memories"));
    auto* const memories = guide.view<widgets::MemoriesView>();
    widgets::TryPanel* const panel = memories->tryPanel();
    memories->pages()->setCurrentWidget(panel);
    panel->banks()->setText(QStringLiteral("9"));
    panel->alpha()->setText(QStringLiteral("1, 2"));
    panel->copies()->setValue(1);
    panel->tryButton()->click();
    waitUntil([&] { return item().attempt && item().attempt->witness; },
              QStringLiteral("a conflict"));
    guide.save(QStringLiteral("memories_conflict"));
}

void exportPicture(const QString& examples, const QString& folder) {
    Guide guide(examples, folder, kSize);
    guide.open(QStringLiteral("lenet5/lenet5.mq"));
    guide.runOn("xc7z020");
    guide.window().windowActions()[app::Act::Export]->trigger();
    auto* const dialog = guide.view<app::ExportDialog>();
    const auto choose = [&](const char* field, const char* value) {
        auto* const box = dialog->findChild<QComboBox*>(QLatin1String(field));
        box->setCurrentIndex(box->findData(QString::fromLatin1(value)));
    };
    choose("exportTarget", "vivado");
    choose("exportInterface", "axi");
    choose("exportBoard", "pynq-z2");
    dialog->findChild<QLineEdit*>(QStringLiteral("exportFolder"))
        ->setText(QStringLiteral("lenet5_pynq"));
    waitUntil(
        [&] { return dialog->findChild<QListWidget*>(QStringLiteral("exportFiles"))->count() > 0; },
        QStringLiteral("the files of the export"));
    guide.save(QStringLiteral("export"), dialog);
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    // The graph view runs its own executable as the layout worker.
    if (argc == 2 && std::strcmp(argv[1], marquetry::widgets::kLayoutWorkerFlag) == 0)
        return marquetry::widgets::runLayoutWorker();
    QLocale::setDefault(QLocale::c());
    marquetry::app::Application application(argc, argv);
    if (argc != 3) {
        std::fputs("usage: guide_pictures EXAMPLES FOLDER\n", stderr);
        return 2;
    }
    marquetry::widgets::loadFonts();
    marquetry::widgets::applyTheme(application, marquetry::widgets::lightTheme());
    const QString examples = QString::fromLocal8Bit(argv[1]);
    const QString folder = QString::fromLocal8Bit(argv[2]);
    QDir().mkpath(folder);
    marquetry::bench::vggPictures(examples, folder);
    marquetry::bench::networkPicture(examples, folder);
    marquetry::bench::streamUnitPicture(examples, folder);
    marquetry::bench::comparePicture(examples, folder);
    marquetry::bench::rulesPictures(examples, folder);
    marquetry::bench::paretoPicture(examples, folder);
    marquetry::bench::streamPictures(examples, folder);
    marquetry::bench::memoryPictures(examples, folder);
    marquetry::bench::exportPicture(examples, folder);
    return 0;
}
