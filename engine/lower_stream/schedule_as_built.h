// The circuits of a stream by what is built of them.
//
// The search compares thousands of circuits by sums over their operators (spacetime/area.h). It
// knows neither what lanes share, nor which words are stored once for several users, nor where
// retiming puts the registers. So the circuits that it finds least are lowered, and priced by what
// their kernels take (cost/kernel_area.h). The least of these is the first of the front, and
// `area` of each is that of its kernel in whole LUTs and registers; `counted` remains what the
// search compares, and what `complete` and `leastFraction` speak of.
//
// A circuit whose datapath is too large to be priced in passing keeps the area that was counted. It
// comes behind those that have a price, in the order of the search.
//
// Errors: those of spacetime::schedule; cancelled. Determinism: same program, device and
// throughput, same result, unless the time ended the search or the timing of a kernel.
// Complexity: that of the search, and of timeDatapath for each circuit that is priced. Thread rule:
// pure.
#pragma once

#include "engine/cost/kernel_estimate.h"
#include "engine/datapath/time_datapath.h"
#include "engine/spacetime/schedule.h"

namespace marquetry::hdl {

struct BuiltSchedule {
    spacetime::StreamSchedule schedule;
    std::vector<cost::SharedEstimate> hardware; ///< of each circuit of the front
};

/// Orders the circuits of a schedule. No circuit that is left is at least as large and as late as
/// another, and of those behind the front none is at least as large.
Result<BuiltSchedule> asBuilt(spacetime::StreamSchedule schedule, const device::Device& device,
                              std::stop_token stop = {},
                              datapath::Deadline deadline = datapath::kNoDeadline);

/// Schedules a program and orders what is found; `deadline` is for the timing of the kernels.
Result<BuiltSchedule> scheduleAsBuilt(const ir::StreamProgram& program, std::int64_t clocks,
                                      const device::Device& device,
                                      spacetime::ScheduleParams params = {},
                                      std::stop_token stop = {},
                                      datapath::Deadline deadline = datapath::kNoDeadline);

} // namespace marquetry::hdl
