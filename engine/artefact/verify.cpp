#include "engine/artefact/verify.h"

#include "engine/artefact/bench_output.h"
#include "engine/artefact/checkpoint_run.h"
#include "engine/artefact/experiment.h"
#include "engine/artefact/simulation.h"
#include "engine/rtl/netlist.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

class Verification {
public:
    Verification(const ExportFolder& source, const VerifyParams& params,
                 const VerifyProgress& progress)
        : source_(source), params_(params), progress_(progress) {}

    Result<VerifyReport> run(Experiment experiment, std::stop_token stop) {
        if (experiment.exact)
            say(cat("predicted ", experiment.predictedCycles, " cycles"));
        auto files = filesOf(experiment, stop);
        if (!files)
            return files.error();
        experiment.input.clocks = experiment.clocks;
        const auto simulation =
            Simulation::make(source_, *files, params_.simulator, experiment.input, stop);
        if (!simulation)
            return simulation.error();
        say(cat("building with ", nameOf(params_.simulator)));
        if (Status status = simulation->build(built()); !status)
            return status.error();
        VerifyReport report = begun(experiment);
        const Trial* last = nullptr;
        for (const Trial& trial : experiment.trials) {
            if (!report.pass)
                break;
            last = &trial;
            if (Status status = run(trial, experiment, *simulation, report); !status)
                return status.error();
        }
        if (Status status = checkpoints(*last, experiment, *files, stop, report); !status)
            return status.error();
        if (!report.pass && !params_.waveforms)
            simulation->keepTrace(experiment.trials.front().arguments, experiment.clocks,
                                  experiment.name, report);
        return report;
    }

private:
    void say(const std::string& line) const {
        if (progress_)
            progress_(line);
    }

    Waveform built() const { return params_.waveforms ? Waveform::Fst : Waveform::None; }

    VerifyReport begun(const Experiment& experiment) const {
        VerifyReport report;
        report.pass = true;
        report.simulator = params_.simulator;
        report.vectors = params_.vectors;
        report.predictedCycles = experiment.predictedCycles;
        report.predictedStalls = experiment.predictedStalls;
        report.predictedMoveStalls = experiment.predictedMoveStalls;
        return report;
    }

    /// The benches and what they read.
    Result<files::FolderFiles> filesOf(const Experiment& experiment, std::stop_token stop) const {
        files::FolderFiles files = experiment.benches;
        if (!experiment.vectors)
            return files;
        say(experiment.vectorsSaid);
        const auto vectors = experiment.vectors(std::move(stop));
        if (!vectors)
            return vectors.error();
        for (const auto& [name, text] : *vectors)
            files["vectors/" + name] = text;
        return files;
    }

    Status run(const Trial& trial, const Experiment& experiment, const Simulation& simulation,
               VerifyReport& report) const {
        say(trial.said);
        const auto output = outputOf(trial, experiment, simulation, report);
        if (!output)
            return output.error();
        BenchOutput read = readBench(*output);
        if (!read.ended && !experiment.input.asserts)
            return unfinished(*output);
        if (!read.ended)
            read.endedBy(*output);
        for (VerifyMismatch& mismatch : read.mismatches) {
            if (mismatch.layer.empty() && experiment.layerOf)
                mismatch.layer = experiment.layerOf(mismatch.output);
            report.mismatches.push_back(std::move(mismatch));
        }
        report.mismatchCount += read.mismatchCount;
        report.pass = read.pass && ((!experiment.predictedStalls && !experiment.overlaps) ||
                                    worksAsPredicted(read, experiment));
        if (trial.counts) {
            report.cycles = std::move(read.cycles);
            report.stalls = std::move(read.stalls);
            report.moveStalls = read.moveStalls().value_or(std::vector<MoveStalls>());
            report.pass = report.pass && (!experiment.exact || asPredicted(report, experiment));
        }
        return ok();
    }

    /// Of the first trial also the waveforms, where they are asked for.
    Result<std::string> outputOf(const Trial& trial, const Experiment& experiment,
                                 const Simulation& simulation, VerifyReport& report) const {
        if (!params_.waveforms || &trial != &experiment.trials.front())
            return simulation.run(trial.arguments, built());
        auto run = simulation.runWithFst(trial.arguments);
        if (!run)
            return run.error();
        report.waveforms = std::move(run->fst);
        return std::move(run->output);
    }

    Status checkpoints(const Trial& trial, const Experiment& experiment,
                       const files::FolderFiles& files, std::stop_token stop,
                       VerifyReport& report) const {
        const bool wrong = report.mismatchCount > 0 && experiment.checkpoints != nullptr;
        if (!wrong && !params_.checkpoints)
            return ok();
        if (experiment.checkpoints)
            say("simulating with checkpoints");
        return runCheckpoints({source_, experiment, trial, files, params_}, std::move(stop),
                              report);
    }

    /// But for what the memory makes it wait.
    bool worksAsPredicted(const BenchOutput& read, const Experiment& experiment) const {
        const std::int64_t working =
            experiment.predictedCycles - experiment.predictedStalls.value_or(0);
        bool as = static_cast<int>(read.cycles.size()) == params_.vectors &&
                  read.stalls.size() == (experiment.predictedStalls ? read.cycles.size() : 0);
        const auto moves = read.moveStalls();
        as = as && moves &&
             moves->size() == (experiment.predictedMoveStalls ? read.cycles.size() : 0);
        for (std::size_t v = 0; as && v < moves->size(); ++v)
            as = (*moves)[v].loads + (*moves)[v].stores <= read.stalls[v];
        for (std::size_t v = 0; as && v < read.cycles.size(); ++v) {
            const std::int64_t cycles = read.cycles[v] - (read.stalls.empty() ? 0 : read.stalls[v]);
            as = experiment.overlaps
                     ? cycles >= experiment.overlaps->least && cycles <= experiment.overlaps->most
                     : cycles == working;
        }
        return as;
    }

    static bool asPredicted(const VerifyReport& report, const Experiment& experiment) {
        const auto predicted = static_cast<double>(report.predictedCycles);
        if (report.predictedStalls)
            return std::ranges::all_of(report.cycles, [&](std::int64_t cycles) {
                const double more = static_cast<double>(cycles) - predicted;
                const double most = kMemoryTolerance * predicted + kMemorySlack;
                return more <= most && (experiment.slowStreams || more >= -most);
            });
        const std::int64_t turn = experiment.turn;
        const bool fewer = experiment.overlaps.has_value() && experiment.slowStreams;
        return static_cast<int>(report.cycles.size()) == report.vectors &&
               (fewer || report.cycles.front() == report.predictedCycles) &&
               std::ranges::all_of(report.cycles, [&](std::int64_t cycles) {
                   return (fewer || cycles >= report.predictedCycles) &&
                          cycles - report.predictedCycles < turn;
               });
    }

    const ExportFolder& source_;
    const VerifyParams& params_;
    const VerifyProgress& progress_;
};

} // namespace

Result<VerifyReport> verifyArtefact(const ExportFolder& source, const ExportedProgram& program,
                                    const VerifyParams& params, std::stop_token stop,
                                    const VerifyProgress& progress) {
    auto experiment = std::visit(
        [&](const auto& item) { return experimentOf(source, item, params, stop); }, program);
    if (!experiment)
        return experiment.error();
    return Verification(source, params, progress).run(*std::move(experiment), std::move(stop));
}

} // namespace marquetry::hdl
