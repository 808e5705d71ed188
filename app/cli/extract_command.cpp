#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "engine/term_extract/build.h"
#include "engine/term_extract/extract.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace marquetry::cli {

namespace {

struct ExtractOptions {
    std::string file;
    std::string method = "exact";
    double seconds = 30;
    std::uint64_t seed = 1;
    std::string out;
    bool force = false;
    bool json = false;
};

Diagnostics inFile(Diagnostics diagnostics, const std::string& file) {
    for (Diagnostic& diagnostic : diagnostics)
        diagnostic.file = file;
    return diagnostics;
}

Result<term_extract::TermExtractParams> readParams(const ExtractOptions& options) {
    term_extract::TermExtractParams params;
    if (options.method == "tree")
        params.method = term_extract::TermMethod::Tree;
    else if (options.method == "greedy" || options.method == "dag")
        params.method = term_extract::TermMethod::Greedy;
    else if (options.method != "exact")
        return makeError("option-value", "there is no method '" + options.method + "'",
                         "tree, dag or exact");
    if (!std::isfinite(options.seconds) || options.seconds < 0)
        return makeError("option-value", "--time needs a number of seconds that is not negative");
    params.seconds = options.seconds;
    params.seed = options.seed;
    return params;
}

/// The chosen nodes alone, in the format they came in: what a viewer or another tool can read.
egraph::SerializedGraph termOf(const egraph::SerializedGraph& graph,
                               const term_extract::FileProblem& file,
                               const term_extract::Selection& selection) {
    egraph::SerializedGraph term;
    term.roots = graph.roots;
    std::vector<std::size_t> place(selection.size());
    std::vector<term_extract::NodeIndex> chosen;
    for (std::size_t c = 0; c < selection.size(); ++c)
        if (selection[c] != term_extract::kNone) {
            place[c] = chosen.size();
            chosen.push_back(selection[c]);
        }
    for (const term_extract::NodeIndex n : chosen) {
        egraph::SerializedNode node = graph.nodes[file.node[n]];
        const auto children = file.problem.children(n);
        for (std::size_t k = 0; k < children.size(); ++k)
            node.children[k] = place[children[k]];
        term.nodes.push_back(std::move(node));
    }
    return term;
}

void printResult(const ExtractOptions& options, const term_extract::FileProblem& file,
                 const term_extract::TermExtractResult& result) {
    const auto used = result.selection.size() -
                      static_cast<std::size_t>(std::count(
                          result.selection.begin(), result.selection.end(), term_extract::kNone));
    if (options.json) {
        Json report = makeReport();
        report["method"] = options.method;
        report["enodes"] = file.problem.nodeCount();
        report["eclasses"] = file.problem.classCount();
        report["dag_cost"] = result.dagCost;
        report["tree_cost"] = result.treeCost;
        report["lower_bound"] = result.lowerBound;
        report["optimal"] = result.optimal;
        report["stop"] = term_extract::toString(result.outcome);
        report["term_enodes"] = used;
        report["ms"] = result.stats.seconds * 1e3;
        report["reduced"] = {{"enodes", result.stats.reducedNodes},
                             {"eclasses", result.stats.reducedClasses},
                             {"parts", result.stats.parts}};
        report["branch_steps"] = result.stats.branchSteps;
        report["milp_nodes"] = result.stats.milpNodes;
        printJson(report);
        return;
    }
    std::cout << "DAG cost " << Json(result.dagCost).dump() << " with " << used << " e-nodes ("
              << options.method << ")";
    if (result.optimal)
        std::cout << ", proven least\n";
    else
        std::cout << ", no term is below " << Json(result.lowerBound).dump() << "\n";
    std::cout << "tree cost " << Json(result.treeCost).dump() << ", "
              << std::llround(result.stats.seconds * 1e3) << " ms\n";
}

int extractFile(const ExtractOptions& options) {
    const auto params = readParams(options);
    if (!params)
        return fail(params.error(), options.json);
    const OutputPlace output{options.out, options.force, {options.file}};
    if (const Status free = checkFile(output, FileKind::EGraph); !free)
        return fail(free.error(), options.json);
    const auto text = files::read(options.file);
    if (!text)
        return fail(text.error(), options.json);
    const auto graph = egraph::parseJson(*text);
    if (!graph)
        return fail(inFile(graph.error(), options.file), options.json);
    const auto file = term_extract::problemOf(*graph);
    if (!file)
        return fail(inFile(file.error(), options.file), options.json);
    const auto result = term_extract::extract(file->problem, *params, {});
    if (!result)
        return fail(inFile(result.error(), options.file), options.json);
    ENGINE_ASSERT(term_extract::verify(file->problem, *result), "an extracted term verifies");
    if (!options.out.empty()) {
        const Status written = writeFile(
            output, FileKind::EGraph, egraph::writeJson(termOf(*graph, *file, result->selection)));
        if (!written)
            return fail(written.error(), options.json);
    }
    printResult(options, *file, *result);
    return kDone;
}

} // namespace

void addExtractCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<ExtractOptions>();
    CLI::App* command =
        app.add_subcommand("extract", "Extract a term of least cost (egraph-serialize JSON)");
    command->add_option("FILE", options->file, "the JSON file")->required();
    command->add_option(
        "--method", options->method,
        "tree (every use pays), dag (shared parts pay once; alias greedy), or exact "
        "(the same, proven)");
    command->add_option("--time", options->seconds, "seconds for exact");
    command->add_option("--seed", options->seed, "of the local search")->check(notNegative());
    command->add_option("--out", options->out, "write the chosen e-nodes to this JSON file");
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = extractFile(*options); });
}

} // namespace marquetry::cli
