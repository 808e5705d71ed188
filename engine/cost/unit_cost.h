// Resources of the hardware our generator builds for a unit, and cycles of a call on it.
//
// A multiply–accumulate unit has parallel × lanes multipliers, a pipelined adder tree per row,
// 32-bit accumulators and a write-back pipeline per row. A lane unit is one whose rows have one
// multiplier each, or, of a pool, none. DSP blocks are exact; LUT and FF are
// estimates (cost-model.md, "Resources", has the terms and their error). Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/device/device.h"

#include <cstdint>

namespace marquetry::cost {

struct UnitHardware {
    std::int64_t parallel = 1; ///< rows at once
    std::int64_t lanes = 8;    ///< products per row and clock; 0: of a pool
    int operandBits = 8;
    int weightBits = 8;
};

constexpr std::int64_t multipliers(const UnitHardware& unit) {
    return unit.parallel * unit.lanes;
}

/// Two neighbouring rows multiply the same operand, so that on a device whose blocks hold two
/// products with one factor in common each lane of the two takes one block; of an odd number of
/// rows the last stands alone. Factors of at most 8 bits (lower_design/row.h has the arithmetic).
bool pairsRows(const device::Device& device, const UnitHardware& unit);

/// DSP blocks: ceil(parallel / 2) · lanes of paired rows. Where any two products share a block,
/// `int8ProductsPerDsp` of them do when both factors have at most 9 bits.
double unitDsp(const device::Device& device, const UnitHardware& unit);

/// Its rows: multipliers, adder trees and accumulators. Of what is around them design/unit_area.h
/// and cost/write_back.h have the rest.
device::Resources unitResources(const device::Device& device, const UnitHardware& unit);

/// The reader and the loader of external weights but for the queue between them: beats of
/// `beatBits`, `gatheredBits` of which are written at once. `calls`: that read words which others
/// have read before; both have tables of them.
device::Resources memoryPortResources(std::int64_t beatBits, std::int64_t gatheredBits,
                                      std::int64_t calls);

} // namespace marquetry::cost
