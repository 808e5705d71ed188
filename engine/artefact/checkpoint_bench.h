// The part of a bench that keeps what the slots of a design are given to store.
//
// A module beside the bench, so that the hardware stays as it is exported: it has for each slot a
// memory of its own, written as the slot's write port is, and while one vector runs writes the
// words of each checkpoint to a file (checkpoints.h). Verilator binds it into the design's top,
// under a bench that is not changed; Icarus knows no bind: there the bench has an instance of it.
//
// The signals that it watches have the names that lower_design gives them. Where an export has them
// not, the simulator says so when it is built. Thread rule: pure.
#pragma once

#include "engine/artefact/checkpoints.h"
#include "engine/artefact/simulator.h"
#include "engine/lower_design/plan.h"
#include "engine/support/folders.h"

#include <string>

namespace marquetry::hdl {

inline constexpr const char* kCheckpointFile = "tb/checkpoints.v";

struct CheckpointBench {
    Simulator simulator = Simulator::Verilator;
    std::string file; ///< the bench
    std::string top;  ///< module of the design
    std::string core; ///< its instance, as the bench sees it: "dut"
    std::int64_t vector = 0;
};

/// The benches with the module beside them, for Icarus also with an instance of it in the one.
files::FolderFiles withCheckpoints(files::FolderFiles benches, const design::Schedule& schedule,
                                   const RtlPlan& plan, const CheckpointBench& bench);

} // namespace marquetry::hdl
