#include "engine/artefact/experiment.h"

#include "engine/artefact/checkpoint_run.h"
#include "engine/artefact/design_artefact.h"
#include "engine/artefact/exported_core.h"
#include "engine/artefact/simulator.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/artefact/vectors.h"
#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/lower_design/lower_design.h"
#include "engine/rtl/netlist.h"
#include "engine/support/quote.h"

#include "engine/support/json.h"

namespace marquetry::hdl {

namespace {

using Json = nlohmann::ordered_json;

/// The layer that computed the tensor an output stores; the port's own name for a copied input.
std::string layerOf(const design::Schedule& schedule, const RtlPlan& plan,
                    const std::string& output) {
    for (const StreamPlan& store : plan.stores) {
        if (store.name != output)
            continue;
        for (const design::Step& step : schedule.steps)
            if (const auto target = design::targetOf(step);
                target && schedule.tensor(*target).value == store.tensor.value &&
                design::layerOf(step) != nullptr)
                return *design::layerOf(step);
    }
    return output;
}

struct DeclaredStream {
    std::string port;
    ir::Type type;
    std::int64_t elements; ///< of a frame of each group, that no step has moved
};

std::vector<DeclaredStream> inputsOf(const ir::Program& program, std::int64_t groups) {
    std::vector<DeclaredStream> inputs;
    for (const ir::ValueId id : program.inputs) {
        const ir::Type& type = program.value(id).type;
        inputs.push_back({program.value(id).name, type, groups * type.elements()});
    }
    return inputs;
}

std::vector<DeclaredStream> outputsOf(const ir::Program& program, std::int64_t groups) {
    std::vector<DeclaredStream> outputs;
    for (const ir::Output& output : program.outputs) {
        const ir::Type& type = program.value(output.value).type;
        outputs.push_back({output.name, type, groups * type.elements()});
    }
    return outputs;
}

/// The streams of the schedule are the inputs and outputs of the program.
Status checkPorts(const design::Schedule& schedule, const ir::Program& program) {
    std::vector<DeclaredStream> inputs = inputsOf(program, schedule.groups);
    std::vector<DeclaredStream> outputs = outputsOf(program, schedule.groups);
    std::size_t begun = 0; // outputs, which come in their order
    const auto differs = [](const std::string& port) {
        return makeError("schedule-form", "the schedule and the program disagree about " + port,
                         "export the design again");
    };
    for (const design::Step& step : schedule.steps) {
        const auto* load = std::get_if<design::LoadStep>(&step);
        if (load != nullptr && !load->external) {
            const design::StoredTensor& tensor = schedule.tensor(load->tensor);
            const auto input = std::ranges::find(inputs, load->port, &DeclaredStream::port);
            if (input == inputs.end() || input->type.scalar != tensor.scalar)
                return differs(load->port);
            input->elements -= tensor.elements();
        }
        const auto* store = std::get_if<design::StoreStep>(&step);
        if (store != nullptr && !store->external) {
            const design::StoredTensor& tensor = schedule.tensor(store->tensor);
            const auto output = std::ranges::find(outputs, store->port, &DeclaredStream::port);
            const auto place = static_cast<std::size_t>(output - outputs.begin());
            if (output == outputs.end() || place > begun || output->type != store->type ||
                output->type.elements() != tensor.elements())
                return differs(store->port);
            begun = std::max(begun, place + 1);
            output->elements -= tensor.elements();
        }
    }
    for (const auto* streams : {&inputs, &outputs})
        for (const DeclaredStream& stream : *streams)
            if (stream.elements != 0)
                return differs(stream.port);
    return ok();
}

/// Of DESIGN.json.
Result<design::Schedule> scheduleIn(const ExportFolder& source) {
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
    return *std::move(schedule);
}

SimulatorInput inputOf(const ExportedCore& core, const DesignNames& names,
                       const VerifyParams& params) {
    if (core.hasShell())
        return {kAxiBench, core.bench().names.bench, params.vectors};
    if (params.simulator == Simulator::Verilator)
        return {kDesignVerilatorBench, names.top};
    return {kDesignVerilogBench, names.bench, params.vectors};
}

/// How a design is simulated: once as its prediction has it, and with gaps where that differs.
std::vector<Trial> trialsOf(const VerifyParams& params, const RtlPlan& plan) {
    const std::vector<std::string> arguments = {"+dir=vectors", cat("+vectors=", params.vectors),
                                                seedArgument(params.seed)};
    const auto with = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), more);
        return all;
    };
    if (!plan.memory && plan.ordered() && params.gaps)
        return {{"simulating without gaps", with({"+gaps=0"})},
                {"simulating with random gaps", with({"+gaps=1"}), false}};
    if (!plan.memory)
        return {{"simulating", with({params.gaps ? "+gaps=1" : "+gaps=0"})}};
    std::vector<Trial> trials = {
        {"simulating on a nominal memory", with({"+gaps=0", "+memory=0"})}};
    if (params.gaps)
        trials.push_back(
            {"simulating with random gaps and latencies", with({"+gaps=1", "+memory=1"}), false});
    return trials;
}

std::shared_ptr<const CheckpointRequest> checkpointsIn(const design::Schedule& schedule,
                                                       const RtlPlan& plan,
                                                       const ir::Program& program, bool shelled) {
    return std::make_shared<CheckpointRequest>(CheckpointRequest{
        schedule, plan, &program, designNames(plan).top, shelled ? "dut.core" : "dut"});
}

void predict(const design::Schedule& schedule, const RtlPlan& plan, Experiment& made) {
    made.predictedCycles = plan.cycles;
    if (plan.memory)
        made.predictedStalls = plan.waiting.total();
    if (plan.memory && plan.memory->writes)
        made.predictedMoveStalls = {plan.waiting.loads, plan.waiting.stores};
    if (plan.ordered())
        // Where others wait for weights, the first queue may work in clocks that are stalls.
        made.overlaps = {plan.fetchesBeside() ? 0 : design::cyclesOfCalls(schedule),
                         design::cyclesWithoutWaits(schedule)};
}

} // namespace

Result<Experiment> experimentOf(const ExportFolder& source, const ir::Program& program,
                                const VerifyParams& params, std::stop_token) {
    const auto schedule = scheduleIn(source);
    if (!schedule)
        return schedule.error();
    if (Status status = checkPorts(*schedule, program); !status)
        return status.error();
    const RtlPlan plan = makePlan(*schedule);
    const DesignNames names = designNames(plan);
    const auto core = ExportedCore::in(source, coreOf(plan), plan.name, designBench(plan, names));
    if (!core)
        return core.error();
    Experiment made;
    made.name = plan.name;
    made.benches = core->hasShell() ? axiBenches(core->bench()) : designBenches(plan, names);
    made.input = inputOf(*core, names, params);
    predict(*schedule, plan, made);
    made.clocks = made.predictedCycles * params.vectors;
    made.trials = trialsOf(params, plan);
    made.slowStreams = core->convertsStreams();
    made.vectorsSaid = cat("computing ", params.vectors, " reference vectors");
    made.vectors = [&program, plan, params,
                    core = *core](std::stop_token stop) -> Result<files::FolderFiles> {
        const auto vectors =
            makeVectors(program, {params.vectors, params.seed, plan.frames}, std::move(stop));
        if (!vectors)
            return vectors.error();
        return core.vectors(vectorFiles(plan, *vectors));
    };
    made.checkpoints = checkpointsIn(*schedule, plan, program, core->hasShell());
    made.layerOf = [schedule = *schedule, plan](const std::string& output) {
        return layerOf(schedule, plan, output);
    };
    if (Status status = checkBench(source, made.benches); !status)
        return status.error();
    return made;
}

} // namespace marquetry::hdl
