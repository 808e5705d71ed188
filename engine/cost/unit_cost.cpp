#include "engine/cost/unit_cost.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>

namespace marquetry::cost {

namespace {

// LUTs and flip-flops per part, fitted on synthesised units (cost-model.md, "Resources").
constexpr double kLutPerTreeBit = 1.0;
constexpr double kFfPerTreeBit = 1.0;
constexpr double kAccumulatorBits = 32;

/// Factors of two products in one block: the products take 16 of its bits each.
constexpr int kPairedFactorBits = 8;

/// Of a row's adder tree.
struct TreeBits {
    std::int64_t sums = 0;
    std::int64_t registers = 0; ///< of the sums, and of a term that is left over by a level
};

/// lanes/2 adders of width+1, lanes/4 of width+2, … The DSP blocks' own adders take the first
/// level, but for paired rows, whose products they set apart.
TreeBits treeBits(const UnitHardware& unit, bool paired) {
    TreeBits bits;
    int width = unit.operandBits + unit.weightBits + (paired ? 0 : 1);
    for (std::int64_t terms = paired ? unit.lanes : ceilDiv(unit.lanes, 2); terms > 1;
         terms = ceilDiv(terms, 2)) {
        const std::int64_t leftOver = terms % 2 * width;
        bits.sums += terms / 2 * ++width;
        bits.registers += terms / 2 * width + leftOver;
    }
    return bits;
}

/// Registers of the weights in the upper half of a block's factor: synthesis leaves them outside,
/// as the bits below them are constant.
double pairedWeightBits(const UnitHardware& unit, double pairedRows) {
    return pairedRows / 2 * static_cast<double>(unit.lanes * unit.weightBits);
}

/// The rows of a lane unit multiply operands of their own.
bool sharesFactor(const device::Device& device, const UnitHardware& unit) {
    return device.int8ProductsShareFactor && unit.lanes > 1 &&
           unit.operandBits <= kPairedFactorBits && unit.weightBits <= kPairedFactorBits;
}

} // namespace

bool pairsRows(const device::Device& device, const UnitHardware& unit) {
    return unit.parallel >= 2 && sharesFactor(device, unit);
}

double unitDsp(const device::Device& device, const UnitHardware& unit) {
    if (device.int8ProductsShareFactor) {
        const std::int64_t rows = sharesFactor(device, unit) ? 2 : 1;
        return static_cast<double>(ceilDiv(unit.parallel, rows) * unit.lanes);
    }
    const bool small = unit.operandBits <= 9 && unit.weightBits <= 9;
    const std::int64_t perBlock = small ? device.int8ProductsPerDsp : 1;
    return static_cast<double>(ceilDiv(multipliers(unit), perBlock));
}

device::Resources unitResources(const device::Device& device, const UnitHardware& unit) {
    const auto rows = static_cast<double>(unit.parallel);
    const double paired =
        pairsRows(device, unit) ? rows - static_cast<double>(unit.parallel % 2) : 0;
    const TreeBits pair = treeBits(unit, true);
    const TreeBits alone = treeBits(unit, false);
    const auto ofAll = [&](std::int64_t TreeBits::*bits) {
        return paired * static_cast<double>(pair.*bits) +
               (rows - paired) * static_cast<double>(alone.*bits);
    };
    device::Resources resources;
    resources.dsp = unitDsp(device, unit);
    resources.lut = ofAll(&TreeBits::sums) * kLutPerTreeBit + rows * kAccumulatorBits;
    resources.ff = ofAll(&TreeBits::registers) * kFfPerTreeBit + rows * kAccumulatorBits +
                   pairedWeightBits(unit, paired);
    return resources;
}

device::Resources memoryPortResources(std::int64_t beatBits, std::int64_t gatheredBits,
                                      std::int64_t calls) {
    // Counters of addresses, bursts, places and words; a beat at the end of the queue.
    constexpr double kCounterLut = 320;
    constexpr double kCounterFf = 300;
    device::Resources resources;
    // Some 50 bits of constants for a call, and a LUT has 64.
    constexpr double kLutPerCall = 1;
    resources.lut = kCounterLut + kLutPerCall * static_cast<double>(calls);
    resources.ff = kCounterFf + static_cast<double>(beatBits + gatheredBits);
    return resources;
}

} // namespace marquetry::cost
