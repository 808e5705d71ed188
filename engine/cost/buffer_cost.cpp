#include "engine/cost/buffer_cost.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::cost {

namespace {

BankedMemory banked(const device::Device& device, std::int64_t words, std::int64_t totalBits,
                    std::int64_t groupBits) {
    BankedMemory memory;
    memory.words = words;
    if (totalBits == 0) // a pass has no weights
        return memory;
    memory.bankBits = std::min(groupBits, kMaxBankBits);
    memory.banks = ceilDiv(totalBits, memory.bankBits);
    memory.blocks = static_cast<double>(memory.banks) * device.ramBlocks(words, memory.bankBits);
    return memory;
}

} // namespace

BankedMemory weightMemory(const device::Device& device, std::int64_t words, std::int64_t elements,
                          int elementBits) {
    const std::int64_t bits = elements * elementBits;
    return banked(device, words, bits, std::min(bits, kMaxBankBits));
}

BankedMemory slotMemory(const device::Device& device, std::int64_t words, std::int64_t lanes,
                        std::int64_t writeLanes, int elementBits) {
    return banked(device, words, lanes * elementBits, writeLanes * elementBits);
}

} // namespace marquetry::cost
