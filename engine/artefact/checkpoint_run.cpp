#include "engine/artefact/checkpoint_run.h"

#include "engine/artefact/checkpoint_bench.h"
#include "engine/artefact/simulation.h"
#include "engine/artefact/vectors.h"
#include "engine/rtl/netlist.h"

#include <algorithm>
#include <set>

namespace marquetry::hdl {

namespace {

/// That of the first mismatch, as far as the bench has said one that exists.
std::int64_t vectorOf(const VerifyReport& report) {
    if (report.mismatches.empty())
        return 0;
    return std::clamp<std::int64_t>(report.mismatches.front().vector, 0, report.vectors - 1);
}

Result<FrameValues> framesOf(const CheckpointRequest& request, std::uint64_t seed,
                             std::int64_t vector, std::stop_token stop) {
    std::set<ir::ValueId> stored; // weights of many frames would fill the memory
    for (const design::StoredTensor& tensor : request.schedule.tensors)
        stored.insert(tensor.value);
    FrameValues frames;
    for (std::int64_t f = 0; f < request.schedule.frames; ++f) {
        auto values = valuesOf(*request.program, seed, vector * request.schedule.frames + f, stop);
        if (!values)
            return values.error();
        for (std::size_t v = 0; v < values->size(); ++v)
            if (!stored.contains(ir::ValueId{v}))
                (*values)[v].data = {};
        frames.push_back(*std::move(values));
    }
    return frames;
}

Result<CheckpointReport> compared(const WatchedTrial& watched, std::stop_token stop,
                                  std::int64_t vector) {
    const CheckpointRequest& request = *watched.experiment.checkpoints;
    const Simulator simulator = watched.params.simulator;
    const auto frames = framesOf(request, watched.params.seed, vector, stop);
    if (!frames)
        return frames.error();
    SimulatorInput input = watched.experiment.input;
    input.modules.push_back(kCheckpointFile);
    const auto simulation = Simulation::make(
        watched.source,
        withCheckpoints(watched.files, request.schedule, request.plan,
                        {simulator, input.bench, request.top, request.core, vector}),
        simulator, input, std::move(stop));
    if (!simulation)
        return simulation.error();
    if (Status built = simulation->build(Waveform::None); !built)
        return built.error();
    std::vector<std::string> arguments = watched.trial.arguments;
    for (const char* const count : {"+vectors=", "+frames="}) // of either bench
        arguments.push_back(cat(count, vector + 1));
    if (const auto output = simulation->run(arguments); !output)
        return output.error();
    return compareCheckpoints(request.schedule, *frames,
                              [&](const std::string& file) { return simulation->written(file); });
}

std::string noteOf(const CheckpointReport& found, const VerifyReport& report) {
    if (found.wrong || !found.note.empty() || report.mismatchCount == 0)
        return found.note;
    return cat("every stored tensor is right at ", found.compared,
               " checkpoints: what is wrong is how outputs are sent");
}

} // namespace

Status runCheckpoints(const WatchedTrial& watched, std::stop_token stop, VerifyReport& report) {
    report.checkpoints.emplace();
    if (!watched.experiment.checkpoints) {
        report.checkpoints->note = "only designs have checkpoints";
        return ok();
    }
    const std::int64_t vector = vectorOf(report);
    auto found = compared(watched, std::move(stop), vector);
    if (!found && found.error().front().code == "cancelled")
        return found.error();
    if (!found) {
        report.checkpoints->note = "no layer is named: " + found.error().front().message;
        return ok();
    }
    found->note = noteOf(*found, report);
    if (found->wrong)
        found->wrong->vector = vector;
    report.pass = report.pass && !found->wrong;
    report.checkpoints = *std::move(found);
    return ok();
}

} // namespace marquetry::hdl
