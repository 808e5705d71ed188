#include "app/render.h"

#include "app/cli/bank_pins.h"
#include "app/cli/cli.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/printable_stream.h"
#include "app/cli/report.h"
#include "app/cli/stream_schedule.h"
#include "app/drawn_item.h"
#include "app/drawn_views.h"
#include "engine/design/compare.h"
#include "engine/device/device_file.h"
#include "engine/session/explore.h"
#include "engine/session/file_design.h"
#include "engine/support/failure.h"
#include "widgets/canvas/picture.h"
#include "widgets/compare/compare_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QFile>

#include <cmath>
#include <iostream>

namespace marquetry::app {

namespace {

constexpr int kWidth = 1400;
constexpr int kHeight = 900;

struct ComparedFiles {
    std::string a;
    std::string b;
    std::string out;
    bool force = false;
};

/// What every command that draws an item takes.
struct Drawing {
    std::string view;
    std::string subject;
    std::string out;
    bool force = false;
};

struct ExploreDrawing : Drawing {
    cli::ExploreOptions explore;
};

struct ScheduleDrawing : Drawing {
    cli::ScheduleOptions schedule;
};

struct BankDrawing : Drawing {
    std::string file;
    std::string item;
    std::string device = device::kDefaultDevice;
    cli::BankPinOptions pins;
};

/// Looked at before the work: a picture of somebody else's, or no picture at all. `inputs`: files
/// that it reads.
Status checkPicture(const std::string& out, const std::vector<std::string>& inputs, bool force) {
    files::Replace rule;
    rule.kind = "a picture that Marquetry wrote";
    rule.isOfKind = [](std::string_view bytes) {
        return widgets::isOurPicture(bytes) || isTextOfView(bytes);
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

int told(const Status& drawn, const std::string& out) {
    if (!drawn)
        return cli::fail(drawn.error(), false);
    std::cout << "wrote " << out << "\n";
    return cli::kDone;
}

int noDesign(const session::Snapshot& snapshot) {
    std::cerr << format(snapshot.infeasible);
    return cli::kAnswerIsNo;
}

/// What a session works out for the view, drawn.
int drawWorkedOut(const DrawnView& view, DrawnItem item, const Drawing& drawing) {
    item.view = drawing.view;
    item.subject = drawing.subject;
    const QString out = QFile::decodeName(drawing.out.c_str());
    if (!view.draw) {
        const auto shown = drawWindow(item, out);
        if (shown && item.kind == frontend::ItemKind::Design && !(*shown)->design)
            return noDesign(**shown);
        return told(shown ? ok() : Status(shown.error()), drawing.out);
    }
    SessionBridge bridge(&makeEnginePort);
    bridge.setWatching(true);
    DrivenSession session(bridge,
                          [&](const session::Command& command) { return bridge.post(command); });
    if (const Status worked = workOut(session, item); !worked)
        return cli::fail(worked.error(), false);
    const SnapshotPtr snapshot = session.snapshot();
    if (item.kind == frontend::ItemKind::Design && !snapshot->design)
        return noDesign(*snapshot);
    return told(view.draw({snapshot, drawing.subject, out}), drawing.out);
}

int drawFound(const DrawnView& view, const cli::ExploreInput& input, const Drawing& drawing) {
    auto found = session::exploreToShow(input.program, input.settings, input.pins);
    if (!found)
        return cli::fail(found.error(), false);
    const auto snapshot = std::make_shared<const session::Snapshot>(*std::move(found));
    if (!snapshot->design)
        return noDesign(*snapshot);
    return told(view.draw({snapshot, drawing.subject, QFile::decodeName(drawing.out.c_str())}),
                drawing.out);
}

int renderDesign(ExploreDrawing options, const CLI::App& command) {
    const auto view = drawnView(options.view, frontend::ItemKind::Design);
    if (!view)
        return cli::fail(view.error(), false);
    const auto input = cli::readInput(options.explore, command);
    if (!input)
        return cli::fail(input.error(), false);
    if (const Status free = checkPicture(options.out, input->files, options.force); !free)
        return cli::fail(free.error(), false);
    if (!(*view)->ofSession)
        return drawFound(**view, *input, options);
    DrawnItem item;
    item.file = options.explore.file;
    item.item = input->program->name;
    item.settings = input->settings;
    item.pins = input->pins;
    return drawWorkedOut(**view, std::move(item), options);
}

int renderStream(const ScheduleDrawing& options) {
    const auto view = drawnView(options.view, frontend::ItemKind::Stream);
    if (!view)
        return cli::fail(view.error(), false);
    const cli::ScheduleOptions& schedule = options.schedule;
    if (const Status free =
            checkPicture(options.out, {schedule.file, schedule.device}, options.force);
        !free)
        return cli::fail(free.error(), false);
    auto parsed = cli::readProgram(schedule.file);
    if (!parsed)
        return cli::fail(parsed.error(), false);
    const auto stream = frontend::selectStream(*std::move(parsed), schedule.item);
    const auto pace = cli::paceOf(schedule);
    if (!stream || !pace)
        return cli::fail(stream ? pace.error() : stream.error(), false);
    DrawnItem item;
    item.kind = frontend::ItemKind::Stream;
    item.file = schedule.file;
    item.item = stream->name;
    item.settings.device = schedule.device;
    item.pace = *pace;
    item.outputType = schedule.outputType;
    return drawWorkedOut(**view, std::move(item), options);
}

int renderMemory(const BankDrawing& options) {
    const auto view = drawnView(options.view, frontend::ItemKind::Memory);
    if (!view)
        return cli::fail(view.error(), false);
    if (const Status free =
            checkPicture(options.out, {options.file, options.device}, options.force);
        !free)
        return cli::fail(free.error(), false);
    auto parsed = cli::readProgram(options.file);
    if (!parsed)
        return cli::fail(parsed.error(), false);
    const auto memory = frontend::selectMemory(*std::move(parsed), options.item);
    if (!memory)
        return cli::fail(memory.error(), false);
    const auto pins = cli::pinsOf(options.pins, memory->type.dims.size());
    if (!pins)
        return cli::fail(pins.error(), false);
    DrawnItem item;
    item.kind = frontend::ItemKind::Memory;
    item.file = options.file;
    item.item = memory->name;
    item.settings.device = options.device;
    item.banks = *pins;
    return drawWorkedOut(**view, std::move(item), options);
}

void addDrawingOptions(CLI::App& command, Drawing& drawing, frontend::ItemKind kind) {
    command.add_option("--render", drawing.view, drawnViews(kind))->required();
    command.add_option("--show", drawing.subject, "what the view is to show, by its name");
    command.add_option("--out", drawing.out, "picture to write")->required();
    cli::addForceOption(command, drawing.force);
}

int drawExploration(int argc, char** argv) {
    ExploreDrawing options;
    CLI::App command("Draw a view of an exploration", "marquetry explore");
    cli::addExploreOptions(command, options.explore);
    addDrawingOptions(command, options, frontend::ItemKind::Design);
    return runDrawer(argc, argv, command, "drawing an exploration",
                     [&] { return renderDesign(options, command); });
}

int drawSchedule(int argc, char** argv) {
    ScheduleDrawing options;
    cli::ScheduleOptions& schedule = options.schedule;
    CLI::App command("Draw a view of a stream", "marquetry schedule");
    command.add_option("FILE", schedule.file, "the .mq file")->required();
    command.add_option("--item", schedule.item, "the stream of this name instead of the first");
    auto* pace = command.add_option_group("pace");
    pace->add_option("--throughput", schedule.throughput,
                     "elements of the output per clock: N or N/M");
    pace->add_option("--clocks", schedule.clocks, "clocks of the whole output");
    pace->require_option(1);
    command.add_option("--device", schedule.device, "device id or device file");
    command.add_option("--output-type", schedule.outputType, "pin: this type of the output");
    addDrawingOptions(command, options, frontend::ItemKind::Stream);
    return runDrawer(argc, argv, command, "drawing a stream",
                     [&] { return renderStream(options); });
}

int drawBanks(int argc, char** argv) {
    BankDrawing options;
    CLI::App command("Draw a view of a memory", "marquetry bank");
    command.add_option("FILE", options.file, "the .mq file")->required();
    command.add_option("--item", options.item, "the memory of this name instead of the first");
    command.add_option("--device", options.device, "device id or file");
    cli::addBankPinOptions(command, options.pins, "");
    addDrawingOptions(command, options, frontend::ItemKind::Memory);
    return runDrawer(argc, argv, command, "drawing a memory",
                     [&] { return renderMemory(options); });
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
    if (command == "schedule")
        return drawSchedule;
    if (command == "bank")
        return drawBanks;
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
