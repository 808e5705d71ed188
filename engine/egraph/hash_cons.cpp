#include "engine/egraph/hash_cons.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::egraph {

std::size_t HashCons::size() const {
    std::size_t sum = 0;
    for (const Table& table : tables_)
        sum += table.used;
    return sum;
}

std::size_t HashCons::bytes() const {
    std::size_t sum = 0;
    for (const Table& table : tables_)
        sum += table.slots.capacity() * sizeof(Slot);
    return sum;
}

void HashCons::insert(Table& table, ENodeId node, std::uint32_t hash) {
    if ((table.used + 1) * 4 > table.slots.size() * 3)
        grow(table);
    const std::size_t mask = table.slots.size() - 1;
    std::size_t i = hash & mask;
    while (table.slots[i].node.valid())
        i = (i + 1) & mask;
    table.slots[i] = {hash, node};
    ++table.used;
}

std::size_t HashCons::slotOf(const Slots& slots, ENodeId node, std::uint32_t hash) {
    const std::size_t mask = slots.size() - 1;
    std::size_t i = hash & mask;
    while (slots[i].node != node) {
        ENGINE_ASSERT(slots[i].node.valid(), "the e-node is in the hash-cons");
        i = (i + 1) & mask;
    }
    return i;
}

void HashCons::erase(ENodeId node, std::uint32_t hash) {
    Table& table = tableOf(hash);
    Slots& slots = table.slots;
    const std::size_t mask = slots.size() - 1;
    std::size_t hole = slotOf(slots, node, hash);
    // Pull later entries of the probe run into the hole unless they would pass their home slot.
    for (std::size_t i = (hole + 1) & mask; slots[i].node.valid(); i = (i + 1) & mask) {
        const std::size_t home = slots[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            slots[hole] = slots[i];
            hole = i;
        }
    }
    slots[hole] = {};
    --table.used;
}

void HashCons::grow(Table& table) {
    Slots old(std::max<std::size_t>(16, table.slots.size() * 2));
    old.swap(table.slots);
    table.used = 0;
    for (const Slot& slot : old)
        if (slot.node.valid())
            insert(table, slot.node, slot.hash);
}

} // namespace marquetry::egraph
