// Scheduling: a stream program and a throughput to circuits in space and time
// (background/aetherling.md, "Scheduling").
//
// The throughput counts elements of the innermost Seq of the output, an STuple counted as one, for
// each clock; with the length of the output it gives the clocks that the whole program takes. The
// result may have any of the types of output_types.h in that time, the inputs any layout. All
// designs are kept that no other is at most as large as in LUTs, flip-flops, block RAMs and DSP
// blocks, as far as their sum of fractions of the device is below a bound at or above the least.
//
// The first design has the least sum of fractions (ties: largest fraction) among all programs of
// the search space (search.h), counted without registers that match delays: those are put in
// afterwards, as few as the design allows (match_delays.h), and are part of `area`. A design that
// is then no smaller than one before it, and no earlier, is left out. An output of more than 256
// types takes the first design that is as small as the lower bound of all, if there is one.
//
// Errors: bad-throughput (not positive, or more than 2^40 clocks), infeasible-throughput (with the
// nearest that types meet), unsupported-device (areas are those of 6-input LUTs with shift
// registers: families xc7 and xcup), too-many-types (of a nested output: more than 200 000),
// no-output, several-outputs, type-unknown (no type of the output in that time is `outputType`),
// no-schedule (an operator cannot be written in any layout), loop-too-long (the loop of a scan does
// not close in the clocks that there are, in any layout), time-limit
// (before any design was found), cancelled. Determinism: same program, device and throughput, same
// result, unless the time ended the search. Thread rule: pure.
#pragma once

#include "engine/algebra/rewrites.h"
#include "engine/device/device.h"
#include "engine/ir/stream_program.h"
#include "engine/spacetime/stream_schedule.h"
#include "engine/support/result.h"

#include <limits>
#include <stop_token>

namespace marquetry::spacetime {

struct ScheduleParams {
    double seconds = std::numeric_limits<double>::infinity(); ///< wall clock
    algebra::Rewrites rewrites{};                             ///< before the search
    /// The states of circuits up to this part above the least are recorded; none: not.
    std::optional<double> statesWithin{};
    /// Only this type of the output, as toString writes it; empty: any.
    std::string outputType{};
    /// At most so many circuits that are not on the front are returned too.
    std::size_t behind = 0;
};

/// Whether the areas of streams are known on the device; error unsupported-device.
Status checkDevice(const device::Device& device);

/// Clocks of the whole output at a throughput.
Result<std::int64_t> clocksFor(const ir::StreamProgram& program, Throughput throughput);
/// The reverse.
Throughput throughputFor(const ir::StreamType& output, std::int64_t clocks);

Result<StreamSchedule> schedule(const ir::StreamProgram& program, std::int64_t clocks,
                                const device::Device& device, const ScheduleParams& params,
                                std::stop_token stop = {});

} // namespace marquetry::spacetime
