#include "engine/hdl/verify.h"

#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/hdl/lower_design.h"
#include "engine/hdl/manifest.h"
#include "engine/hdl/netlist.h"
#include "engine/hdl/process.h"
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
constexpr std::size_t kShownLog = 2000;

std::string tail(const std::string& text) {
    return text.size() > kShownLog ? text.substr(text.size() - kShownLog) : text;
}

std::vector<std::string> verilogFiles(const std::string& rtl) {
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(rtl))
        if (entry.path().extension() == ".v")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

/// Builds and runs one export with one simulator.
class Runner {
public:
    Runner(const OpenedExport& opened, const RtlPlan& plan, const VerifyParams& params,
           std::stop_token stop)
        : folder_(fs::absolute(opened.folder).string()),
          plan_(plan),
          params_(params),
          stop_(std::move(stop)),
          build_(folder_ + "/build/" + hdl::nameOf(params.simulator)) {}

    Status prepare(const TestVectors& vectors) {
        const bool spaces = build_.find_first_of(" \t") != std::string::npos;
        if (spaces && params_.simulator == Simulator::Verilator)
            return makeError("simulator-build",
                             "Verilator builds with make, which takes no spaces in " + build_,
                             "move the export to a path without spaces, or use iverilog");
        std::error_code error;
        fs::remove_all(build_, error);
        fs::create_directories(build_ + "/vectors", error);
        if (error)
            return makeError("output-unwritable",
                             "cannot write " + build_ + ": " + error.message());
        for (const auto& [name, text] : vectorFiles(plan_, vectors))
            if (Status status = writeText(build_ + "/vectors/" + name, text); !status)
                return status;
        return ok();
    }

    Status build(bool trace) {
        return params_.simulator == Simulator::Verilator ? buildVerilator(trace) : buildIcarus();
    }

    Result<std::string> run(bool trace) {
        const std::string name = plan_.name + "_top";
        ProcessParams process;
        process.folder = folder_ + "/rtl"; // where the memory files are
        if (params_.simulator == Simulator::Verilator)
            process.arguments = {objects(trace) + "/V" + name};
        else
            process.arguments = {"vvp", "-n", build_ + "/simulation"};
        process.arguments.push_back("+dir=" + build_ + "/vectors");
        process.arguments.push_back(cat("+vectors=", params_.vectors));
        process.arguments.push_back(cat("+seed=", params_.seed % 2147483647));
        process.arguments.push_back(params_.gaps ? "+gaps=1" : "+gaps=0");
        if (trace)
            process.arguments.push_back("+vcd=" + tracePath());
        const auto result = runProcess(process, stop_);
        if (!result)
            return result.error();
        return result->output;
    }

    std::string tracePath() const { return build_ + "/failure.vcd"; }

private:
    std::string objects(bool trace) const { return build_ + (trace ? "/traced" : "/objects"); }

    Status runTool(const std::vector<std::string>& arguments) {
        const auto result = runProcess({arguments, folder_ + "/rtl"}, stop_);
        if (!result)
            return result.error();
        if (result->exitCode != 0)
            return makeError("simulator-build", arguments.front() + " failed with status " +
                                                    std::to_string(result->exitCode) + ":\n" +
                                                    tail(result->output));
        return ok();
    }

    Status buildVerilator(bool trace) {
        const std::string top = plan_.name + "_top";
        std::vector<std::string> arguments = {
            "verilator", "--cc",        "--exe",       "-O3",        "--x-assign",
            "fast",      "--x-initial", "fast",        "--noassert", "--top-module",
            top,         "--Mdir",      objects(trace)};
        if (trace)
            arguments.insert(arguments.end(), {"--trace", "-CFLAGS", "-DMARQUETRY_TRACE"});
        for (std::string& file : verilogFiles(folder_ + "/rtl"))
            arguments.push_back(std::move(file));
        arguments.push_back(folder_ + "/tb/tb_verilator.cpp");
        if (Status status = runTool(arguments); !status)
            return status;
        return runTool({"make", "-s", "-C", objects(trace), "-f", "V" + top + ".mk", "OPT_FAST=-O2",
                        "OPT_SLOW=-O0", "OPT_GLOBAL=-O1"});
    }

    Status buildIcarus() {
        std::vector<std::string> arguments = {
            "iverilog",
            "-g2001",
            cat("-P", plan_.name, "_tb.VECTORS=", params_.vectors),
            "-s",
            plan_.name + "_tb",
            "-o",
            build_ + "/simulation",
            folder_ + "/tb/tb_icarus.v"};
        for (std::string& file : verilogFiles(folder_ + "/rtl"))
            arguments.push_back(std::move(file));
        return runTool(arguments);
    }

    std::string folder_;
    const RtlPlan& plan_;
    const VerifyParams& params_;
    std::stop_token stop_;
    std::string build_;
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

/// Integers may be printed as "x" by a four-state simulator: such a value reads as 0.
std::int64_t integer(const Json& json, const char* name) {
    return json.contains(name) && json[name].is_number_integer() ? json[name].get<std::int64_t>()
                                                                 : 0;
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
            const Json json = Json::parse(known(line), nullptr, false);
            if (!json.is_object())
                continue;
            if (json.contains("mismatch"))
                mismatch(json["mismatch"], line, report);
            else if (json.contains("counted"))
                report.cycles.push_back(integer(json, "counted"));
            else if (json.contains("pass"))
                ended = finish(json, report);
        }
        return ended;
    }

private:
    /// Unquoted x or z values made strings, so that the line is JSON.
    static std::string known(const std::string& line) {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const bool value = i > 0 && line[i - 1] == ':';
            const bool unknown = line[i] == 'x' || line[i] == 'X' || line[i] == 'z';
            text += value && unknown ? std::string("\"x\"") : std::string(1, line[i]);
        }
        return text;
    }

    void mismatch(const Json& json, const std::string& line, VerifyReport& report) {
        VerifyMismatch m;
        m.output = json.value("output", "");
        m.layer = layerOf(schedule_, plan_, m.output);
        m.vector = integer(json, "vector");
        m.index = integer(json, "index");
        m.expected = integer(json, "expected");
        m.got = integer(json, "got");
        m.cycle = integer(json, "cycle");
        m.what = json.value("what", "");
        if (known(line) != line)
            m.what += " (unknown bits)";
        report.mismatches.push_back(std::move(m));
    }

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
