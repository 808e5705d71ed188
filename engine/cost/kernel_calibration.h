// Factors of the terms of a kernel's area, fitted to synthesised kernels: printed by
// `stream_calibration fit tests/data/streams/kernels.csv` from the rows that are not held out.
#pragma once

#include <array>

namespace marquetry::cost {

struct KernelFactor {
    double lut = 1;
    double ff = 1;
};

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
