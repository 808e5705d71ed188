#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"

#include "engine/support/files.h"
#include "engine/support/quote.h"
#include "engine/sweep/slurm.h"

#include <filesystem>
#include <iostream>
#include <thread>

namespace marquetry::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostGridBytes = std::size_t{16} << 20;

struct SweepOptions {
    std::string file;
    std::string grid;
    std::string out;
    int jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    bool slurm = false;
    std::optional<std::size_t> point;
    bool json = false;
};

Result<sweep::SweptItem> readSweptItem(const std::string& file, const std::string& name) {
    auto parsed = readProgram(file);
    if (!parsed)
        return parsed.error();
    return sweep::itemOf(*std::move(parsed), name);
}

/// The sweep that the options ask for; without a program and a grid, the one that was begun.
Result<sweep::Sweep> sweepOf(const SweepOptions& options) {
    if (options.file.empty() && options.grid.empty())
        return sweep::readSweep(options.out);
    if (options.file.empty() || options.grid.empty())
        return makeError("option-value", "a sweep takes a program and --grid, or neither",
                         "without both it goes on with the sweep that --out holds");
    const auto text = files::read(options.grid, kMostGridBytes);
    if (!text)
        return text.error();
    const auto name = sweep::gridItem(*text, options.grid);
    if (!name)
        return name.error();
    const auto item = readSweptItem(options.file, *name);
    if (!item)
        return item.error();
    const auto grid = sweep::parseGrid(*text, options.grid, item->kind());
    if (!grid)
        return grid.error();
    return sweep::makeSweep(*grid, options.file, *item);
}

/// What a process that another one has started does.
int computePoint(const SweepOptions& options) {
    const auto sweep = sweep::readSweep(options.out);
    if (!sweep)
        return fail(sweep.error(), options.json);
    if (*options.point >= sweep->points.size())
        return fail(
            {makeError("option-value", "the sweep has no point " + std::to_string(*options.point))},
            options.json);
    const auto item = readSweptItem(sweep->file, sweep->item);
    if (!item)
        return fail(item.error(), options.json);
    if (sweep::hashOf(*item) != sweep->programHash)
        return fail({makeError("sweep-program",
                               inQuotes(sweep->file) + " has changed since the sweep was begun",
                               "begin the sweep again, with the program and its grid")},
                    options.json);
    const sweep::Point& point = sweep->points[*options.point];
    const auto outcome = sweep::computed(*item, point);
    if (!outcome)
        return fail(outcome.error(), options.json);
    const Status written = sweep::writeOutcome(options.out, point, *outcome);
    return written ? kDone : fail(written.error(), options.json);
}

std::vector<std::string> workerCommand(const std::string& folder) {
    std::error_code ignored;
    return {fs::read_symlink("/proc/self/exe", ignored).string(), "sweep", "--out", folder,
            "--point"};
}

void tellProgress(std::size_t done, std::size_t all) {
    std::cerr << done << " of " << all << " points\n";
}

Result<sweep::SweepReport> compute(const SweepOptions& options, const sweep::Sweep& sweep) {
    if (options.slurm) {
        // A node has the folder under the same name, wherever it starts.
        const std::string folder = fs::absolute(options.out).string();
        return sweep::runOnSlurm(folder, sweep,
                                 {.worker = workerCommand(folder), .progress = tellProgress});
    }
    return sweep::runLocally(
        options.out, sweep,
        {.jobs = options.jobs, .worker = workerCommand(options.out), .progress = tellProgress});
}

Json sweepJson(const SweepOptions& options, const sweep::Sweep& sweep,
               const sweep::SweepReport& report) {
    Json json = makeReport();
    json["program"] = sweep.item;
    json["points"] = sweep.points.size();
    json["done"] = sweep.points.size() - report.failures.size();
    json["computed"] = report.computed;
    json["table"] = options.out + "/sweep.csv";
    json["failures"] = Json::array();
    for (const sweep::Failure& failure : report.failures)
        json["failures"].push_back({{"point", failure.point}, {"why", failure.why}});
    return json;
}

void printSweep(const SweepOptions& options, const sweep::Sweep& sweep,
                const sweep::SweepReport& report) {
    std::cout << sweep.points.size() - report.failures.size() << " of " << sweep.points.size()
              << " points of " << sweep.item << " have a result, " << report.computed
              << " of them from this run\n";
    for (const sweep::Failure& failure : report.failures)
        std::cout << "  point " << failure.point << ": " << failure.why << "\n";
    std::cout << "table: " << options.out << "/sweep.csv\n";
    if (!report.failures.empty())
        std::cout << "next: marquetry sweep --out " << folderWord(options.out)
                  << "  tries the others again\n";
}

int runSweep(const SweepOptions& options) {
    if (options.point)
        return computePoint(options);
    const auto sweep = sweepOf(options);
    if (!sweep)
        return fail(sweep.error(), options.json);
    if (const Status begun = sweep::begin(options.out, *sweep); !begun)
        return fail(begun.error(), options.json);
    const auto report = compute(options, *sweep);
    if (!report)
        return fail(report.error(), options.json);
    if (options.json)
        printJson(sweepJson(options, *sweep, *report));
    else
        printSweep(options, *sweep, *report);
    return report->failures.empty() ? kDone : kAnswerIsNo;
}

} // namespace

void addSweepCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<SweepOptions>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Explore a design, or schedule a stream, at every point of a grid, resumably");
    command->add_option("FILE", options->file, "the .mq or .onnx file");
    command->add_option("--grid", options->grid, "the values to try of each option (JSON)");
    command->add_option("--out", options->out, "the folder of the results")->required();
    auto* const jobs = command->add_option("--jobs", options->jobs, "points at a time")
                           ->check(CLI::Range(1, 4096));
    auto* const slurm = command->add_flag("--slurm", options->slurm,
                                          "let Slurm compute the points, as an array of jobs");
    slurm->excludes(jobs);
    command->add_option("--point", options->point, "only this point of the sweep in --out")
        ->check(notNegative());
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = runSweep(*options); });
}

} // namespace marquetry::cli
