#include "app/render.h"

#include "app/cli/cli.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/printable_stream.h"
#include "app/cli/report.h"
#include "engine/design/compare.h"
#include "engine/session/explore.h"
#include "engine/session/file_design.h"
#include "engine/support/failure.h"
#include "widgets/canvas/picture.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QEventLoop>
#include <QTimer>

#include <cmath>
#include <iostream>

namespace marquetry::app {

namespace {

using SnapshotPtr = std::shared_ptr<const session::Snapshot>;

constexpr int kWidth = 1400;
constexpr int kHeight = 900;
constexpr int kLayoutMs = 20'000;

struct ComparedFiles {
    std::string a;
    std::string b;
    std::string out;
    bool force = false;
};

struct Options {
    cli::ExploreOptions explore;
    std::string view;
    std::string out;
    bool force = false;
};

Status drawEgraph(const SnapshotPtr& snapshot, const QString& out) {
    widgets::SelectionModel selection;
    selection.setSnapshot(snapshot);
    widgets::EGraphView view(&selection);
    view.resize(kWidth, kHeight);
    QEventLoop loop;
    QObject::connect(&view, &widgets::EGraphView::layoutChanged, &loop, &QEventLoop::quit);
    QTimer::singleShot(kLayoutMs, &loop, &QEventLoop::quit);
    view.show();
    view.setSnapshot(snapshot);
    loop.exec();
    return view.exportTo(out);
}

/// A view of the selection that shows its snapshot at once.
template <class View>
Status drawSelected(const SnapshotPtr& snapshot, const QString& out) {
    widgets::SelectionModel selection;
    selection.setSnapshot(snapshot);
    View view(&selection);
    view.resize(kWidth, kHeight);
    view.show();
    view.setSnapshot(snapshot);
    return view.exportTo(out);
}

Status drawPareto(const SnapshotPtr& snapshot, const QString& out) {
    widgets::ParetoView view;
    view.resize(kWidth, kHeight);
    view.show();
    view.setSnapshot(snapshot);
    return view.exportTo(out);
}

Status draw(const SnapshotPtr& snapshot, const Options& options) {
    const QString out = QString::fromStdString(options.out);
    if (options.view == "egraph")
        return drawEgraph(snapshot, out);
    if (options.view == "sharing")
        return drawSelected<widgets::SharingView>(snapshot, out);
    if (options.view == "ledger")
        return drawSelected<widgets::LedgerView>(snapshot, out);
    if (options.view == "schedule")
        return drawSelected<widgets::ScheduleView>(snapshot, out);
    return drawPareto(snapshot, out);
}

/// Looked at before the work: a picture of somebody else's, or no picture at all. `inputs`: files
/// that it reads.
Status checkPicture(const std::string& out, const std::vector<std::string>& inputs, bool force) {
    files::Replace rule;
    rule.kind = "a picture that Marquetry wrote";
    rule.isOfKind = [](std::string_view bytes) {
        return widgets::isOurPicture(bytes) || widgets::EGraphView::isText(bytes) ||
               widgets::SharingView::isText(bytes) || widgets::LedgerView::isText(bytes) ||
               widgets::ScheduleView::isText(bytes) || widgets::CompareView::isText(bytes) ||
               bytes.starts_with(widgets::paretoCsv({}).toStdString());
    };
    rule.inputs = inputs;
    rule.force = force;
    return files::check(out, rule);
}

/// As if A had been opened.
std::shared_ptr<session::Snapshot> shownAtHand(const ComparedFiles& files,
                                               const session::FileDesign& a) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->file = files.a;
    auto held = std::make_shared<session::HeldDesign>();
    held->path = files.a;
    held->design = a.design;
    snapshot->held = held;
    snapshot->heldAtHand = true;
    snapshot->ledger = a.ledger;
    snapshot->lowerBound = std::llround(a.bound.value_or(0));
    return snapshot;
}

int renderComparison(const ComparedFiles& files) {
    if (const Status free = checkPicture(files.out, {files.a, files.b}, files.force); !free)
        return cli::fail(free.error(), false);
    const auto a = session::readFileDesign(files.a);
    if (!a)
        return cli::fail(a.error(), false);
    const auto b = session::readFileDesign(files.b);
    if (!b)
        return cli::fail(b.error(), false);
    std::cerr << format(a->warnings) << format(b->warnings);
    const auto compared = design::compareDesigns({"A", *a->design, *a->ledger, a->bound},
                                                 {"B", *b->design, *b->ledger, b->bound});
    if (!compared)
        return cli::fail(compared.error(), false);
    widgets::SelectionModel selection;
    widgets::CompareView view(&selection);
    view.resize(kWidth, kHeight);
    view.show();
    const auto shown = shownAtHand(files, *a);
    view.setSnapshot(shown);
    view.compareWithFile(QString::fromStdString(files.b));
    const auto answered = std::make_shared<session::Snapshot>(*shown);
    answered->besideFile = session::BesideFile{
        1, files.b, false, b->design, b->ledger, b->program, b->bound, b->warnings, {}};
    view.setSnapshot(answered);
    if (const Status drawn = view.exportTo(QString::fromStdString(files.out)); !drawn)
        return cli::fail(drawn.error(), false);
    std::cout << "wrote " << files.out << "\n";
    return cli::kDone;
}

/// Arguments are read, then there is an application to draw with.
template <class Draw>
int runDrawer(int argc, char** argv, CLI::App& command, const char* doing, Draw drawing) {
    const cli::PrintableStream output(std::cout);
    const cli::PrintableStream errors(std::cerr);
    try {
        command.parse(argc - 1, argv + 1);
    } catch (const CLI::ParseError& error) {
        return command.exit(error) == 0 ? cli::kDone : cli::kInputError;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    int one = 1; // the other arguments are ours, not Qt's
    QApplication application(one, argv);
    widgets::loadFonts();
    widgets::applyTheme(application, widgets::lightTheme());
    try {
        return drawing();
    } catch (...) {
        std::cerr << format(failureOf(doing));
        return cli::kInternalError;
    }
}

int render(Options options, const CLI::App& command) {
    const auto input = cli::readInput(options.explore, command);
    if (!input)
        return cli::fail(input.error(), false);
    if (const Status free = checkPicture(options.out, input->files, options.force); !free)
        return cli::fail(free.error(), false);
    auto found = session::exploreToShow(input->program, input->settings, input->pins);
    if (!found)
        return cli::fail(found.error(), false);
    const auto snapshot = std::make_shared<const session::Snapshot>(*std::move(found));
    if (!snapshot->design) {
        std::cerr << format(snapshot->infeasible);
        return cli::kAnswerIsNo;
    }
    const Status drawn = draw(snapshot, options);
    if (!drawn)
        return cli::fail(drawn.error(), false);
    std::cout << "wrote " << options.out << "\n";
    return cli::kDone;
}

int drawExploration(int argc, char** argv) {
    Options options;
    CLI::App command("Draw a view of an exploration", "marquetry explore");
    cli::addExploreOptions(command, options.explore);
    command.add_option("--render", options.view, "egraph, sharing, ledger, schedule or pareto")
        ->required()
        ->check(CLI::IsMember({"egraph", "sharing", "ledger", "schedule", "pareto"}));
    command.add_option("--out", options.out, "picture to write")->required();
    cli::addForceOption(command, options.force);
    return runDrawer(argc, argv, command, "drawing an exploration",
                     [&] { return render(options, command); });
}

int drawComparison(int argc, char** argv) {
    ComparedFiles files;
    std::string view;
    CLI::App command("Draw a comparison of two designs", "marquetry compare");
    command.add_option("A", files.a, "as without --render")->required();
    command.add_option("B", files.b, "as without --render")->required();
    command.add_option("--render", view, "compare")->required()->check(CLI::IsMember({"compare"}));
    command.add_option("--out", files.out, "picture to write")->required();
    cli::addForceOption(command, files.force);
    return runDrawer(argc, argv, command, "drawing a comparison",
                     [&] { return renderComparison(files); });
}

using Drawer = int (*)(int, char**);

Drawer drawerOf(std::string_view command) {
    if (command == "explore")
        return drawExploration;
    return command == "compare" ? drawComparison : nullptr;
}

} // namespace

bool asksForPicture(int argc, const char* const* argv) {
    if (argc < 2 || !drawerOf(argv[1]))
        return false;
    for (int k = 2; k < argc; ++k)
        if (std::string_view(argv[k]).starts_with("--render"))
            return true;
    return false;
}

int runRender(int argc, char** argv) {
    return drawerOf(argv[1])(argc, argv);
}

} // namespace marquetry::app
