// Small programs under the `cycles` cost for CBC and for enumeration, drawn by their seeds:
// convolutions, products of matrices and vectors, pools, residual additions and requantisations.
//
// Thread rule: value types.
#pragma once

#include "engine/device/device.h"
#include "engine/extract/extract.h"
#include "engine/rules/lowering.h"

#include <cstdint>
#include <string>

namespace marquetry::test {

struct SmallProgram {
    std::string what; ///< of the seed, for messages
    rules::Lowered lowered;
    device::Device device;
    double dsp = 0; ///< a limit
    bool sharing = true;
    std::vector<design::Pin> pins;

    /// Within so many DSP blocks, and no end of everything else.
    extract::ExtractParams within(double blocks) const;
};

/// The search prices the lanes that write a unit's results as if they did what the widest of the
/// program do; a design may then have fewer blocks than its price. Of programs without such units
/// the two are the same.
enum class PriceOf : std::uint8_t { Search, Hardware };

/// The same seed gives the same program. Hardware: only those whose price is that of the design.
SmallProgram drawSmallProgram(std::uint64_t seed, PriceOf price);

} // namespace marquetry::test
