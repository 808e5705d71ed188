#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/export_memory.h"
#include "app/cli/report.h"
#include "app/cli/stream_schedule.h"
#include "engine/frontend/parser.h"
#include "engine/hdl/stream_export.h"
#include "engine/session/export_design.h"

#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

namespace marquetry::cli {

namespace {

/// A frame of a stream is long: one is enough unless more are asked for.
constexpr int kDesignVectors = 3;
constexpr int kStreamVectors = 1;

struct Options {
    ExploreOptions explore;
    ScheduleOptions stream; ///< when the item is one
    session::ExportOptions target;
    BankPinOptions banks; ///< when the item is a memory
    bool vectorsGiven = false;
    bool timeGiven = false; ///< for the timing of a stream too
    std::string out;
    bool json = false;
};

Result<hdl::ExportReport> exportDesign(const design::Design& design, const ir::Program& program,
                                       const Options& options) {
    std::ifstream stream(program.file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    const auto request = session::makeExportRequest(design, program, text.str(), options.target);
    if (!request)
        return request.error();
    return hdl::exportDesign(*request, options.out);
}

int printExport(const hdl::ExportReport& report, Json json) {
    json["folder"] = report.folder;
    json["files"] = report.files;
    json["predicted_cycles"] = report.predictedCycles;
    printJson(json);
    return kDone;
}

Result<bool> isStream(const ExploreOptions& options) {
    const auto parsed = frontend::parseFile(options.file);
    if (!parsed)
        return parsed.error();
    return frontend::selectsStream(*parsed, options.item);
}

spacetime::Deadline deadlineOf(const Options& options) {
    constexpr double kLongest = 1e9;
    if (!options.timeGiven || options.stream.seconds > kLongest)
        return spacetime::kNoDeadline;
    return spacetime::Deadline::clock::now() +
           std::chrono::duration_cast<spacetime::Deadline::duration>(
               std::chrono::duration<double>(options.stream.seconds));
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
    std::cout << "exported " << report.files << " files to " << report.folder << "\npredicted "
              << report.predictedCycles << " cycles from the first element to the last result\n";
    if (report.longPath)
        std::cout << "the time ended: the longest path takes " << std::llround(*report.longPath)
                  << " ps (estimated), more time may bring it to " << spacetime::kPathLimit << "\n";
    std::cout << "next: marquetry verify " << report.folder << "\n";
    return kDone;
}

int runStreamExport(const Options& options) {
    const spacetime::Deadline deadline = deadlineOf(options);
    const auto scheduled = findSchedule(options.stream);
    if (!scheduled)
        return failSchedule(scheduled.error(), options.json);
    const auto text = readTextFile(options.explore.file);
    if (!text)
        return fail(text.error(), options.json);
    hdl::StreamExportRequest request{scheduled->joined, scheduled->schedule.front[0].circuit,
                                     *text};
    request.vectors = options.target.vectors;
    request.seed = options.target.seed;
    request.target = options.target.target;
    request.deadline = deadline;
    const auto report = hdl::exportStream(request, options.out);
    if (!report)
        return fail(report.error(), options.json);
    return printStreamExport(*report, options.json);
}

int runExport(Options options) {
    const auto memory = exportMemoryItem({options.explore.file, options.explore.item,
                                          options.explore.settings.device, options.target.target,
                                          options.out, options.banks, options.json});
    if (memory)
        return *memory;
    const auto stream = isStream(options.explore);
    if (!stream)
        return fail(stream.error(), options.json);
    if (*stream)
        return runStreamExport(options);
    if (!options.vectorsGiven)
        options.target.vectors = kDesignVectors;
    auto input = readInput(options.explore);
    if (!input)
        return fail(input.error(), options.json);
    auto exploration = session::explore(input->program, input->settings, input->pins);
    if (!exploration)
        return fail(exploration.error(), options.json);
    if (!exploration->extraction.design) {
        std::cerr << format(exploration->extraction.infeasible);
        if (options.json) {
            Json json = makeReport();
            json["infeasible_because"] = cli::toJson(exploration->extraction.infeasible);
            printJson(json);
        }
        return kAnswerIsNo;
    }
    const design::Design& design = *exploration->extraction.design;
    const auto report = exportDesign(design, *exploration->program, options);
    if (!report)
        return fail(report.error(), options.json);
    if (options.json) {
        Json json = makeReport();
        json["dsp"] = design.resources.dsp;
        return printExport(*report, std::move(json));
    }
    std::cout << "exported " << report->files << " files to " << report->folder << "\npredicted "
              << report->predictedCycles << " cycles, " << design.resources.dsp << " DSP\n"
              << "next: marquetry verify " << report->folder << "\n";
    return kDone;
}

} // namespace

void addExportCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("export", "Explore and write verified-ready hardware");
    addExploreOptions(*command, options->explore);
    command->add_option("--target", options->target.target, "verilog")->capture_default_str();
    auto* vectors =
        command->add_option("--vectors", options->target.vectors, "golden vectors to write")
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
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, command, vectors, throughput, clocks, &context] {
        const bool timed = throughput->count() + clocks->count() > 0;
        options->stream.file = options->explore.file;
        options->stream.item = options->explore.item;
        if (!timed)
            options->stream.throughput = "1";
        if (command->count("--device") > 0)
            options->stream.device = options->explore.settings.device;
        options->timeGiven = command->count("--time") > 0;
        if (options->timeGiven)
            options->stream.seconds = options->explore.settings.seconds;
        options->vectorsGiven = vectors->count() > 0;
        if (!options->vectorsGiven)
            options->target.vectors = kStreamVectors;
        options->target.seed = options->explore.settings.seed;
        context.exitStatus = runExport(*options);
    });
}

} // namespace marquetry::cli
