// A stream unit: the circuit that the stream scheduler makes of a convolution with constant
// weights, and what it takes (cost-model.md, "Streamed calls").
//
// The kernel (ir/conv_stream.h) is scheduled at one pixel per clock, with the areas of xc7k160t
// (kStreamDevice), so that the same weights give the same circuit on every device. At 1/n pixels
// per clock it is the same circuit, which then moves in every n-th clock at most: its products with
// constants are sums, and sharing a sum costs more than the sum. Only the write-back shrinks with
// the throughput, since it has n clocks for the rows of a pixel.
//
// Resources. The kernel's are those of kernelArea, as of any stream. Around it are a register per
// row, the multiplexer behind these, the counters of positions, and the write-back of `parallel`
// rows. LUT and FF of these are estimates.
//
// Cycles of a call: set-up, then `interval` clocks for every pixel of the padded input, then the
// drain. The drain is `interval` clocks for each step of the kernel's latency, its input and output
// registers, and the write-back.
//
// Errors of streamCircuit: those of spacetime::schedule and datapath::makeDatapath. Complexity:
// about a second for ir::kMaxStreamProducts. Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/cost/kernel_area.h"
#include "engine/datapath/make_datapath.h"
#include "engine/device/lut6.h"
#include "engine/ir/conv_stream.h"

#include <stop_token>

namespace marquetry::cost {

inline constexpr const char* kStreamDevice = "xc7k160t";
/// Clocks from a pixel's address to the kernel's input, and from its output to the write-back.
inline constexpr std::int64_t kStreamEntry = kOperandLatency + 1;

/// Whether areas of stream units are known for the device.
inline bool hasStreamUnits(const device::Device& device) {
    return device::hasLut6(device);
}

/// Without what depends on the throughput.
struct StreamCircuit {
    ir::ConvStream conv;
    datapath::SharedDatapath timed;

    std::int64_t latency() const { return timed->latency; } ///< steps
    /// Of an output word, in two's complement.
    int sumBits() const { return timed->datapath.output.leafBits.front(); }
};

/// What the kernel's module has beside the words of its datapath: line buffers. Every step takes a
/// pixel, so nothing in it depends on which step it is, and nobody asks when its output is valid.
KernelParts kernelParts(const StreamCircuit& circuit);

Result<StreamCircuit> streamCircuit(const ir::ConvStream& conv, const ir::Tensor& weight,
                                    std::stop_token stop = {});

/// One that gives up to `parallel` rows per clock, in `interval` clocks per pixel.
struct StreamUnitShape {
    std::int64_t interval = 1;
    std::int64_t parallel = 1;
    std::int64_t pooledColumns = 0; ///< where rows of pixels are pooled: columns kept; else 0
};

device::Resources streamUnitResources(const device::Device& device, const StreamCircuit& circuit,
                                      const StreamUnitShape& shape);

constexpr std::int64_t streamDrain(std::int64_t interval, std::int64_t latency) {
    return interval * latency + kStreamEntry + kEpilogueStages;
}

constexpr std::int64_t streamCycles(std::int64_t pixels, std::int64_t interval,
                                    std::int64_t latency) {
    return kSetupCycles + interval * pixels + streamDrain(interval, latency);
}

} // namespace marquetry::cost
