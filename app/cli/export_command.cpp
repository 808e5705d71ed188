#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/export_memory.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "app/cli/stream_schedule.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/design_file.h"
#include "engine/session/hardware.h"
#include "engine/session/held_item.h"
#include "engine/session/streams.h"
#include "engine/vendor/boards.h"
#include "engine/vendor/targets.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <iostream>
#include <set>
#include <utility>

namespace marquetry::cli {

namespace {

struct ExportCommandOptions {
    ExploreOptions explore;
    ScheduleOptions stream; ///< when the item is one
    hdl::ExportForm form;
    std::string interface = "stream"; ///< form's, as it is written
    int vectors = 0;                  ///< 0: as many as is usual
    BankPinOptions banks;             ///< when the item is a memory
    bool timeGiven = false;           ///< for the timing of a stream too
    bool seedGiven = false;
    std::string heldIn; ///< the DESIGN.json that FILE was
    bool pictures = false;
    ReportPainter painter{}; ///< of those
    std::string out;
    bool force = false;
    bool json = false;
};

int printExport(const hdl::ExportReport& report, Json json) {
    std::cerr << format(report.warnings);
    json["folder"] = report.folder;
    json["files"] = report.files;
    json["predicted_cycles"] = report.predictedCycles > 0 ? Json(report.predictedCycles) : Json();
    hdl::addClock(json, report.clock);
    if (report.placed)
        hdl::addPlaced(json, *report.placed);
    printJson(json);
    return kDone;
}

/// A line, where a bitstream was made.
std::string placedText(const hdl::ExportReport& report) {
    return report.placed ? hdl::placedLine(*report.placed) + "\n" : "";
}

int printStreamExport(const hdl::ExportReport& report, bool asJson) {
    if (asJson) {
        Json json = makeReport();
        if (report.longPath) {
            json["stop"] = "time";
            json["path_delay"] = *report.longPath;
        }
        return printExport(report, std::move(json));
    }
    std::cout << "exported " << report.files << " files to " << report.folder << "\n";
    if (report.predictedCycles > 0)
        std::cout << "predicted " << report.predictedCycles
                  << " cycles from the first element to the last result\n";
    else
        std::cout << "the cycles of a frame behind this shell are not predicted\n";
    if (report.longPath)
        std::cout << "the time ended: the longest path takes " << std::llround(*report.longPath)
                  << " ps (estimated), more time may bring it to " << datapath::kPathLimit << "\n";
    std::cout << hdl::clockLine(report.clock) << "\n" << placedText(report);
    std::cerr << format(report.warnings);
    std::cout << "next: marquetry verify " << folderWord(report.folder) << "\n";
    return kDone;
}

hdl::ExportPlace placeOf(const ExportCommandOptions& options, std::vector<std::string> inputs) {
    inputs.push_back(options.heldIn);
    return {options.out, std::move(inputs), options.force};
}

/// Before anything is searched for.
Status checkForm(const ExportCommandOptions& options, const std::string& id) {
    auto device = device::findDevice(id);
    if (!device)
        return device.error();
    device->clockMhz = options.explore.settings.clockMhz.value_or(device->clockMhz);
    return hdl::checkForm(options.form, *device, true);
}

int runStreamExport(const ExportCommandOptions& options, frontend::ParseResult parsed) {
    if (const Status form = checkForm(options, options.stream.device); !form)
        return fail(form.error(), options.json);
    const hdl::ExportPlace place = placeOf(options, {options.explore.file, options.stream.device});
    if (const Status free = files::checkFolder(place.folder, hdl::replaceRule(place)); !free)
        return fail(free.error(), options.json);
    const datapath::Deadline deadline =
        session::hardwareDeadline(options.timeGiven, options.stream.seconds);
    const auto scheduled = findSchedule(options.stream, std::move(parsed), deadline);
    if (!scheduled)
        return fail(scheduled.error(), options.json);
    session::StreamItem item;
    item.program = std::make_shared<const ir::StreamProgram>(scheduled->joined);
    item.schedule = std::make_shared<const spacetime::StreamSchedule>(scheduled->schedule);
    item.hardware = scheduled->hardware;
    item.scheduledType = options.stream.outputType;
    device::Device device = scheduled->device;
    device.clockMhz = options.explore.settings.clockMhz.value_or(device.clockMhz);
    if (options.pictures)
        item.operators = std::make_shared<const std::vector<session::StreamOperator>>(
            session::operatorsOf(item.schedule->front[item.chosen].circuit));
    const session::StreamToBuild hardware{
        std::make_shared<const session::StreamItem>(std::move(item)),
        std::make_shared<const std::string>(scheduled->text), std::move(device),
        options.explore.settings.seed};
    session::ExportOrder order{place, options.form, options.vectors, deadline};
    if (options.pictures) {
        auto shown = std::make_shared<session::Snapshot>();
        shown->streams = std::vector{*hardware.stream};
        order.pictures = options.painter(shown, {});
    }
    const auto report = session::Hardware::exportTo(hardware, order);
    if (!report)
        return fail(report.error(), options.json);
    return printStreamExport(*report, options.json);
}

int failInfeasible(const Diagnostics& infeasible, bool asJson) {
    std::cerr << format(infeasible);
    if (asJson) {
        Json json = makeReport();
        json["infeasible_because"] = cli::toJson(infeasible);
        printJson(json);
    }
    return kAnswerIsNo;
}

int printDesignExport(const hdl::ExportReport& report, double dsp, bool asJson) {
    if (asJson) {
        Json json = makeReport();
        json["dsp"] = dsp;
        return printExport(report, std::move(json));
    }
    std::cerr << format(report.warnings);
    std::cout << "exported " << report.files << " files to " << report.folder << "\npredicted "
              << report.predictedCycles << " cycles, " << dsp << " DSP\n"
              << hdl::clockLine(report.clock) << "\n"
              << placedText(report) << "next: marquetry verify " << folderWord(report.folder)
              << "\n";
    return kDone;
}

/// The very design that a DESIGN.json holds. Vectors are those of its exploration's seed, unless
/// another is given.
int runHeldExport(const ExportCommandOptions& options, session::DesignFile held) {
    auto parsed = readProgram(held.programFile);
    if (!parsed)
        return fail(parsed.error(), options.json);
    const auto text = std::make_shared<const std::string>(std::move(parsed->text));
    auto program = frontend::selectItem(*std::move(parsed), held.item);
    if (!program)
        return fail(program.error(), options.json);
    const std::uint64_t seed =
        options.seedGiven ? options.explore.settings.seed : held.choices.settings.seed;
    const double dsp = held.resources.dsp;
    const session::HeldToBuild hardware{
        std::make_shared<const session::DesignFile>(std::move(held)),
        std::make_shared<const ir::Program>(*std::move(program)), text, seed};
    const hdl::ExportPlace place = placeOf(options, session::Hardware::inputsOf(hardware));
    if (const Status free = files::checkFolder(place.folder, hdl::replaceRule(place)); !free)
        return fail(free.error(), options.json);
    if (const Status exportable = session::Hardware::exportable(hardware); !exportable)
        return fail(exportable.error(), options.json);
    const auto report =
        session::Hardware::exportTo(hardware, {place, options.form, options.vectors});
    if (!report)
        return fail(report.error(), options.json);
    return printDesignExport(*report, dsp, options.json);
}

/// The snapshot is for pictures alone.
Result<session::ShownExploration> explored(const ExploreInput& input, bool pictures) {
    if (pictures)
        return session::exploreAndShow(input.program, input.settings, input.pins);
    auto exploration = session::explore(input.program, input.settings, input.pins);
    if (!exploration)
        return exploration.error();
    return session::ShownExploration{*std::move(exploration), nullptr};
}

int runDesignExport(const ExportCommandOptions& options, frontend::ParseResult parsed) {
    if (const Status form = checkForm(options, options.explore.settings.device); !form)
        return fail(form.error(), options.json);
    auto input = readInput(options.explore, std::move(parsed));
    if (!input)
        return fail(input.error(), options.json);
    const hdl::ExportPlace place = placeOf(options, input->files);
    if (const Status free = files::checkFolder(place.folder, hdl::replaceRule(place)); !free)
        return fail(free.error(), options.json);
    auto shown = explored(*input, options.pictures);
    if (!shown)
        return fail(shown.error(), options.json);
    const session::Exploration* const exploration = &shown->exploration;
    if (!exploration->extraction.design)
        return failInfeasible(exploration->extraction.infeasible, options.json);
    const session::DesignToBuild hardware{exploration->extraction.design, exploration->program,
                                          std::make_shared<const std::string>(input->text),
                                          exploration->choices, exploration->circuits};
    session::ExportOrder order{place, options.form, options.vectors};
    if (options.pictures)
        order.pictures = options.painter(shown->snapshot, {});
    const auto report = session::Hardware::exportTo(hardware, order);
    if (!report)
        return fail(report.error(), options.json);
    return printDesignExport(*report, exploration->extraction.design->resources.dsp, options.json);
}

/// A design that is held takes none of what a search, a stream or a memory is asked with.
Status checkHeldOptions(const CLI::App& command) {
    static const std::set<std::string> kTaken = {
        "--target", "--interface", "--stream-bits", "--board", "--bitstream", "--vectors",
        "--seed",   "--out",       "--force",       "--json",  "--help"};
    for (const CLI::Option* const option : command.get_options()) {
        const std::string name = option->get_name();
        if (name.starts_with("-") && option->count() > 0 && !kTaken.contains(name))
            return makeError("option-unused",
                             name + " has no effect on a design that has been found already",
                             "drop it, or export the program: it is explored again then");
    }
    return ok();
}

/// What of a DESIGN.json of a stream or a memory other options leave to it.
session::HeldParts partsOf(const CLI::App& command) {
    const auto isGiven = [&](const char* name) { return command.count(name) > 0; };
    const bool timed = isGiven("--throughput") || isGiven("--clocks");
    const bool pinned = std::ranges::any_of(
        std::array{"--kind", "--banks", "--block", "--alpha", "--copies", "--map"}, isGiven);
    return {!isGiven("--device"), !timed, !pinned};
}

/// The DESIGN.json of a stream or a memory stands for its item, as it was chosen unless something
/// else is asked for.
void standFor(const session::HeldItem& held, ExportCommandOptions& options) {
    options.heldIn = std::exchange(options.explore.file, held.programFile);
    options.stream.file = held.programFile;
    options.explore.item = options.stream.item = held.item;
    if (!held.device.empty())
        options.stream.device = options.explore.settings.device = held.device;
    if (held.clocks > 0) {
        options.stream.throughput.clear();
        options.stream.clocks = held.clocks;
        if (options.stream.outputType.empty())
            options.stream.outputType = held.outputType;
    }
    if (!held.pins.free())
        options.banks.pins = held.pins;
}

/// What the options say of the form and of pictures.
Status readForm(ExportCommandOptions& options) {
    if (options.pictures && !options.painter)
        return makeError("option-unused", "--pictures: this build has no views to draw",
                         "drop it: the report says which pictures it lacks");
    const auto interface = hdl::interfaceNamed(options.interface);
    if (!interface)
        return interface.error();
    options.form.interface = *interface;
    return ok();
}

int runExport(ExportCommandOptions options, const CLI::App& command) {
    if (const Status usable = readForm(options); !usable)
        return fail(usable.error(), options.json);
    if (session::isDesignFile(options.explore.file)) {
        const auto item = session::readHeldItem(options.explore.file, partsOf(command));
        if (!item)
            return fail(item.error(), options.json);
        if (*item)
            standFor(**item, options);
    }
    if (session::isDesignFile(options.explore.file)) {
        if (const Status taken = checkHeldOptions(command); !taken)
            return fail(taken.error(), options.json);
        auto held = session::readDesignFile(options.explore.file);
        return held ? runHeldExport(options, *std::move(held)) : fail(held.error(), options.json);
    }
    auto parsed = readProgram(options.explore.file);
    if (!parsed)
        return fail(parsed.error(), options.json);
    switch (frontend::selectedKind(*parsed, options.explore.item)) {
    case frontend::ItemKind::Memory:
        return exportMemoryItem(
            {options.explore.item, options.explore.settings.device,
             options.explore.settings.clockMhz, options.form,
             placeOf(options, {options.explore.file, options.explore.settings.device}),
             options.banks, options.json, options.pictures ? options.painter : nullptr},
            *std::move(parsed));
    case frontend::ItemKind::Stream:
        return runStreamExport(options, *std::move(parsed));
    case frontend::ItemKind::Design:
        break;
    }
    return runDesignExport(options, *std::move(parsed));
}

} // namespace

namespace {

/// "verilog, vivado, quartus or open"
template <class List>
std::string idsOf(const List& list) {
    std::string text;
    for (std::size_t k = 0; k < list.size(); ++k)
        text += (k == 0 ? "" : k + 1 == list.size() ? " or " : ", ") + list[k].id;
    return text;
}

void addFormOptions(CLI::App& command, ExportCommandOptions& options) {
    command.add_option("--target", options.form.target, idsOf(vendor::targets()))
        ->capture_default_str();
    command
        .add_option("--interface", options.interface,
                    "stream: AXI4-Streams and plain ports; axi: registers behind AXI4-Lite, too")
        ->capture_default_str();
    command.add_option("--stream-bits", options.form.streamBits,
                       "with --interface axi: width of the streams, 8 to 512; 0 as they are");
    command.add_option("--board", options.form.board,
                       "with --interface axi: a system for " + idsOf(vendor::boards()));
    command.add_flag("--bitstream", options.form.bitstream,
                     "with --target open: place and route, and report the clock that is reached");
}

} // namespace

void addExportCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<ExportCommandOptions>();
    CLI::App* command = app.add_subcommand("export", "Explore and write verified-ready hardware");
    addExploreOptions(*command, options->explore);
    addFormOptions(*command, *options);
    command->add_option("--vectors", options->vectors, "golden vectors to write")
        ->check(CLI::Range(1, 1000));
    auto* throughput =
        command->add_option("--throughput", options->stream.throughput,
                            "of a stream: elements of the output per clock, N or N/M");
    auto* clocks =
        command->add_option("--clocks", options->stream.clocks, "of a stream: clocks of a frame");
    throughput->excludes(clocks);
    command->add_option("--output-type", options->stream.outputType,
                        "of a stream: pin this type of the output");
    addBankPinOptions(*command, options->banks, "of a memory: ");
    command->add_option("--out", options->out, "folder to write")->required();
    command->add_flag("--pictures", options->pictures, "draw views into the report");
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, command, throughput, clocks, &context] {
        const bool timed = throughput->count() + clocks->count() > 0;
        options->stream.file = options->explore.file;
        options->stream.item = options->explore.item;
        if (!timed)
            options->stream.throughput = "1";
        const vendor::Board* const board = vendor::findBoard(options->form.board);
        if (command->count("--device") > 0)
            options->stream.device = options->explore.settings.device;
        else if (board != nullptr)
            options->stream.device = options->explore.settings.device = board->device;
        options->timeGiven = command->count("--time") > 0;
        options->seedGiven = command->count("--seed") > 0;
        options->painter = context.painter;
        if (options->timeGiven)
            options->stream.seconds = options->explore.settings.seconds;
        context.exitStatus = runExport(*options, *command);
    });
}

} // namespace marquetry::cli
