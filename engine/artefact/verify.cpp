#include "engine/artefact/verify.h"

#include "engine/artefact/simulation.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/artefact/vectors.h"
#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/netlist.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVerilatorBench = "tb/tb_verilator.cpp";
constexpr const char* kVerilogBench = "tb/tb_icarus.v";

/// Builds and runs one export with one simulator.
class Runner {
public:
    Runner(Simulation simulation, const RtlPlan& plan, const VerifyParams& params)
        : simulation_(std::move(simulation)), plan_(plan), params_(params) {}

    Status build(bool trace) const {
        return simulation_.icarus() ? buildIcarus() : buildVerilator(trace);
    }

    Result<std::string> run() const { return simulation_.run(command(false)); }

    /// Repeats a failing run with a trace.
    void keepTrace(VerifyReport& report) const {
        if (!isTraceable(report.predictedCycles * params_.vectors, report))
            return;
        if (const Status built = simulation_.icarus() ? ok() : build(true); !built)
            report.traceNote = "no trace is kept: " + built.error().front().message;
        else
            simulation_.keepTrace(command(true), plan_.name, report);
    }

private:
    static std::string objects(bool trace) { return trace ? "traced" : "objects"; }

    std::vector<std::string> command(bool trace) const {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"vvp", "-n", "simulation"};
        else
            command = {objects(trace) + "/V" + plan_.name + "_top"};
        command.push_back("+dir=vectors");
        command.push_back(cat("+vectors=", params_.vectors));
        command.push_back(cat("+seed=", params_.seed % 2147483647));
        command.push_back(params_.gaps ? "+gaps=1" : "+gaps=0");
        return command;
    }

    Status buildVerilator(bool trace) const {
        const std::string top = plan_.name + "_top";
        std::vector<std::string> command = {"verilator",   "--cc",         "--exe",       "-O3",
                                            "--x-assign",  "fast",         "--x-initial", "fast",
                                            "--noassert",  "--top-module", top,           "--Mdir",
                                            objects(trace)};
        if (trace)
            command.insert(command.end(), {"--trace", "-CFLAGS", "-DMARQUETRY_TRACE"});
        command.insert(command.end(), simulation_.modules().begin(), simulation_.modules().end());
        command.push_back(kVerilatorBench);
        if (Status status = simulation_.build(command); !status)
            return status;
        return simulation_.build({"make", "-s", "-C", objects(trace), "-f", "V" + top + ".mk",
                                  "OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"});
    }

    Status buildIcarus() const {
        std::vector<std::string> command = {"iverilog",
                                            "-g2001",
                                            cat("-P", plan_.name, "_tb.VECTORS=", params_.vectors),
                                            "-s",
                                            plan_.name + "_tb",
                                            "-o",
                                            "simulation",
                                            kVerilogBench};
        command.insert(command.end(), simulation_.modules().begin(), simulation_.modules().end());
        return simulation_.build(command);
    }

    Simulation simulation_;
    const RtlPlan& plan_;
    const VerifyParams& params_;
};

/// The layer that computed the tensor an output stores; the port's own name for a copied input.
std::string layerOf(const design::Schedule& schedule, const RtlPlan& plan,
                    const std::string& output) {
    for (const StreamPlan& store : plan.stores) {
        if (store.name != output)
            continue;
        for (const design::Step& step : schedule.steps)
            if (const auto* compute = std::get_if<design::ComputeStep>(&step))
                if (compute->output == store.tensor.id)
                    return compute->layer;
    }
    return output;
}

class Reader {
public:
    Reader(const design::Schedule& schedule, const RtlPlan& plan)
        : schedule_(schedule), plan_(plan) {}

    /// The testbench's lines into the report; false when its last line never came.
    bool read(const std::string& output, VerifyReport& report) {
        TextIn lines(output);
        for (std::string line; std::getline(lines, line);) {
            const Json json = testbenchLine(line);
            if (json.is_discarded())
                continue;
            if (json.contains("mismatch")) {
                VerifyMismatch m = mismatchOf(json["mismatch"]);
                m.layer = layerOf(schedule_, plan_, m.output);
                report.mismatches.push_back(std::move(m));
            } else if (json.contains("counted"))
                report.cycles.push_back(integer(json, "counted"));
            else if (json.contains("pass"))
                return finish(json, report);
        }
        return false;
    }

private:
    static bool finish(const Json& json, VerifyReport& report) {
        report.mismatchCount = integer(json, "mismatches");
        report.pass = json["pass"] == true && report.mismatchCount == 0;
        if (!json.contains("cycles"))
            return true;
        report.cycles.clear();
        for (const Json& cycles : json["cycles"])
            report.cycles.push_back(cycles.is_number_integer() ? cycles.get<std::int64_t>() : 0);
        return true;
    }

    const design::Schedule& schedule_;
    const RtlPlan& plan_;
};

/// The streams of the schedule are the inputs and outputs of the program.
Status checkPorts(const design::Schedule& schedule, const ir::Program& program) {
    std::size_t loads = 0;
    std::size_t stores = 0;
    const auto differs = [](const std::string& port) {
        return makeError("schedule-form", "the schedule and the program disagree about " + port,
                         "export the design again");
    };
    for (const design::Step& step : schedule.steps) {
        if (const auto* load = std::get_if<design::LoadStep>(&step)) {
            const design::StoredTensor& tensor = schedule.tensor(load->tensor);
            if (loads >= program.inputs.size())
                return differs(load->port);
            const ir::Value& input = program.value(program.inputs[loads++]);
            if (input.name != load->port || input.type.scalar != tensor.scalar ||
                input.type.elements() != tensor.elements())
                return differs(load->port);
        } else if (const auto* store = std::get_if<design::StoreStep>(&step)) {
            const design::StoredTensor& tensor = schedule.tensor(store->tensor);
            if (stores >= program.outputs.size())
                return differs(store->port);
            const ir::Output& output = program.outputs[stores++];
            const ir::Type& type = program.value(output.value).type;
            if (output.name != store->port || type != store->type ||
                type.elements() != tensor.elements())
                return differs(store->port);
        }
    }
    if (loads != program.inputs.size() || stores != program.outputs.size())
        return differs("the number of streams");
    return ok();
}

bool asPredicted(const VerifyReport& report) {
    return static_cast<int>(report.cycles.size()) == report.vectors &&
           std::all_of(report.cycles.begin(), report.cycles.end(),
                       [&](std::int64_t c) { return c == report.predictedCycles; });
}

} // namespace

Result<Simulator> simulatorNamed(const std::string& name) {
    if (name == "verilator")
        return Simulator::Verilator;
    if (name == "iverilog")
        return Simulator::Icarus;
    return makeError("unknown-simulator", "there is no simulator " + name,
                     "simulators: verilator, iverilog");
}

const char* nameOf(Simulator simulator) {
    return simulator == Simulator::Verilator ? "verilator" : "iverilog";
}

Result<OpenedDesign> openDesign(ExportFolder source) {
    const Json json = designOf(source);
    if (!json.contains("schedule"))
        return makeError("schedule-form",
                         "DESIGN.json of " + inQuotes(source.path) + " holds no schedule",
                         "export the design again");
    auto schedule = design::scheduleFromJson(json["schedule"]);
    if (!schedule)
        return schedule.error();
    if (Status status = check(*schedule); !status)
        return status.error();
    return OpenedDesign{std::move(source), *std::move(schedule)};
}

Result<VerifyReport> verify(const OpenedDesign& opened, const ir::Program& program,
                            const VerifyParams& params, std::stop_token stop,
                            const VerifyProgress& progress) {
    const auto say = [&](const std::string& line) {
        if (progress)
            progress(line);
    };
    if (Status status = checkPorts(opened.schedule, program); !status)
        return status.error();
    const RtlPlan plan = makePlan(opened.schedule);
    files::FolderFiles files = {{kVerilatorBench, writeVerilatorTestbench(plan)},
                                {kVerilogBench, writeVerilogTestbench(plan)}};
    if (Status status = checkBench(opened.source, files); !status)
        return status.error();
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = design::predictCycles(opened.schedule).total;
    say(cat("predicted ", report.predictedCycles, " cycles"));
    say(cat("computing ", params.vectors, " reference vectors"));
    const auto vectors = makeVectors(program, {params.vectors, params.seed}, stop);
    if (!vectors)
        return vectors.error();
    for (auto& [name, text] : vectorFiles(plan, *vectors))
        files["vectors/" + name] = text;
    auto simulation = Simulation::make(opened.source, files, params.simulator, stop);
    if (!simulation)
        return simulation.error();
    const Runner runner(*std::move(simulation), plan, params);
    say(cat("building with ", nameOf(params.simulator)));
    if (Status status = runner.build(false); !status)
        return status.error();
    say("simulating");
    const auto output = runner.run();
    if (!output)
        return output.error();
    if (!Reader(opened.schedule, plan).read(*output, report))
        return unfinished(*output);
    report.pass = report.pass && asPredicted(report);
    if (!report.pass)
        runner.keepTrace(report);
    return report;
}

} // namespace marquetry::hdl
