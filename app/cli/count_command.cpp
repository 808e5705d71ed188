#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/report.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/metrics.h"

#include <algorithm>
#include <cmath>
#include <iostream>

namespace marquetry::cli {

namespace {

struct CountOptions {
    ExploreOptions explore;
    bool json = false;
};

struct Counted {
    std::string cost;
    std::size_t enodes = 0;
    std::size_t eclasses = 0;
    egraph::StopReason outcome = egraph::StopReason::Saturated;
    extract::Metrics metrics;
};

/// EngineIR's example cost needs every divisor and no device.
Result<Counted> countToy(const ExploreInput& input) {
    auto setup = session::makeSetup(input.settings, input.pins);
    if (!setup)
        return setup.error();
    setup->lowering.policy = rules::Policy::Toy;
    auto lowered = rules::lower(input.program, setup->lowering);
    if (!lowered)
        return lowered.error();
    Counted counted;
    counted.outcome =
        egraph::saturate(*lowered->egraph, lowered->rewrites, setup->saturation).outcome;
    counted.enodes = lowered->egraph->enodeCount();
    counted.eclasses = lowered->egraph->eclassCount();
    extract::MeasureParams params;
    params.seed = input.settings.seed;
    counted.metrics = measure(*lowered, params);
    return counted;
}

Result<Counted> countModel(ExploreInput input) {
    input.settings.objective = design::Objective::Front;
    auto explored = session::explore(input.program, input.settings, input.pins);
    if (!explored)
        return explored.error();
    Counted counted;
    counted.outcome = explored->outcome;
    counted.enodes = explored->lowered->egraph->enodeCount();
    counted.eclasses = explored->lowered->egraph->eclassCount();
    counted.metrics =
        measure(*explored->lowered,
                session::measureParams(explored->setup, explored->extraction, input.settings.seed));
    return counted;
}

Json number(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return static_cast<std::int64_t>(value);
    return value;
}

/// A JSON number while doubles hold it exactly, else its digits as text.
Json big(const std::string& digits) {
    constexpr std::size_t kExactDigits = 15;
    if (digits.size() <= kExactDigits)
        return std::stoll(digits);
    return digits;
}

void printReport(const Counted& counted) {
    const extract::Metrics& metrics = counted.metrics;
    Json report = makeReport();
    report["cost"] = counted.cost;
    report["egraph"] = {{"enodes", counted.enodes},
                        {"eclasses", counted.eclasses},
                        {"unit_enodes", metrics.unitEnodes},
                        {"unit_eclasses", metrics.unitEclasses},
                        {"stop", egraph::toString(counted.outcome)}};
    report["terms"] = big(metrics.terms.terms);
    report["terms_log10"] = metrics.terms.log10Terms;
    report["max_height"] = metrics.terms.maxHeight;
    report["bounded"] = metrics.terms.bounded;
    report["normal_forms"] = big(metrics.normalForms);
    report["unit_sets"] = static_cast<std::int64_t>(metrics.unitSets);
    report["unit_sets_exact"] = metrics.unitSetsExact;
    report["pareto"] = Json::array();
    for (const extract::MetricPoint& point : metrics.front)
        report["pareto"].push_back({number(point.area), number(point.latency)});
    report["pareto_size"] = metrics.front.size();
    report["pareto_exact"] = metrics.frontExact;
    report["hypervolume"] = metrics.hypervolume;
    report["density"] = metrics.density;
    report["density_samples"] = metrics.samples;
    printJson(report);
}

std::string shortened(const extract::TermCount& terms) {
    if (terms.terms.size() <= 15)
        return terms.terms;
    return "10^" + std::to_string(terms.log10Terms);
}

void printCounted(const Counted& counted) {
    const extract::Metrics& metrics = counted.metrics;
    const bool toy = counted.cost == "toy";
    std::cout.precision(12);
    std::cout << "e-graph: " << counted.enodes << " e-nodes in " << counted.eclasses
              << " e-classes (units: " << metrics.unitEnodes << " in " << metrics.unitEclasses
              << "), " << egraph::toString(counted.outcome) << "\n"
              << "terms: " << shortened(metrics.terms);
    if (metrics.terms.bounded)
        std::cout << " of at most " << metrics.terms.maxHeight << " constructors";
    std::cout << "; normal forms: "
              << (metrics.normalForms.size() <= 15
                      ? metrics.normalForms
                      : std::to_string(metrics.normalForms.size()) + " digits")
              << "\nunit sets: " << (metrics.unitSetsExact ? "" : "about ")
              << static_cast<std::int64_t>(metrics.unitSets)
              << (metrics.unitSetsExact ? "" : " or more (estimated from samples)") << "\n"
              << "front" << (metrics.frontExact ? "" : " (of the designs kept)") << ", "
              << metrics.front.size()
              << (toy ? " points (area, latency):" : " points (DSP, cycles):");
    constexpr std::size_t kShown = 16;
    for (std::size_t k = 0; k < std::min(kShown, metrics.front.size()); ++k)
        std::cout << " (" << metrics.front[k].area << ", " << metrics.front[k].latency << ")";
    std::cout << (metrics.front.size() > kShown ? " …" : "")
              << "\nhypervolume: " << metrics.hypervolume << "; density: " << metrics.density
              << " of " << metrics.samples << " samples within 25 % of the front\n";
}

int count(CountOptions options, const CLI::App& command) {
    const bool toy = options.explore.cost == "toy";
    if (toy)
        options.explore.cost = "cycles";
    auto input = readInput(options.explore, command);
    const std::string cost = toy ? "toy" : options.explore.cost;
    if (!input)
        return fail(input.error(), options.json);
    auto counted = toy ? countToy(*input) : countModel(*std::move(input));
    if (!counted)
        return fail(counted.error(), options.json);
    counted->cost = cost;
    if (options.json)
        printReport(*counted);
    else
        printCounted(*counted);
    return kDone;
}

} // namespace

void addCountCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<CountOptions>();
    CLI::App* command = app.add_subcommand(
        "count", "What the e-graph of the item's units holds: terms, hardware, front, density");
    addExploreOptions(*command, options->explore);
    command->get_option("--cost")->description("toy, cycles, published or published-open");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback(
        [options, command, &context] { context.exitStatus = count(*options, *command); });
}

} // namespace marquetry::cli
