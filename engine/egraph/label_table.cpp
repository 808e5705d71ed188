#include "engine/egraph/label_table.h"

#include "engine/support/assert.h"
#include "engine/support/hash.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

constexpr std::size_t kArenaBlock = 1024;

std::uint64_t hashLabel(OpId op, ParamSpan params, std::size_t arity) {
    std::uint64_t h = combine(arity, op.value());
    for (Param p : params)
        h = combine(h, static_cast<std::uint64_t>(p));
    return h;
}

} // namespace

const Param* LabelTable::Arena::keep(ParamSpan params) {
    if (capacity - used < params.size() || blocks.empty()) {
        capacity = std::max(kArenaBlock, params.size());
        used = 0;
        blocks.push_back(std::make_unique_for_overwrite<Param[]>(capacity));
        bytes += capacity * sizeof(Param);
    }
    Param* const begin = blocks.back().get() + used;
    std::ranges::copy(params, begin);
    used += params.size();
    return begin;
}

/// The slot of the label, or the empty one where it belongs.
std::size_t LabelTable::slotOf(OpId op, ParamSpan params, std::size_t arity) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hashLabel(op, params, arity) & mask;
    while (slots_[i].valid() && (this->op(slots_[i]) != op || this->arity(slots_[i]) != arity ||
                                 !std::ranges::equal(this->params(slots_[i]), params)))
        i = (i + 1) & mask;
    return i;
}

LabelId LabelTable::find(OpId op, ParamSpan params, std::size_t arity) const {
    return slots_.empty() ? LabelId{} : slots_[slotOf(op, params, arity)];
}

LabelId LabelTable::intern(OpId op, ParamSpan params, std::size_t arity) {
    if ((labels_.size() + 1) * 2 > slots_.size())
        grow();
    LabelId& slot = slots_[slotOf(op, params, arity)];
    if (!slot.valid()) {
        slot = LabelId{labels_.size()};
        labels_.push_back({arena_->keep(params), op, static_cast<std::uint32_t>(arity),
                           static_cast<std::uint32_t>(params.size())});
    }
    return slot;
}

void LabelTable::grow() {
    slots_.assign(std::max<std::size_t>(32, slots_.size() * 2), LabelId{});
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        const LabelId id{i};
        slots_[slotOf(op(id), params(id), arity(id))] = id;
    }
}

LabelTable LabelTable::share() const {
    LabelTable copy;
    copy.labels_ = labels_.share();
    copy.arena_ = arena_;
    return copy;
}

std::size_t LabelTable::bytes() const {
    return labels_.bytes() + slots_.capacity() * sizeof(LabelId) + arena_->bytes;
}

} // namespace marquetry::egraph
