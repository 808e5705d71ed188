#include "engine/hdl/verify.h"

#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/hdl/lower_design.h"
#include "engine/hdl/manifest.h"
#include "engine/hdl/netlist.h"
#include "engine/hdl/simulation.h"
#include "engine/hdl/testbench_writer.h"
#include "engine/hdl/vectors.h"
#include "engine/support/json_depth.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace marquetry::hdl {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// A failing run this long is not repeated with a trace: the file would be gigabytes.
constexpr std::int64_t kLongestTrace = 200'000;
/// Builds and runs one export with one simulator.
class Runner {
public:
    Runner(const OpenedExport& opened, const RtlPlan& plan, const VerifyParams& params,
           std::stop_token stop)
        : simulation_(opened.folder, params.simulator, std::move(stop)),
          plan_(plan),
          params_(params) {}

    Status prepare(const TestVectors& vectors) {
        return simulation_.prepare(vectorFiles(plan_, vectors));
    }

    Status build(bool trace) {
        return simulation_.icarus() ? buildIcarus() : buildVerilator(trace);
    }

    Result<std::string> run(bool trace) {
        std::vector<std::string> command;
        if (simulation_.icarus())
            command = {"vvp", "-n", simulation_.folder() + "/simulation"};
        else
            command = {objects(trace) + "/V" + plan_.name + "_top"};
        command.push_back("+dir=" + simulation_.vectors());
        command.push_back(cat("+vectors=", params_.vectors));
        command.push_back(cat("+seed=", params_.seed % 2147483647));
        command.push_back(params_.gaps ? "+gaps=1" : "+gaps=0");
        if (trace)
            command.push_back("+vcd=" + simulation_.tracePath());
        return simulation_.run(command);
    }

    std::string tracePath() const { return simulation_.tracePath(); }

private:
    std::string objects(bool trace) const {
        return simulation_.folder() + (trace ? "/traced" : "/objects");
    }

    Status buildVerilator(bool trace) {
        const std::string top = plan_.name + "_top";
        std::vector<std::string> command = {"verilator",   "--cc",         "--exe",       "-O3",
                                            "--x-assign",  "fast",         "--x-initial", "fast",
                                            "--noassert",  "--top-module", top,           "--Mdir",
                                            objects(trace)};
        if (trace)
            command.insert(command.end(), {"--trace", "-CFLAGS", "-DMARQUETRY_TRACE"});
        for (std::string& file : simulation_.modules())
            command.push_back(std::move(file));
        command.push_back(simulation_.source() + "/tb/tb_verilator.cpp");
        if (Status status = simulation_.build(command); !status)
            return status;
        return simulation_.build({"make", "-s", "-C", objects(trace), "-f", "V" + top + ".mk",
                                  "OPT_FAST=-O2", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"});
    }

    Status buildIcarus() {
        std::vector<std::string> command = {"iverilog",
                                            "-g2001",
                                            cat("-P", plan_.name, "_tb.VECTORS=", params_.vectors),
                                            "-s",
                                            plan_.name + "_tb",
                                            "-o",
                                            simulation_.folder() + "/simulation",
                                            simulation_.source() + "/tb/tb_icarus.v"};
        for (std::string& file : simulation_.modules())
            command.push_back(std::move(file));
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
        bool ended = false;
        std::istringstream lines(output);
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
                ended = finish(json, report);
        }
        return ended;
    }

private:
    static bool finish(const Json& json, VerifyReport& report) {
        report.pass = json["pass"] == true;
        report.mismatchCount = integer(json, "mismatches");
        if (json.contains("cycles"))
            report.cycles = json["cycles"].get<std::vector<std::int64_t>>();
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

/// Repeats a failing run with a trace. What cannot be traced is left out: the answer stands.
void keepTrace(Runner& runner, const VerifyParams& params, VerifyReport& report) {
    if (report.predictedCycles * params.vectors > kLongestTrace)
        return;
    if (params.simulator == Simulator::Verilator && !runner.build(true))
        return;
    if (runner.run(true) && fs::exists(runner.tracePath()))
        report.trace = runner.tracePath();
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

Result<OpenedExport> openExport(const std::string& folder) {
    if (Status status = checkManifest(folder); !status)
        return status.error();
    const auto text = readText(folder + "/DESIGN.json");
    if (!text)
        return text.error();
    const Json json = nestsTooDeep(*text) ? Json() : Json::parse(*text, nullptr, false);
    const auto named = [&](const char* field) {
        return json.is_object() && json.contains(field) && json[field].is_string();
    };
    if (!named("program") || !named("program_file") || !json.contains("schedule"))
        return makeError("schedule-form",
                         "DESIGN.json of " + folder + " names no program or holds no schedule",
                         "export the design again");
    auto schedule = design::scheduleFromJson(json["schedule"]);
    if (!schedule)
        return schedule.error();
    if (Status status = check(*schedule); !status)
        return status.error();
    OpenedExport opened;
    opened.folder = folder;
    opened.schedule = std::move(*schedule);
    opened.program = json["program"].get<std::string>();
    opened.programFile = folder + "/" + json["program_file"].get<std::string>();
    return opened;
}

Result<VerifyReport> verify(const OpenedExport& opened, const ir::Program& program,
                            const VerifyParams& params, std::stop_token stop,
                            const VerifyProgress& progress) {
    const auto say = [&](const std::string& line) {
        if (progress)
            progress(line);
    };
    if (Status status = checkPorts(opened.schedule, program); !status)
        return status.error();
    VerifyReport report;
    report.simulator = params.simulator;
    report.vectors = params.vectors;
    report.predictedCycles = design::predictCycles(opened.schedule).total;
    say(cat("predicted ", report.predictedCycles, " cycles"));
    const RtlPlan plan = makePlan(opened.schedule);
    say(cat("computing ", params.vectors, " reference vectors"));
    const auto vectors = makeVectors(program, {params.vectors, params.seed}, stop);
    if (!vectors)
        return vectors.error();
    Runner runner(opened, plan, params, stop);
    if (Status status = runner.prepare(*vectors); !status)
        return status.error();
    say(cat("building with ", nameOf(params.simulator)));
    if (Status status = runner.build(false); !status)
        return status.error();
    say("simulating");
    const auto output = runner.run(false);
    if (!output)
        return output.error();
    if (!Reader(opened.schedule, plan).read(*output, report))
        return makeError("simulator-run",
                         "the simulation did not end as it should:\n" + tail(*output));
    report.pass = report.pass && asPredicted(report);
    if (!report.pass)
        keepTrace(runner, params, report);
    return report;
}

} // namespace marquetry::hdl
