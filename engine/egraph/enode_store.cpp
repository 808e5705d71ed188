#include "engine/egraph/enode_store.h"

#include "engine/support/assert.h"
#include "engine/support/hash.h"

#include <algorithm>
#include <limits>

namespace marquetry::egraph {

ENodeId ENodeStore::push(OpId op, ParamSpan params, ChildSpan children) {
    constexpr std::size_t kMax = std::numeric_limits<std::uint32_t>::max() - 16;
    ENGINE_ASSERT(op_.size() < kMax && params_.size() + params.size() < kMax &&
                      children_.size() + children.size() < kMax,
                  "the e-node store is addressed with 32 bits");
    const ENodeId id{op_.size()};
    op_.push_back(op);
    params_.insert(params_.end(), params.begin(), params.end());
    children_.insert(children_.end(), children.begin(), children.end());
    paramBegin_.push_back(static_cast<std::uint32_t>(params_.size()));
    childBegin_.push_back(static_cast<std::uint32_t>(children_.size()));
    return id;
}

bool ENodeStore::equals(ENodeId n, OpId op, ParamSpan params, ChildSpan children) const {
    return op_[n.index()] == op && std::ranges::equal(this->children(n), children) &&
           std::ranges::equal(this->params(n), params);
}

std::size_t ENodeStore::bytes() const {
    return op_.capacity() * sizeof(OpId) +
           (paramBegin_.capacity() + childBegin_.capacity()) * sizeof(std::uint32_t) +
           params_.capacity() * sizeof(Param) + children_.capacity() * sizeof(EClassId);
}

std::uint32_t hashENode(OpId op, ParamSpan params, ChildSpan children) {
    std::uint64_t h = combine(params.size(), op.value());
    for (Param p : params)
        h = combine(h, static_cast<std::uint64_t>(p));
    for (EClassId c : children)
        h = combine(h, c.value());
    return static_cast<std::uint32_t>(h >> 32);
}

ENodeId HashCons::find(const ENodeStore& store, OpId op, ParamSpan params,
                       ChildSpan children) const {
    if (slots_.empty())
        return {};
    const std::uint32_t hash = hashENode(op, params, children);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask; slots_[i].node.valid(); i = (i + 1) & mask)
        if (slots_[i].hash == hash && store.equals(slots_[i].node, op, params, children))
            return slots_[i].node;
    return {};
}

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

void HashCons::erase(ENodeId node, std::uint32_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t hole = hash & mask;
    while (slots_[hole].node != node) {
        ENGINE_ASSERT(slots_[hole].node.valid(), "an erased e-node is in the hash-cons");
        hole = (hole + 1) & mask;
    }
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
