// What synthesis is expected to make of the kernel of a circuit, without its AXI4-Stream edges.
// Plain data, which whoever shows it reads without seeing how it was made. Thread rule: value type.
#pragma once

#include "engine/device/resources.h"
#include "engine/support/result.h"

#include <cstdint>
#include <memory>

namespace marquetry::datapath {
struct TimedDatapath;
}

namespace marquetry::cost {

struct KernelEstimate {
    device::Resources area;
    std::int64_t latency = 0; ///< steps from the first word of the inputs to that of the output
    std::int64_t unit = 1;    ///< clocks of a step
    double pathDelay = 0;     ///< ps, cells only
    /// What an export of the circuit is made from.
    std::shared_ptr<const datapath::TimedDatapath> timed{};
};

/// What synthesis is expected to make of a circuit, or why it is no hardware.
using SharedEstimate = std::shared_ptr<const Result<KernelEstimate>>;

} // namespace marquetry::cost
