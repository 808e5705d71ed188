#include "engine/cost/write_back.h"

#include "engine/support/checked_math.h"

#include <utility>

namespace marquetry::cost {

namespace {

// LUTs and flip-flops per bit of what a stage holds, as counted on synthesised lanes: what waits
// for several clocks is in shift registers.
constexpr double kLutPerStageBit = 0.92;
constexpr double kFfPerStageBit = 0.85;
constexpr int kRoundingStages = 5; ///< addend, half, two shifts, offset

/// Bits of a product with its addend and half.
int productBits(int a, int b) {
    return a + b + 2;
}

/// Of a product that is cut into parts, which are added two by two.
struct PartBits {
    int sums = 0;
    int registers = 0; ///< of the parts in logic and of all sums
};

PartBits partBits(int a, int b) {
    const LogicPart logic = logicPart(a, b);
    PartBits bits{logic.bits, logic.bits};
    for (int parts = multiplierBlocks(a, b) + logic.terms; parts > 1; parts = (parts + 1) / 2) {
        bits.sums += parts / 2 * (a + b);
        bits.registers += (parts + 1) / 2 * (a + b);
    }
    return bits;
}

} // namespace

int laneDsp(const WriteBackForm& form) {
    return multiplierBlocks(form.sumBits, form.mulBits) +
           multiplierBlocks(form.valueBits, form.valueMulBits) +
           multiplierBlocks(form.addendBits, form.addendMulBits) +
           multiplierBlocks(form.afterBits, form.afterMulBits);
}

device::Resources laneResources(const WriteBackForm& form, std::int64_t parallel,
                                std::int64_t lanes) {
    int bits = form.sumBits + kRoundingStages * productBits(form.sumBits, form.mulBits);
    if (form.valueMulBits > 0)
        bits += kRoundingStages * productBits(form.valueBits, form.valueMulBits);
    if (form.afterMulBits > 0)
        bits += kRoundingStages * productBits(form.afterBits, form.afterMulBits);
    int sums = bits;
    int registers = bits;
    for (const auto& [a, b] :
         {std::pair(form.sumBits, form.mulBits), std::pair(form.valueBits, form.valueMulBits),
          std::pair(form.addendBits, form.addendMulBits),
          std::pair(form.afterBits, form.afterMulBits)}) {
        const PartBits parts = partBits(a, b);
        sums += parts.sums;
        registers += parts.registers;
    }
    const auto n = static_cast<double>(lanes);
    const double held = lanes < parallel ? static_cast<double>(parallel * form.sumBits) : 0;
    device::Resources resources;
    resources.dsp = n * laneDsp(form);
    resources.lut = n * sums * kLutPerStageBit + held;
    resources.ff = n * registers * kFfPerStageBit + held;
    return resources;
}

double romBlocks(std::int64_t words, std::int64_t bits) {
    return static_cast<double>(ceilDiv(bits, 36) * ceilDiv(words, 512)) / 2;
}

} // namespace marquetry::cost
