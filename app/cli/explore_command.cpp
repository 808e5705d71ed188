#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"

#include "engine/extract/why_text.h"
#include "engine/session/export_design.h"
#include "engine/support/text_stream.h"

#include <iomanip>
#include <iostream>

namespace marquetry::cli {

namespace {

struct ExploreCommandOptions {
    ExploreOptions explore;
    std::string why;
    std::string out;
    bool force = false;
    bool json = false;
};

void printUnits(const design::Design& design) {
    std::cout << "units:\n";
    for (const design::DesignUnit& unit : design.units) {
        std::cout << "  " << std::left << std::setw(22) << unit.name << " P=" << unit.parallelism;
        if (unit.writeLanes > 0 && unit.writeLanes < unit.parallelism)
            std::cout << " E=" << unit.writeLanes;
        std::cout << " × " << unit.lanes << " lanes, " << unit.multipliers << " multipliers, DSP "
                  << unit.resources.dsp << ", " << unit.callSites.size()
                  << (unit.callSites.size() == 1 ? " call" : " calls")
                  << (unit.shared ? ", shared" : "") << ", " << std::fixed << std::setprecision(1)
                  << 100 * unit.busy << " % busy";
        if (unit.multipliers > 0)
            std::cout << ", multipliers " << 100 * unit.utilisation << " % used";
        std::cout << "\n" << std::defaultfloat << std::setprecision(6);
    }
}

void printCalls(const design::Design& design) {
    std::cout << "calls:\n";
    for (const design::DesignCall& call : design.calls) {
        std::cout << "  " << std::left << std::setw(16) << call.layer << " on " << std::setw(22)
                  << design.unit(call.unit).name << std::right << std::setw(10) << call.cycles
                  << " cycles" << (call.memoryBound ? " (memory)" : "");
        if (call.overlap > 0)
            std::cout << " (" << call.overlap << " beside the "
                      << (call.id.index() == 0 ? "input" : "call before") << ")";
        for (const design::Loop& loop : call.loops)
            std::cout << "  " << loop.term;
        std::cout << "\n";
    }
}

void printFront(const extract::ExtractResult& result) {
    std::cout << "front:\n";
    for (const design::DesignPoint& point : result.points)
        if (point.onFront)
            std::cout << "  " << std::right << std::setw(10) << point.cycles << " cycles  frames "
                      << std::setw(3) << point.frames << "  DSP " << std::setw(6)
                      << point.resources.dsp << "  BRAM " << std::setw(7) << point.resources.bram
                      << "  LUT " << std::setw(8) << point.resources.lut << "  " << point.label
                      << "\n";
}

void printMilp(const extract::MilpResult& milp) {
    std::cout << std::setprecision(12) << ", CBC: " << milp::toString(milp.outcome) << ", time "
              << milp.time << " in [" << milp.bound << ", " << milp.time << "] after "
              << std::setprecision(3) << milp.stats.solve.seconds << " s";
}

void printImported(const ir::Program& program, const ir::LayerPlan& plan) {
    if (!program.imported.empty())
        std::cout << "imported:\n";
    for (const ir::Layer& layer : plan.layers)
        for (const ir::ImportedValue* part : ir::importedValues(program, layer)) {
            std::cout << "  " << std::left << std::setw(16) << layer.name << " is " << part->tensor
                      << " of " << part->node << " (" << part->op << "); " << part->scale << "\n";
            if (!part->factor.empty())
                std::cout << "      " << part->factor << "; " << part->proof << "\n";
        }
}

/// Of a run of several.
std::string framesOf(const design::Design& design) {
    TextOut text;
    if (design.frames > 1)
        text << design.frames << " frames of " << std::setprecision(12) << design.cyclesPerFrame()
             << " cycles, ";
    if (design.schedule && design.schedule->groups > 1)
        text << "in " << design.schedule->groups << " groups in flight, ";
    return text.str();
}

void printBands(const design::Design& design) {
    for (const design::LayerBands& bands : design.bands)
        std::cout << "bands: " << design.calls[bands.first].layer
                  << (bands.first == bands.last ? " is"
                                                : " to " + design.calls[bands.last].layer + " are")
                  << " computed in bands of " << bands.rows
                  << (bands.rows == 1 ? " row\n" : " rows\n");
    for (std::size_t k = 0; k < design.outside.size(); ++k)
        std::cout << (k == 0 ? "in external memory: " : ", ") << design.outside[k]
                  << (k + 1 == design.outside.size() ? "\n" : "");
}

void printExploration(const session::Exploration& exploration) {
    const egraph::EGraph& egraph = *exploration.lowered->egraph;
    const extract::ExtractResult& result = exploration.extraction;
    std::cout << "program " << exploration.program->name << " on " << exploration.setup.device.name
              << " (" << exploration.setup.device.id << ")\n"
              << "e-graph: " << egraph.enodeCount() << " e-nodes, " << egraph.eclassCount()
              << " e-classes, " << exploration.iterations.size() << " iterations, "
              << egraph::toString(exploration.outcome) << "\n"
              << "extraction: " << extract::toString(result.status);
    if (!result.design) {
        std::cout << "\n" << format(result.infeasible);
        return;
    }
    if (result.milp)
        printMilp(*result.milp);
    const design::Design& design = *result.design;
    std::cout << ", lower bound " << std::setprecision(12) << result.lowerBound
              << std::setprecision(6) << " cycles, gap " << 100 * result.gap << " %\n"
              << "design: " << design.cycles << " cycles, " << framesOf(design) << design.gops
              << " GOPS at " << design.clockMhz << " MHz; DSP " << design.resources.dsp << " of "
              << exploration.setup.limits.dsp;
    if (design.model == design::CostModel::Cycles)
        std::cout << ", " << exploration.setup.device.ramKind << " " << design.resources.bram
                  << " of " << exploration.setup.limits.bram << ", LUT ~" << design.resources.lut
                  << " of " << exploration.setup.limits.lut << " ("
                  << exploration.setup.device.lutUnit << ")";
    if (design.utilisation)
        std::cout << "; multipliers " << std::fixed << std::setprecision(1)
                  << 100 * *design.utilisation << " % used" << std::defaultfloat
                  << std::setprecision(6);
    std::cout << "\n";
    printUnits(design);
    printCalls(design);
    printBands(design);
    printImported(*exploration.program, exploration.lowered->plan);
    printFront(result);
    if (const Status exportable = session::exportable(design); !exportable)
        std::cout << exportable.error().front().message << "\n";
}

int explore(ExploreCommandOptions options, const CLI::App& command) {
    const auto input = readInput(options.explore, command);
    if (!input)
        return fail(input.error(), options.json);
    const OutputPlace output{options.out, options.force, input->files};
    if (const Status free = checkFile(output, FileKind::Design); !free)
        return fail(free.error(), options.json);
    auto exploration = session::explore(input->program, input->settings, input->pins);
    if (!exploration)
        return fail(exploration.error(), options.json);
    const extract::ExtractResult& result = exploration->extraction;
    std::string why;
    if (result.design && !options.why.empty()) {
        auto text = extract::whyText(*exploration->lowered, *result.design, options.why);
        if (!text)
            return fail(text.error(), options.json);
        why = *std::move(text);
    }
    if (result.design && !options.out.empty()) {
        const Status written = writeFile(
            output, FileKind::Design,
            session::designJson(*result.design, *exploration->program, exploration->choices));
        if (!written)
            return fail(written.error(), options.json);
    }
    if (options.json) {
        Json report = makeReport();
        report.update(Json::parse(session::exploreJson(*exploration)));
        if (!why.empty())
            report["why"] = why;
        printJson(report);
    } else {
        printExploration(*exploration);
        std::cout << why;
    }
    return result.design ? kDone : kAnswerIsNo;
}

} // namespace

void addExploreCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<ExploreCommandOptions>();
    CLI::App* command =
        app.add_subcommand("explore", "Saturate, extract and report the best design");
    addExploreOptions(*command, options->explore);
    command->add_option("--why", options->why, "explain the choice of this unit");
    command->add_option("--out", options->out, "write the design to this DESIGN.json");
    addForceOption(*command, options->force);
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback(
        [options, command, &context] { context.exitStatus = explore(*options, *command); });
}

} // namespace marquetry::cli
