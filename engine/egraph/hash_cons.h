// The hash-cons: finds the e-node with a given label and given canonical children.
//
// Open addressing with linear probing over {32-bit hash, e-node id}; erase shifts back, so there
// are no stale keys and no tombstones. 8 bytes per slot, at most three quarters full.
// Complexity: expected O(1) per operation. Thread rule: one writer or many readers.
#pragma once

#include "engine/egraph/enode_store.h"

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
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

    /// The indexed e-node that equals (label, children), or an invalid id.
    ENodeId find(const ENodeStore& store, LabelId label, ChildSpan children,
                 std::uint32_t hash) const {
        if (slots_.empty())
            return {};
        const std::size_t mask = slots_.size() - 1;
        for (std::size_t i = hash & mask; slots_[i].node.valid(); i = (i + 1) & mask)
            if (slots_[i].hash == hash && store.equals(slots_[i].node, label, children))
                return slots_[i].node;
        return {};
    }
    /// find() in three steps, so that a batch of look-ups waits for memory once per step: ask for
    /// the slot; ask for the first e-node with that hash, and for most look-ups the only one; see
    /// whether it is the one.
    void prefetchSlot(std::uint32_t hash) const {
        if (!slots_.empty())
            __builtin_prefetch(slots_.data() + (hash & (slots_.size() - 1)));
    }
    ENodeId candidate(const ENodeStore& store, std::uint32_t hash) const {
        if (slots_.empty())
            return {};
        const std::size_t mask = slots_.size() - 1;
        std::size_t i = hash & mask;
        while (slots_[i].node.valid() && slots_[i].hash != hash)
            i = (i + 1) & mask;
        if (slots_[i].node.valid())
            store.prefetch(slots_[i].node);
        return slots_[i].node;
    }
    /// `hash` is the hash of `node` as it stands; no equal e-node may be indexed already.
    void insert(ENodeId node, std::uint32_t hash);
    /// `hash` is the hash `node` was inserted with.
    void erase(ENodeId node, std::uint32_t hash);
    /// Indexes `by` instead of the equal e-node `node`.
    void replace(ENodeId node, ENodeId by, std::uint32_t hash) {
        slots_[slotOf(node, hash)].node = by;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        ENodeId node; ///< invalid = empty
    };

    std::size_t slotOf(ENodeId node, std::uint32_t hash) const;
    void grow();

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

} // namespace marquetry::egraph
