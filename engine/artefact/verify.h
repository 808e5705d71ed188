// Verify: simulate an export and compare it with the reference interpreter, element for element,
// and its cycle counter with the prediction.
//
// readExport (opened_export.h) reads the folder, the caller parses the program text in it (this
// folder does not know the front end). The prediction is made before anything is built. What is
// simulated is the hardware of the export with a bench of our own, written anew from DESIGN.json
// and the program: that of the folder must be the same. The simulator is built in a private folder;
// nothing is written to the export.
//
// Designs: vectors of the interpreter, with random gaps and back-pressure; where weights are
// external, first without gaps on a memory that keeps to its figures, then with random gaps and
// latencies, and whatever the memory does, cycles less stalls are as predicted; within limits where
// steps run beside others. Streams: frames one
// after the other without gaps, which take the predicted clocks, then with gaps unless told
// otherwise, then with a first frame that is cut short and one that is too long. Memories:
// kClocksPerVector clocks of random legal traffic per vector next to a flat array. A design whose
// outputs are wrong is run once more, to name the first wrong layer (checkpoint_run.h).
//
// Errors: export-damaged, schedule-form, simulator-build, simulator-run, no-waveform,
// waveform-too-large, those of runProcess, of
// PrivateFolder and of the interpreter. An export that does not verify is an answer, not an error:
// pass is false.
// Thread rule: any thread.
#pragma once

#include "engine/artefact/opened_export.h"
#include "engine/artefact/simulator.h"
#include "engine/artefact/wrong_element.h"
#include "engine/ir/memory_program.h"
#include "engine/ir/program.h"
#include "engine/ir/stream_program.h"
#include "engine/support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::hdl {

inline constexpr std::int64_t kClocksPerVector = 40'000;

struct VerifyParams {
    Simulator simulator = Simulator::Verilator;
    int vectors = 3;
    std::uint64_t seed = 1;
    bool gaps = true;         ///< random gaps on inputs and back-pressure on outputs
    bool checkpoints = false; ///< also when every output is right
    bool waveforms = false;   ///< of the first run
};

struct VerifyMismatch {
    std::string output;
    std::string layer; ///< that computed the output
    std::int64_t vector = 0;
    std::int64_t index = 0; ///< element, row-major
    std::int64_t expected = 0;
    std::int64_t got = 0;
    std::int64_t cycle = 0;
    std::string what; ///< "element", "padding", "tlast", "timeout", …
};

/// Clocks in which rows of activations were waited for, and no weights: to come from external
/// memory, or to be taken by it.
struct MoveStalls {
    std::int64_t loads = 0, stores = 0;
    bool operator==(const MoveStalls&) const = default;
};

struct VerifyReport {
    bool pass = false; ///< no mismatch, no stream error, the predicted cycles
    Simulator simulator = Simulator::Verilator;
    int vectors = 0;
    std::int64_t predictedCycles = 0; ///< 0: none are predicted
    std::vector<std::int64_t> cycles; ///< of each vector
    /// With external memory, of the cycles those in which the hardware waited for it.
    std::optional<std::int64_t> predictedStalls;
    std::vector<std::int64_t> stalls; ///< of each vector
    /// Parts of both, where activations are in external memory; the rest of them is for weights.
    std::optional<MoveStalls> predictedMoveStalls;
    std::vector<MoveStalls> moveStalls; ///< of each vector
    std::int64_t mismatchCount = 0;
    std::vector<VerifyMismatch> mismatches; ///< the first kShownMismatches
    /// Of a design with a wrong output, or when they were asked for.
    std::optional<CheckpointReport> checkpoints;
    std::string waveforms; ///< FST, when they were asked for
    std::string trace;     ///< path of the VCD of a failing run, in the user's cache; or empty
    std::string traceNote; ///< why there is none of a failing run
};

/// One line per stage, for people: "predicted 4711 cycles", "building with verilator", …
using VerifyProgress = std::function<void(const std::string&)>;

/// The program of an export, of its kind.
using ExportedProgram = std::variant<ir::Program, ir::StreamProgram, ir::MemoryProgram>;

Result<VerifyReport> verifyArtefact(const ExportFolder& source, const ExportedProgram& program,
                                    const VerifyParams& params, std::stop_token stop = {},
                                    const VerifyProgress& progress = {});

} // namespace marquetry::hdl
