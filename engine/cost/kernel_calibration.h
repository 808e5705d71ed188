// Factors of the terms of a kernel's area, fitted to synthesised kernels: printed by
// `stream_calibration fit tests/data/streams/kernels.csv` from the rows that are not held out.
#pragma once

#include <array>

namespace marquetry::cost {

struct KernelFactor {
    double lut = 1;
    double ff = 1;
};

/// Estimate over synthesis of kernels that nothing was fitted to: the median, and between which
/// two the middle 80 % of them are.
struct EstimateRatios {
    double median = 1;
    double tenth = 1;
    double ninth = 1;
};
inline constexpr EstimateRatios kHeldOutLut{1.00, 0.79, 1.13};
inline constexpr EstimateRatios kHeldOutFf{0.99, 0.98, 1.10};

/// As kKernelTerms (kernel_area.h).
inline constexpr std::array<KernelFactor, 12> kKernelFactors = {{
    {1.06, 1},    // sums
    {0.75, 1},    // comparisons
    {0.84, 1},    // choices
    {0.77, 1},    // conditions
    {1, 1},       // shifters
    {1.02, 1},    // products
    {1, 0.99},    // registers
    {0.94, 1},    // shift registers
    {0.38, 1.01}, // line addresses
    {0.97, 0.94}, // LUT memories
    {0.95, 1},    // control
    {1, 1.05},    // valid
}};

} // namespace marquetry::cost
