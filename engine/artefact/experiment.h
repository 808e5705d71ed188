// Experiment: how an export of one kind is simulated, as data for verifyArtefact (verify.h).
//
// Each kind has one function that makes it: it reads DESIGN.json, checks that the program is the
// one that was built, writes the bench anew and predicts the clocks. What differs otherwise is in
// the fields.
// Errors: schedule-form, export-damaged (checkBench), hdl-unsupported, too-many-clocks, those of
// accessPattern. Thread rule: pure.
#pragma once

#include "engine/artefact/simulator.h"
#include "engine/artefact/verify.h"

#include <memory>
#include <optional>

namespace marquetry::hdl {

/// Of the predicted cycles: what a replay word by word may miss of what a bus does.
inline constexpr double kMemoryTolerance = 0.02;
/// Likewise, in clocks: at which one of them a run begins to read.
inline constexpr double kMemorySlack = 8;

struct CheckpointRequest;

/// One run of the simulator.
struct Trial {
    std::string said;                   ///< of it, to people
    std::vector<std::string> arguments; ///< plusargs
    bool counts = true;                 ///< its clocks are the report's
};

struct Experiment {
    std::string name;           ///< of the hardware, an identifier: the beginning of the trace's
    files::FolderFiles benches; ///< all that the folder has
    SimulatorInput input;       ///< but for the modules
    std::int64_t predictedCycles = 0;
    /// Of the cycles, those in which a nominal external memory makes the hardware wait. Whatever
    /// the memory does, the others are as predicted; of the trial that counts, all are within
    /// kMemoryTolerance and kMemorySlack.
    std::optional<std::int64_t> predictedStalls;
    std::optional<MoveStalls> predictedMoveStalls; ///< a part of them; of hardware that writes
    /// The hardware waits for its streams, too. The memory goes on meanwhile, so that it may have
    /// to wait for that less than predicted.
    bool slowStreams = false;
    /// Every vector takes the predicted cycles. Otherwise they are those of the whole run.
    bool exact = true;
    /// Cycles less stalls of a run.
    struct Working {
        std::int64_t least = 0, most = 0;
    };
    /// Where steps run beside others: while one waits for a stream or memory the others go on.
    std::optional<Working> overlaps = {};
    /// Vectors but the first may wait fewer clocks than that for their turn, and take so many more.
    std::int64_t turn = 1;
    std::int64_t clocks = 0; ///< of the trial that is repeated with a trace
    /// In this order, up to the first that fails. The first is repeated with a trace, that which
    /// failed with checkpoints.
    std::vector<Trial> trials;
    /// Reference vectors, made after the prediction is told: "in_x.hex" → text. None when empty.
    std::function<Result<files::FolderFiles>(std::stop_token)> vectors;
    std::string vectorsSaid;
    /// None of streams and memories (checkpoint_run.h).
    std::shared_ptr<const CheckpointRequest> checkpoints;
    /// Who computed an output.
    std::function<std::string(const std::string& output)> layerOf;
};

Result<Experiment> experimentOf(const ExportFolder& source, const ir::Program& program,
                                const VerifyParams& params, std::stop_token stop);
Result<Experiment> experimentOf(const ExportFolder& source, const ir::StreamProgram& program,
                                const VerifyParams& params, std::stop_token stop);
Result<Experiment> experimentOf(const ExportFolder& source, const ir::MemoryProgram& program,
                                const VerifyParams& params, std::stop_token stop);

} // namespace marquetry::hdl
