// One copy of every e-node, struct of arrays, and the hash-cons index over it.
//
// ENodeStore: per e-node an operator and offsets into two pools (parameters, children). Children
// are overwritten in place when classes merge. HashCons: open addressing with linear probing over
// {32-bit hash, e-node id}; erase shifts back, so there are no stale keys and no tombstones.
// About 8 + 16 bytes of index and 24 bytes + 4 per child + 8 per parameter for each e-node.
// Complexity: expected O(1) per operation. Thread rule: one writer or many readers.
#pragma once

#include "engine/egraph/enode.h"

namespace marquetry::egraph {

class ENodeStore {
public:
    ENodeStore() : paramBegin_{0}, childBegin_{0} {}

    ENodeId push(OpId op, ParamSpan params, ChildSpan children);

    std::size_t size() const { return op_.size(); }
    OpId op(ENodeId n) const { return op_[n.index()]; }
    ParamSpan params(ENodeId n) const {
        return {params_.data() + paramBegin_[n.index()],
                params_.data() + paramBegin_[n.index() + 1]};
    }
    ChildSpan children(ENodeId n) const {
        return {children_.data() + childBegin_[n.index()],
                children_.data() + childBegin_[n.index() + 1]};
    }
    std::span<EClassId> mutableChildren(ENodeId n) {
        return {children_.data() + childBegin_[n.index()],
                children_.data() + childBegin_[n.index() + 1]};
    }
    std::span<EClassId> allChildren() { return children_; }

    bool equals(ENodeId n, OpId op, ParamSpan params, ChildSpan children) const;
    std::size_t bytes() const;

private:
    std::vector<OpId> op_;
    std::vector<std::uint32_t> paramBegin_; ///< size() + 1 offsets
    std::vector<std::uint32_t> childBegin_; ///< size() + 1 offsets
    std::vector<Param> params_;
    std::vector<EClassId> children_;
};

std::uint32_t hashENode(OpId op, ParamSpan params, ChildSpan children);

class HashCons {
public:
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

    /// The indexed e-node that equals (op, params, children), or an invalid id.
    ENodeId find(const ENodeStore& store, OpId op, ParamSpan params, ChildSpan children) const;
    /// `hash` is the hash of `node` as it stands; no equal e-node may be indexed already.
    void insert(ENodeId node, std::uint32_t hash);
    /// `hash` is the hash `node` was inserted with.
    void erase(ENodeId node, std::uint32_t hash);

private:
    struct Slot {
        std::uint32_t hash = 0;
        ENodeId node; ///< invalid = empty
    };

    void grow();

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

} // namespace marquetry::egraph
