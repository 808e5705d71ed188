#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/outputs.h"
#include "app/cli/report.h"
#include "engine/session/verify_export.h"
#include "engine/support/quote.h"

#include <iostream>

namespace marquetry::cli {

namespace {

struct VerifyOptions {
    std::string folder;
    std::string simulator = "verilator";
    std::string trace; ///< of an FST
    hdl::VerifyParams params;
    bool json = false;
};

Json mismatchJson(const hdl::VerifyMismatch& mismatch) {
    return {{"output", mismatch.output},     {"layer", mismatch.layer},
            {"vector", mismatch.vector},     {"index", mismatch.index},
            {"expected", mismatch.expected}, {"got", mismatch.got},
            {"cycle", mismatch.cycle},       {"what", mismatch.what}};
}

Json wrongJson(const hdl::WrongElement& wrong) {
    Json json = {{wrong.input ? "input" : "layer", wrong.layer},
                 {"tensor", wrong.tensor},
                 {"step", wrong.step},
                 {"vector", wrong.vector},
                 {"frame", wrong.frame},
                 {"index", wrong.index},
                 {"element", wrong.element},
                 {"axes", hdl::axisNames(wrong.element.size())},
                 {"expected", wrong.expected},
                 {"got", wrong.got ? Json(*wrong.got) : Json()}};
    if (!wrong.overwrittenBefore.empty())
        json["overwritten_before"] = wrong.overwrittenBefore;
    return json;
}

void addCheckpoints(const hdl::CheckpointReport& checkpoints, Json& json) {
    json["checkpoints"] = checkpoints.compared;
    json["first_wrong"] = checkpoints.wrong ? wrongJson(*checkpoints.wrong) : Json();
    if (!checkpoints.note.empty())
        json["checkpoint_note"] = checkpoints.note;
}

Json stallsJson(std::int64_t all, const hdl::MoveStalls& moves) {
    return {{"weights", all - moves.loads - moves.stores},
            {"loads", moves.loads},
            {"stores", moves.stores}};
}

/// "12 (for weights 5, loads 4, stores 3)".
std::string stallsText(std::int64_t all, const hdl::MoveStalls* moves) {
    const std::string text = std::to_string(all);
    if (!moves)
        return text;
    return text + " (for weights " + std::to_string(all - moves->loads - moves->stores) +
           ", loads " + std::to_string(moves->loads) + ", stores " + std::to_string(moves->stores) +
           ")";
}

Json verifyJson(const hdl::VerifyReport& report) {
    Json json = makeReport();
    json["pass"] = report.pass;
    json["simulator"] = hdl::nameOf(report.simulator);
    json["vectors"] = report.vectors;
    json["cycles"] = report.cycles.empty() ? Json() : Json(report.cycles.front());
    json["cycles_of_vectors"] = report.cycles;
    json["predicted_cycles"] = report.predictedCycles > 0 ? Json(report.predictedCycles) : Json();
    if (report.predictedStalls) {
        json["predicted_stalls"] = *report.predictedStalls;
        json["stalls_of_vectors"] = report.stalls;
    }
    if (report.predictedMoveStalls) {
        json["predicted_stalls_by_cause"] =
            stallsJson(*report.predictedStalls, *report.predictedMoveStalls);
        json["stalls_by_cause_of_vectors"] = Json::array();
        for (std::size_t v = 0; v < report.moveStalls.size(); ++v)
            json["stalls_by_cause_of_vectors"].push_back(
                stallsJson(report.stalls[v], report.moveStalls[v]));
    }
    json["mismatches"] = Json::array();
    for (const hdl::VerifyMismatch& mismatch : report.mismatches)
        json["mismatches"].push_back(mismatchJson(mismatch));
    json["mismatch_count"] = report.mismatchCount;
    if (report.checkpoints)
        addCheckpoints(*report.checkpoints, json);
    json["trace"] = report.trace;
    if (!report.traceNote.empty())
        json["trace_note"] = report.traceNote;
    return json;
}

void printVerified(const hdl::VerifyReport& report) {
    for (const hdl::VerifyMismatch& mismatch : report.mismatches)
        std::cout << "mismatch (" << mismatch.what << "): output " << mismatch.output << ", layer "
                  << mismatch.layer << ", vector " << mismatch.vector << ", index "
                  << mismatch.index << ": expected " << mismatch.expected << ", got "
                  << mismatch.got << " at cycle " << mismatch.cycle << "\n";
    if (report.checkpoints)
        std::cout << hdl::toText(*report.checkpoints) << "\n";
    std::cout << (report.pass ? "pass" : "FAIL") << ": " << report.vectors << " vectors with "
              << hdl::nameOf(report.simulator) << ", ";
    if (report.predictedCycles > 0)
        std::cout << "predicted " << report.predictedCycles << " cycles";
    else
        std::cout << "cycles not predicted";
    std::cout << ", simulated";
    for (std::int64_t cycles : report.cycles)
        std::cout << " " << cycles;
    if (report.predictedStalls) {
        const auto& predicted = report.predictedMoveStalls;
        std::cout << ", of them waiting for memory: predicted "
                  << stallsText(*report.predictedStalls, predicted ? &*predicted : nullptr)
                  << ", simulated";
        for (std::size_t v = 0; v < report.stalls.size(); ++v)
            std::cout << " "
                      << stallsText(report.stalls[v],
                                    report.moveStalls.empty() ? nullptr : &report.moveStalls[v]);
    }
    std::cout << ", " << report.mismatchCount << " mismatches\n";
    if (!report.trace.empty())
        std::cout << "trace: " << report.trace << "\n";
    if (!report.traceNote.empty())
        std::cout << report.traceNote << "\n";
}

Status checkTrace(const OutputPlace& trace) {
    if (!trace.path.empty() && !trace.path.ends_with(".fst"))
        return makeError("trace-form",
                         "waveforms are written in FST format, and " + inQuotes(trace.path) +
                             " does not say so",
                         "name a file that ends in .fst");
    return checkFile(trace, FileKind::Waveforms);
}

int runVerify(VerifyOptions options) {
    const auto simulator = hdl::simulatorNamed(options.simulator);
    if (!simulator)
        return fail(simulator.error(), options.json);
    options.params.simulator = *simulator;
    options.params.waveforms = !options.trace.empty();
    const OutputPlace trace{options.trace, false, {}};
    if (const Status status = checkTrace(trace); !status)
        return fail(status.error(), options.json);
    auto report = session::verifyExport(options.folder, options.params, {},
                                        [](const std::string& line) { std::cerr << line << "\n"; });
    if (!report)
        return fail(report.error(), options.json);
    if (options.params.waveforms) {
        if (const Status status = writeFile(trace, FileKind::Waveforms, report->waveforms); !status)
            return fail(status.error(), options.json);
        report->trace = options.trace;
    }
    if (options.json)
        printJson(verifyJson(*report));
    else
        printVerified(*report);
    return report->pass ? kDone : kAnswerIsNo;
}

} // namespace

void addVerifyCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* command =
        app.add_subcommand("verify", "Simulate an export and compare every output bit");
    command->add_option("DIR", options->folder, "folder of an export")->required();
    command->add_option("--simulator", options->simulator, "verilator or iverilog")
        ->capture_default_str();
    command->add_option("--vectors", options->params.vectors, "input vectors")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    command->add_option("--seed", options->params.seed, "seed of vectors and stream gaps")
        ->check(notNegative());
    command->add_flag("!--no-gaps", options->params.gaps,
                      "streams without random gaps and back-pressure");
    command->add_flag(
        "--checkpoints", options->params.checkpoints,
        "compare what a design stores after each step, also when its outputs are right");
    command->add_option("--trace", options->trace,
                        "writes the waveforms of the first run: FILE.fst");
    command->add_flag("--json", options->json, "one JSON object on standard output");
    command->callback([options, &context] { context.exitStatus = runVerify(*options); });
}

} // namespace marquetry::cli
