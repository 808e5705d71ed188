// Area of a stream's kernel as synthesised for 6-input LUTs: the parts of its timed datapath and of
// its control, counted and weighed by factors fitted to synthesised kernels (kernel_calibration.h).
//
// The figure of one circuit, exact to some percent, where area.h is the measure by which the search
// compares thousands: that one knows neither what lanes share nor the registers of the clock.
// Block RAMs and DSP blocks are counted as they are mapped, without factors. A line buffer whose
// one address is read and written is a block RAM or single-port LUT memories, whichever has the
// lower cost in the memory libraries of Yosys 0.23 (lutrams_xc5v.txt, brams_xc4v.txt).
// Units: those of device::Resources; steps; ps. Complexity: that of the kernel. Thread rule: pure.
#pragma once

#include "engine/device/device.h"
#include "engine/lower_stream/stream_kernel.h"
#include "engine/spacetime/operators.h"

#include <array>
#include <stop_token>

namespace marquetry::hdl {

inline constexpr std::array<std::string_view, 12> kKernelTerms = {
    "sums",      "comparisons",     "choices",        "conditions",   "shifters", "products",
    "registers", "shift registers", "line addresses", "LUT memories", "control",  "valid"};

/// Of each of kKernelTerms, before their factors; LUTs and flip-flops.
using KernelTerms = std::array<device::Resources, kKernelTerms.size()>;
KernelTerms kernelTerms(const spacetime::TimedDatapath& timed, const StreamKernel& kernel,
                        const device::Device& device);

device::Resources kernelArea(const spacetime::TimedDatapath& timed, const StreamKernel& kernel,
                             const device::Device& device);

/// What the kernel of a circuit will be, without the AXI4-Stream edges.
struct KernelEstimate {
    device::Resources area;
    std::int64_t latency = 0; ///< steps from the first word of the inputs to that of the output
    std::int64_t unit = 1;    ///< clocks of a step
    double pathDelay = 0;     ///< ps, cells only
};

/// Errors: those of lowerDatapath and timeDatapath; too-large (more than kMaxEstimatedWords).
Result<KernelEstimate> estimateKernel(const spacetime::Graph& circuit, const device::Device& device,
                                      std::stop_token stop = {},
                                      spacetime::Deadline deadline = spacetime::kNoDeadline);

} // namespace marquetry::hdl
