// The timed datapath of a circuit: lowered, made narrow where that is asked for, and timed.
//
// It is made once for each circuit. Whoever prices a circuit keeps it, and what shows or exports
// the circuit takes it from there.
//
// Errors: those of lowerDatapath and timeDatapath; too-large (more than `mostEstimated` cells).
// Complexity: that of timeDatapath. Thread rule: pure; the value is immutable and may be shared
// between threads.
#pragma once

#include "engine/datapath/time_datapath.h"

#include <memory>
#include <optional>

namespace marquetry::datapath {

using SharedDatapath = std::shared_ptr<const TimedDatapath>;

/// Bits that suffice for the words of the inputs and of the output (narrow.h).
struct PortBits {
    int input = 32;
    int output = 32;
};

struct DatapathParams {
    Rearranging rearranging = Rearranging::Smaller;
    std::optional<PortBits> narrowed{};          ///< ports keep their bits where that is impossible
    std::optional<std::int64_t> mostEstimated{}; ///< cells of one that is only to be estimated
    Deadline deadline = kNoDeadline;             ///< of the timing
    double pathLimit = kPathLimit;               ///< ps, between registers
};

Result<SharedDatapath> makeDatapath(const spacetime::Graph& circuit,
                                    const DatapathParams& params = {}, std::stop_token stop = {});

} // namespace marquetry::datapath
