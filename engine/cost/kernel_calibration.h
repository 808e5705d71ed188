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
inline constexpr EstimateRatios kHeldOutLut{1.01, 0.76, 1.15};
inline constexpr EstimateRatios kHeldOutFf{0.98, 0.85, 1.12};

/// As kKernelTerms (kernel_area.h).
inline constexpr std::array<KernelFactor, 12> kKernelFactors = {{
    {1.04, 1},    // sums
    {0.81, 1},    // comparisons
    {0.89, 1},    // choices
    {1.04, 1},    // conditions
    {1, 1},       // shifters
    {0.62, 1},    // products
    {1, 0.98},    // registers
    {0.95, 1},    // shift registers
    {0.56, 1.03}, // line addresses
    {0.97, 0.89}, // LUT memories
    {0.94, 0.95}, // control
    {1, 1.15},    // valid
}};

} // namespace marquetry::cost
