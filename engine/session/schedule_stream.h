// One stream scheduled from start to end on the calling thread, with nobody watching: what
// `schedule`, `export` and the points of a sweep begin with.
//
// Errors: those of join_outputs.h and of schedule_as_built.h. All but no-output, output-type,
// several-outputs and unsupported-device are about the throughput.
// Cancel: that of spacetime::schedule. Thread rule: pure.
#pragma once

#include "engine/cost/kernel_estimate.h"
#include "engine/datapath/time_datapath.h"
#include "engine/device/device.h"
#include "engine/ir/stream_program.h"
#include "engine/spacetime/schedule.h"

#include <variant>

namespace marquetry::session {

/// Seconds of a search for which nobody set a time.
inline constexpr double kUsualScheduleSeconds = 30;

/// Elements of the output per clock, or clocks of the whole output.
using StreamPace = std::variant<spacetime::Throughput, std::int64_t>;

struct ScheduledStream {
    ir::StreamProgram program;
    ir::StreamProgram joined;           ///< its outputs as one, which is what the circuit computes
    spacetime::StreamSchedule schedule; ///< as built (lower_stream/schedule_as_built.h)
    std::vector<cost::SharedEstimate> hardware; ///< of each circuit of the front
    std::vector<spacetime::SeqType> types;      ///< of the chosen circuit
    device::Device device;
};

/// `deadline`: for the timing of the kernels.
Result<ScheduledStream> scheduleStream(ir::StreamProgram program, const StreamPace& pace,
                                       const device::Device& device,
                                       const spacetime::ScheduleParams& params,
                                       std::stop_token stop = {},
                                       datapath::Deadline deadline = datapath::kNoDeadline);

/// A time that was asked for is for the hardware too; else the hardware has no deadline.
datapath::Deadline hardwareDeadline(bool timeGiven, double seconds);

} // namespace marquetry::session
