// Factors of the terms of a kernel's area, fitted to synthesised kernels: printed by
// `stream_calibration fit tests/data/streams/kernels.csv` from the rows that are not held out.
#pragma once

#include <array>

namespace marquetry::hdl {

struct KernelFactor {
    double lut = 1;
    double ff = 1;
};

/// As kKernelTerms (kernel_area.h).
inline constexpr std::array<KernelFactor, 12> kKernelFactors = {{
    {1.08, 1},    // sums
    {0.78, 1},    // comparisons
    {0.69, 1},    // choices
    {1.03, 1},    // conditions
    {1, 1},       // shifters
    {0.33, 1},    // products
    {1, 0.91},    // registers
    {0.89, 1},    // shift registers
    {0.9, 1.21},  // line addresses
    {1, 0.88},    // LUT memories
    {0.81, 0.82}, // control
    {1, 1.22},    // valid
}};

} // namespace marquetry::hdl
