// The run with checkpoints: that of a failed trial once more, watched.
//
// It is built anew in a folder of its own, with the checkpoints of one vector, and run up to that
// vector; what drives the hardware is the same, and so is what happens in it. Runs that pass are
// never built with checkpoints unless that is asked for.
//
// Errors: cancelled. All else that keeps a layer from being named is a note of the answer, which
// stands without it. Thread rule: one thread.
#pragma once

#include "engine/artefact/experiment.h"
#include "engine/lower_design/plan.h"

namespace marquetry::hdl {

/// Of a design: what tells the first wrong element of a vector.
struct CheckpointRequest {
    design::Schedule schedule;
    RtlPlan plan;
    const ir::Program* program = nullptr;
    std::string top;  ///< module of the design
    std::string core; ///< its instance in a bench in Verilog
};

/// What is run once more.
struct WatchedTrial {
    const ExportFolder& source;
    const Experiment& experiment;
    const Trial& trial;
    const files::FolderFiles& files; ///< benches and vectors
    const VerifyParams& params;
};

/// report.checkpoints, of the vector of the report's first mismatch, or of the first one; a wrong
/// element is no pass.
Status runCheckpoints(const WatchedTrial& watched, std::stop_token stop, VerifyReport& report);

} // namespace marquetry::hdl
