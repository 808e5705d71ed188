#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/egraph/saturate.h"
#include "engine/egraph/workload.h"

#include <sys/resource.h>

#include <cstdio>
#include <ctime>

namespace marquetry::cli {

namespace {

struct BenchOptions {
    std::string workload = "math-micro";
    std::size_t iterations = 10;
    std::string scheduler = "simple";
    bool withoutProvenance = false;
    bool json = false;
};

double cpuSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Peak resident memory of the process so far, 10^6 bytes.
double peakMegabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

struct Measured {
    egraph::SaturationResult result;
    double cpu = 0;
    double peak = 0; ///< above what the process had before
};

Measured measure(const egraph::Workload& workload, const BenchOptions& options) {
    egraph::SaturationParams params;
    params.maxIterations = options.iterations;
    params.maxEnodes = std::size_t{1} << 29;
    params.maxSeconds = 1e9;
    params.maxBytes = std::size_t{1} << 40;
    params.scheduler =
        options.scheduler == "backoff" ? egraph::Scheduler::Backoff : egraph::Scheduler::Simple;
    const double peakBefore = peakMegabytes(), start = cpuSeconds();
    egraph::EGraph graph(workload.language, nullptr,
                         options.withoutProvenance ? egraph::Provenance::Off
                                                   : egraph::Provenance::On);
    addTerms(graph, workload);
    Measured measured{saturate(graph, workload.rules, params), 0, 0};
    measured.cpu = cpuSeconds() - start;
    measured.peak = peakMegabytes() - peakBefore;
    return measured;
}

Json benchReport(const BenchOptions& options, const Measured& measured) {
    Json report = makeReport();
    report["workload"] = options.workload;
    report["scheduler"] = options.scheduler;
    report["provenance"] = !options.withoutProvenance;
    const auto& iterations = measured.result.iterations;
    double search = 0, apply = 0, rebuild = 0;
    for (const egraph::Iteration& iteration : iterations) {
        search += iteration.searchSeconds;
        apply += iteration.applySeconds;
        rebuild += iteration.rebuildSeconds;
    }
    report["iterations"] = iterations.size();
    report["enodes"] = iterations.empty() ? 0 : iterations.back().enodes;
    report["eclasses"] = iterations.empty() ? 0 : iterations.back().eclasses;
    report["search_s"] = search;
    report["apply_s"] = apply;
    report["rebuild_s"] = rebuild;
    report["cpu_s"] = measured.cpu;
    report["peak_mb"] = measured.peak;
    report["stop"] = toString(measured.result.outcome);
    return report;
}

int benchEgraph(const BenchOptions& options) {
    const auto workload = egraph::makeWorkload(options.workload);
    if (!workload)
        return fail(workload.error(), options.json);
    const Measured measured = measure(*workload, options);
    const Json report = benchReport(options, measured);
    if (options.json) {
        printJson(report);
        return kDone;
    }
    std::printf("iteration   e-nodes  e-classes  search s   apply s  rebuild s\n");
    for (const egraph::Iteration& it : measured.result.iterations)
        std::printf("%9d %9zu %10zu %9.4f %9.4f %10.4f\n", it.index, it.enodes, it.eclasses,
                    it.searchSeconds, it.applySeconds, it.rebuildSeconds);
    std::printf("%s, %s: %.3f CPU s, %.1f MB peak, %s\n", options.workload.c_str(),
                options.scheduler.c_str(), measured.cpu, measured.peak,
                toString(measured.result.outcome));
    std::fflush(stdout);
    return kDone;
}

} // namespace

void addBenchCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App* bench = app.add_subcommand("bench", "Measure the engine");
    bench->require_subcommand(1);
    CLI::App* command = bench->add_subcommand(
        "egraph", "Saturate a published workload; seconds are processor time of one thread");
    command->add_option("--workload", options->workload, "math-micro, or ac2 to ac16")
        ->capture_default_str();
    command->add_option("--iterations", options->iterations, "stop after so many")
        ->capture_default_str();
    command->add_option("--scheduler", options->scheduler, "simple or backoff")
        ->check(CLI::IsMember({"simple", "backoff"}))
        ->capture_default_str();
    command->add_flag("--without-provenance", options->withoutProvenance,
                      "keep no origins and no union log");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = benchEgraph(*options); });
}

} // namespace marquetry::cli
