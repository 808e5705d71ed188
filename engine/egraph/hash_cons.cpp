#include "engine/egraph/hash_cons.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::egraph {

void HashCons::insert(ENodeId node, std::uint32_t hash) {
    if ((size_ + 1) * 4 > slots_.size() * 3)
        grow();
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i].node.valid())
        i = (i + 1) & mask;
    slots_[i] = {hash, node};
    ++size_;
}

std::size_t HashCons::slotOf(ENodeId node, std::uint32_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i].node != node) {
        ENGINE_ASSERT(slots_[i].node.valid(), "the e-node is in the hash-cons");
        i = (i + 1) & mask;
    }
    return i;
}

void HashCons::erase(ENodeId node, std::uint32_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = slotOf(node, hash);
    // Pull later entries of the probe run into the hole unless they would pass their home slot.
    for (std::size_t i = (hole + 1) & mask; slots_[i].node.valid(); i = (i + 1) & mask) {
        const std::size_t home = slots_[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            slots_[hole] = slots_[i];
            hole = i;
        }
    }
    slots_[hole] = {};
    --size_;
}

void HashCons::grow() {
    std::vector<Slot> old(std::max<std::size_t>(16, slots_.size() * 2));
    old.swap(slots_);
    size_ = 0;
    for (const Slot& slot : old)
        if (slot.node.valid())
            insert(slot.node, slot.hash);
}

} // namespace marquetry::egraph
