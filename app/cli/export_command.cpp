#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/report.h"
#include "engine/session/export_design.h"

#include <fstream>
#include <iostream>
#include <sstream>

namespace marquetry::cli {

namespace {

struct Options {
    ExploreOptions explore;
    session::ExportOptions target;
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

int runExport(const Options& options) {
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
        json["folder"] = report->folder;
        json["files"] = report->files;
        json["predicted_cycles"] = report->predictedCycles;
        json["dsp"] = design.resources.dsp;
        printJson(json);
        return kDone;
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
    command->add_option("--vectors", options->target.vectors, "golden vectors to write")
        ->check(CLI::Range(1, 1000));
    command->add_option("--out", options->out, "folder to write")->required();
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] {
        options->target.seed = options->explore.settings.seed;
        context.exitStatus = runExport(*options);
    });
}

} // namespace marquetry::cli
