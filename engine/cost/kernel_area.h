// Area of a stream's kernel as synthesised for 6-input LUTs: the parts of its timed datapath and of
// its control, counted and weighed by factors fitted to synthesised kernels (kernel_calibration.h).
//
// The figure of one circuit, exact to some percent, where spacetime/area.h is the measure by which
// the search compares thousands: that one knows neither what lanes share nor the registers of the
// clock (cost-model.md, "Areas of streams").
// Block RAMs and DSP blocks are counted as they are mapped, without factors. A line buffer whose
// one address is read and written is a block RAM or single-port LUT memories, whichever has the
// lower cost in the memory libraries of Yosys 0.23 (lutrams_xc5v.txt, brams_xc4v.txt).
// Units: those of device::Resources; words; steps. Complexity: linear in cells and registers.
// Thread rule: pure.
#pragma once

#include "engine/datapath/time_datapath.h"
#include "engine/device/device.h"

#include <array>

namespace marquetry::cost {

inline constexpr std::array<std::string_view, 12> kKernelTerms = {
    "sums",      "comparisons",     "choices",        "conditions",   "shifters", "products",
    "registers", "shift registers", "line addresses", "LUT memories", "control",  "valid"};

/// Bits of the module memories of a kernel, at most: a RAMB36 of 512 words has 72, deeper ones are
/// kept to 64.
constexpr int kernelBankBits(std::int64_t words) {
    return words <= 512 ? 72 : 64;
}

/// Words side by side in one memory of a kernel.
struct KernelMemory {
    std::int64_t words = 0;
    int bits = 0;
    int bankBits = 0;    ///< at most so many to each module memory (kernelBankBits)
    bool isFifo = false; ///< two addresses
};

/// Registers of counters, and LUTs that decode and count, roughly.
struct KernelControl {
    std::int64_t counterBits = 0;
    std::int64_t phases = 0; ///< with a register each
    std::int64_t decoderLuts = 0;
    std::int64_t tableLuts = 0;
};

/// What a kernel is made of beside the cells and registers of its datapath.
struct KernelParts {
    std::vector<KernelMemory> memories{};
    KernelControl control{};
    bool delaysValid = false; ///< a register in each step of the latency says what is valid
};

/// Of each of kKernelTerms, before their factors; LUTs and flip-flops.
using KernelTerms = std::array<device::Resources, kKernelTerms.size()>;
KernelTerms kernelTerms(const datapath::TimedDatapath& timed, const KernelParts& parts,
                        const device::Device& device);

device::Resources kernelArea(const datapath::TimedDatapath& timed, const KernelParts& parts,
                             const device::Device& device);

} // namespace marquetry::cost
