// Saturation of the published workloads, snapshots, tree extraction, and a fixed integer-hash loop
// by which machines can be compared. Times are processor time; run with --benchmark_repetitions=5
// and take the minimum.
#include "engine/egraph/saturate.h"
#include "engine/egraph/workload.h"
#include "engine/support/hash.h"
#include "engine/term_extract/build.h"
#include "engine/term_extract/tree.h"

#include <benchmark/benchmark.h>

namespace marquetry::egraph {
namespace {

SaturationParams paramsOf(std::size_t iterations, Scheduler scheduler) {
    SaturationParams params;
    params.maxIterations = iterations;
    params.maxEnodes = 100'000'000;
    params.maxSeconds = 3600;
    params.scheduler = scheduler;
    return params;
}

void saturation(benchmark::State& state, const char* name, std::size_t iterations,
                Scheduler scheduler, Provenance provenance) {
    const auto workload = makeWorkload(name);
    double enodes = 0, bytes = 0;
    for (auto _ : state) {
        EGraph egraph(workload->language, nullptr, provenance);
        addTerms(egraph, *workload);
        saturate(egraph, workload->rules, paramsOf(iterations, scheduler));
        enodes = static_cast<double>(egraph.enodeCount());
        bytes = static_cast<double>(egraph.bytes());
    }
    state.counters["enodes"] = enodes;
    state.counters["bytes"] = bytes;
}

/// A view after each of the last iterations, as a session takes them.
void snapshot(benchmark::State& state) {
    const auto workload = makeWorkload("math-micro");
    EGraph egraph(workload->language);
    addTerms(egraph, *workload);
    saturate(egraph, workload->rules, paramsOf(11, Scheduler::Simple));
    for (auto _ : state)
        benchmark::DoNotOptimize(egraph.view());
    state.counters["enodes"] = static_cast<double>(egraph.enodeCount());
}

/// AstSize of the seven terms: the problem from the e-graph, then the extraction.
void astSize(benchmark::State& state) {
    const auto workload = makeWorkload("math-micro");
    EGraph egraph(workload->language);
    const std::vector<EClassId> roots = addTerms(egraph, *workload);
    saturate(egraph, workload->rules, paramsOf(11, Scheduler::Simple));
    double cost = 0;
    for (auto _ : state) {
        const auto built = term_extract::problemOf(egraph, roots, [](ENodeId) { return 1.0; });
        cost = term_extract::treeCost(built.problem, term_extract::extractTree(built.problem));
    }
    state.counters["enodes"] = static_cast<double>(egraph.enodeCount());
    state.counters["cost"] = cost;
}

void integerHashes(benchmark::State& state) {
    for (auto _ : state) {
        std::uint64_t h = 1;
        for (int k = 0; k < 100'000'000; ++k)
            h = mix(h + 1);
        benchmark::DoNotOptimize(h);
    }
}

constexpr auto kMs = benchmark::kMillisecond;

BENCHMARK_CAPTURE(saturation, math_micro_10, "math-micro", 10, Scheduler::Simple, Provenance::On)
    ->Unit(kMs);
BENCHMARK_CAPTURE(saturation, math_micro_10_off, "math-micro", 10, Scheduler::Simple,
                  Provenance::Off)
    ->Unit(kMs);
BENCHMARK_CAPTURE(saturation, math_micro_11, "math-micro", 11, Scheduler::Simple, Provenance::On)
    ->Unit(kMs);
BENCHMARK_CAPTURE(saturation, math_micro_11_off, "math-micro", 11, Scheduler::Simple,
                  Provenance::Off)
    ->Unit(kMs);
BENCHMARK_CAPTURE(saturation, math_micro_backoff_50, "math-micro", 50, Scheduler::Backoff,
                  Provenance::On)
    ->Unit(kMs);
BENCHMARK_CAPTURE(saturation, ac11, "ac11", 100, Scheduler::Simple, Provenance::On)->Unit(kMs);
BENCHMARK(snapshot)->Unit(kMs);
BENCHMARK(astSize)->Unit(kMs);
BENCHMARK(integerHashes)->Unit(kMs);

} // namespace
} // namespace marquetry::egraph
