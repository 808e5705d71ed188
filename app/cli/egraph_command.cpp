#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "engine/egraph/saturate.h"
#include "engine/egraph/serialize.h"

#include <iostream>

namespace marquetry::cli {

namespace {

struct EGraphOptions {
    ExploreOptions explore;
    std::string out;
    bool force = false;
    bool json = false;
};

/// Saturates only: the e-graph is of interest even where no design fits.
int exportEgraph(EGraphOptions options, const CLI::App& command) {
    auto input = readInput(options.explore, command);
    if (!input)
        return fail(input.error(), options.json);
    const OutputPlace output{options.out, options.force, input->files};
    if (const Status free = checkFile(output, FileKind::EGraph); !free)
        return fail(free.error(), options.json);
    auto setup = session::makeSetup(input->settings, input->pins);
    if (!setup)
        return fail(setup.error(), options.json);
    auto lowered = rules::lower(input->program, setup->lowering);
    if (!lowered)
        return fail(lowered.error(), options.json);
    egraph::EGraph& egraph = *lowered->egraph;
    const auto saturated = egraph::saturate(egraph, lowered->rewrites, setup->saturation);
    const egraph::EClassId roots[] = {egraph.find(lowered->root)};
    const Status written = writeFile(output, FileKind::EGraph, egraph::exportJson(egraph, roots));
    if (!written)
        return fail(written.error(), options.json);
    if (options.json) {
        Json report = makeReport();
        report["enodes"] = egraph.enodeCount();
        report["eclasses"] = egraph.eclassCount();
        report["iterations"] = saturated.iterations.size();
        report["stop"] = egraph::toString(saturated.outcome);
        printJson(report);
    } else {
        std::cout << "wrote " << egraph.enodeCount() << " e-nodes in " << egraph.eclassCount()
                  << " e-classes to " << options.out << "\n";
    }
    return kDone;
}

} // namespace

void addEgraphCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<EGraphOptions>();
    CLI::App* command =
        app.add_subcommand("egraph", "Saturate and write the e-graph (egraph-serialize JSON)");
    addExploreOptions(*command, options->explore);
    command->add_option("--export", options->out, "JSON file to write")->required();
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback(
        [options, command, &context] { context.exitStatus = exportEgraph(*options, *command); });
}

} // namespace marquetry::cli
