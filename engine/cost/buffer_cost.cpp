#include "engine/cost/buffer_cost.h"

#include "engine/banking/cost.h"
#include "engine/banking/lut_counts.h"
#include "engine/cost/call_timing.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <vector>

namespace marquetry::cost {

namespace {

/// Of `bits` cut into memories of `memoryBits`, all of one kind.
template <typename MemoryCost>
BankMemory sideBySide(std::int64_t bits, std::int64_t memoryBits, const MemoryCost& costOf) {
    BankMemory bank;
    if (bits == 0) // a pass has no weights
        return bank;
    bank.memoryBits = std::min(bits, memoryBits);
    bank.memories = ceilDiv(bits, memoryBits);
    bank.resources = static_cast<double>(bank.memories - 1) * costOf(bank.memoryBits) +
                     costOf(bits - (bank.memories - 1) * memoryBits);
    return bank;
}

/// Widths at which a block, or half of one, is used to the full; 32 first.
std::vector<std::int64_t> usefulWidths(const device::Device& device) {
    constexpr std::int64_t kLeastWidth = 16;
    std::vector<std::int64_t> widths = {kUsualMemoryBits};
    const auto add = [&](std::int64_t width) {
        if (width >= kLeastWidth && width <= kMaxMemoryBits)
            widths.push_back(width);
    };
    for (const device::RamShape& shape : device.ramShapes) {
        add(shape.width);
        if (device.halfRam)
            add(shape.width / 2);
    }
    return widths;
}

BankMemory inBlockRam(const device::Device& device, std::int64_t words, std::int64_t bits) {
    BankMemory best;
    for (const std::int64_t width : usefulWidths(device)) {
        const BankMemory bank = sideBySide(bits, width, [&](std::int64_t w) {
            return device::Resources{0, 0, 0, device.ramBlocks(words, w)};
        });
        const auto size = [](const BankMemory& b) {
            return std::pair(b.resources.bram, b.memories);
        };
        if (best.memories == 0 || size(bank) < size(best))
            best = bank;
    }
    return best;
}

/// Yosys and nextpnr have none for the iCE40.
bool hasLutRam(const device::Device& device) {
    return device.family != "ice40";
}

} // namespace

BankMemory weightMemory(const device::Device& device, std::int64_t words, std::int64_t elements,
                        int elementBits) {
    const std::int64_t bits = elements * elementBits;
    if (bits == 0) // a pass has no weights
        return {};
    const device::RamColumns columns = device.ramColumns(words, bits);
    return {false, std::min(bits, columns.width), columns.number, {0, 0, 0, columns.blocks}};
}

double turnLuts(std::int64_t turns, std::int64_t bits) {
    return static_cast<double>(turns * bits * ceilDiv(treeLevels(turns), 2));
}

BankMemory activationBank(const device::Device& device, const device::Resources& limits,
                          std::int64_t words, std::int64_t bits) {
    const BankMemory blocks = inBlockRam(device, words, bits);
    if (!hasLutRam(device))
        return blocks;
    BankMemory luts = sideBySide(bits, kMaxMemoryBits, [&](std::int64_t width) {
        return banking::lutBank(words, words, width, device);
    });
    luts.lutRam = true;
    const auto area = [&](const BankMemory& bank) {
        return banking::areaOf(bank.resources, limits);
    };
    return area(luts) < area(blocks) ? luts : blocks;
}

} // namespace marquetry::cost
