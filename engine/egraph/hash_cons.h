// The hash-cons: finds the e-node with a given label and given canonical children.
//
// Open addressing with linear probing over {32-bit hash, e-node id}; erase shifts back, so there
// are no stale keys and no tombstones. 8 bytes per slot, at most three quarters full. The first
// bits of the hash choose one of several tables that grow on their own: moving one of them takes
// well under a millisecond at a million e-nodes, so a search that is told to stop still stops soon.
// Complexity: expected O(1) per operation. Thread rule: one writer or many readers.
#pragma once

#include "engine/egraph/enode_store.h"

#include <array>

namespace marquetry::egraph {

inline std::uint32_t hashENode(LabelId label, ChildSpan children) {
    // Multiplication by the golden ratio (Fibonacci hashing), folded so that every bit counts.
    constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;
    std::uint64_t h = label.value() * kGolden;
    for (EClassId child : children) {
        h = (h ^ child.value()) * kGolden;
        h ^= h >> 32;
    }
    return static_cast<std::uint32_t>((h * kGolden) >> 32);
}

class HashCons {
public:
    std::size_t size() const;
    std::size_t bytes() const;

    /// The indexed e-node that equals (label, children), or an invalid id.
    ENodeId find(const ENodeStore& store, LabelId label, ChildSpan children,
                 std::uint32_t hash) const {
        const Slots& slots = tableOf(hash).slots;
        if (slots.empty())
            return {};
        const std::size_t mask = slots.size() - 1;
        for (std::size_t i = hash & mask; slots[i].node.valid(); i = (i + 1) & mask)
            if (slots[i].hash == hash && store.equals(slots[i].node, label, children))
                return slots[i].node;
        return {};
    }
    /// find() in three steps, so that a batch of look-ups waits for memory once per step: ask for
    /// the slot; ask for the first e-node with that hash, and for most look-ups the only one; see
    /// whether it is the one.
    void prefetchSlot(std::uint32_t hash) const {
        const Slots& slots = tableOf(hash).slots;
        if (!slots.empty())
            __builtin_prefetch(slots.data() + (hash & (slots.size() - 1)));
    }
    ENodeId candidate(const ENodeStore& store, std::uint32_t hash) const {
        const Slots& slots = tableOf(hash).slots;
        if (slots.empty())
            return {};
        const std::size_t mask = slots.size() - 1;
        std::size_t i = hash & mask;
        while (slots[i].node.valid() && slots[i].hash != hash)
            i = (i + 1) & mask;
        if (slots[i].node.valid())
            store.prefetch(slots[i].node);
        return slots[i].node;
    }
    /// `hash` is the hash of `node` as it stands; no equal e-node may be indexed already.
    void insert(ENodeId node, std::uint32_t hash) { insert(tableOf(hash), node, hash); }
    /// `hash` is the hash `node` was inserted with.
    void erase(ENodeId node, std::uint32_t hash);
    /// Indexes `by` instead of the equal e-node `node`.
    void replace(ENodeId node, ENodeId by, std::uint32_t hash) {
        Slots& slots = tableOf(hash).slots;
        slots[slotOf(slots, node, hash)].node = by;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        ENodeId node; ///< invalid = empty
    };
    using Slots = std::vector<Slot>;
    struct Table {
        Slots slots; ///< a power of two, or none
        std::size_t used = 0;
    };

    const Table& tableOf(std::uint32_t hash) const { return tables_[hash >> kTableShift]; }
    Table& tableOf(std::uint32_t hash) { return tables_[hash >> kTableShift]; }
    static std::size_t slotOf(const Slots& slots, ENodeId node, std::uint32_t hash);
    static void insert(Table& table, ENodeId node, std::uint32_t hash);
    static void grow(Table& table);

    static constexpr unsigned kTableShift = 27;
    std::array<Table, (std::size_t{1} << (32 - kTableShift))> tables_;
};

} // namespace marquetry::egraph
