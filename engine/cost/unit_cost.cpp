#include "engine/cost/unit_cost.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>

namespace marquetry::cost {

namespace {

// LUTs and flip-flops per part, fitted on synthesised units (cost-model.md, "Resources").
constexpr double kLutPerTreeBit = 1.0;
constexpr double kFfPerTreeBit = 1.0;
constexpr double kLutPerRow = 145;
constexpr double kFfPerRow = 108;
// Of a row without its write-back: the accumulator.
constexpr double kAccumulatorBits = 32;
constexpr double kLutPerController = 400;
constexpr double kFfPerController = 300;
constexpr double kLutPerStep = 40;

/// Sum bits of a row's adder tree past its first level, which the DSP blocks' own adders take:
/// lanes/4 adders of width+2, lanes/8 of width+3, …
double treeBits(const UnitHardware& unit) {
    double bits = 0;
    int width = unit.operandBits + unit.weightBits + 1;
    for (std::int64_t adders = unit.lanes / 4; adders > 0; adders /= 2)
        bits += static_cast<double>(adders) * ++width;
    return bits;
}

} // namespace

double unitDsp(const device::Device& device, const UnitHardware& unit) {
    const bool small = unit.operandBits <= 9 && unit.weightBits <= 9;
    const std::int64_t perBlock = small ? device.int8ProductsPerDsp : 1;
    return static_cast<double>(ceilDiv(multipliers(unit), perBlock));
}

device::Resources unitResources(const device::Device& device, const UnitHardware& unit,
                                bool scales) {
    const auto rows = static_cast<double>(unit.parallel);
    device::Resources resources;
    resources.dsp = unitDsp(device, unit);
    resources.lut =
        rows * (treeBits(unit) * kLutPerTreeBit + (scales ? kAccumulatorBits : kLutPerRow));
    resources.ff =
        rows * (treeBits(unit) * kFfPerTreeBit + (scales ? kAccumulatorBits : kFfPerRow));
    return resources;
}

device::Resources controllerResources(std::int64_t steps) {
    device::Resources resources;
    resources.lut = kLutPerController + kLutPerStep * static_cast<double>(steps);
    resources.ff = kFfPerController;
    return resources;
}

std::int64_t externalCallCycles(const device::Device& device, std::int64_t computeCycles,
                                std::int64_t weightBytes) {
    const double transfer =
        std::ceil(static_cast<double>(weightBytes) / device.memoryBytesPerCycle);
    return std::max(computeCycles, static_cast<std::int64_t>(transfer)) +
           device.memoryLatencyCycles;
}

} // namespace marquetry::cost
