#include "engine/banking/lut_counts.h"

#include "engine/banking/hardware_plan.h"
#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <bit>

namespace marquetry::banking {

namespace {

/// The LUT whose port would say where to write holds bits, too.
constexpr std::int64_t kRamGroupBitsOfOneWord = 8;

/// LUT RAM of a Xilinx bank: groups of LUTs, an enable per row.
std::int64_t xilinxLuts(std::int64_t depth, std::int64_t words, std::int64_t bits) {
    if (depth == 1)
        return device::kRamGroupLuts * ceilDiv(bits, kRamGroupBitsOfOneWord);
    const std::int64_t row = lutRow(depth);
    const std::int64_t rows = ceilDiv(words, row);
    const std::int64_t perRow = device::kRamGroupLuts * ceilDiv(bits, device::ramGroupBits(row));
    return rows * (perRow + (depth > row ? 1 : 0)) + bits * device::muxLuts(rows);
}

} // namespace

// Three pairs in the first LUTs, six in the others.
std::int64_t joinLuts(std::int64_t inputs) {
    if (inputs <= 1)
        return 0;
    const std::int64_t leaves = ceilDiv(inputs, device::kLutInputs / 2);
    return leaves + (leaves > 1 ? ceilDiv(leaves - 1, device::kLutInputs - 1) : 0);
}

std::int64_t parityLuts(const std::vector<ir::FlatMap>& maps) {
    std::int64_t luts = 0;
    for (const ir::FlatMap& map : maps) {
        std::int64_t inputs = 0;
        for (const std::int64_t mask : map.alpha)
            inputs += std::popcount(static_cast<std::uint64_t>(mask));
        luts += inputs <= 1 ? 0 : ceilDiv(inputs - 1, device::kLutInputs - 1);
    }
    return luts;
}

std::int64_t sumLuts(const ir::MemoryLane& lane, const ir::UnrolledNest& nest, std::size_t dim,
                     std::int64_t bits) {
    std::int64_t luts = 0;
    std::int64_t largest = lane.offset[dim];
    for (const std::size_t g : indexTerms(lane, nest, dim)) {
        const std::int64_t factor = lane.matrix[dim][g];
        const bool stays = factor > 0 && largest >= 0;
        const int width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest)));
        const bool apart = stays && width <= std::countr_zero(static_cast<std::uint64_t>(factor));
        luts += apart || (largest == 0 && std::has_single_bit(static_cast<std::uint64_t>(factor)))
                    ? 0
                    : bits;
        largest = stays ? largest + factor * (nest.generators[g].trips - 1) : -1;
    }
    return luts;
}

std::int64_t lutRow(std::int64_t depth) {
    return depth <= 32 || (depth > 64 && depth <= 96) ? 32 : 64;
}

device::Resources lutBank(std::int64_t depth, std::int64_t words, std::int64_t bits,
                          const device::Device& device) {
    const auto registers = static_cast<double>(bits);
    if (device.family == "ice40")
        return {0, static_cast<double>(bits * device::muxLuts(depth)),
                static_cast<double>(depth * bits) + registers, 0};
    if (device.family.starts_with("xc"))
        return {0, static_cast<double>(xilinxLuts(depth, words, bits)), registers, 0};
    const std::int64_t rows = ceilDiv(words, 32);
    return {0, static_cast<double>(bits * (rows + device::muxLuts(rows))), registers, 0};
}

} // namespace marquetry::banking
