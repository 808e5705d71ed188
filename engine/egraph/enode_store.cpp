#include "engine/egraph/enode_store.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::egraph {

std::vector<ENodeId> ENodeStore::members(EClassId c) const {
    std::vector<ENodeId> all;
    forEachMember(c, [&](ENodeId n) { all.push_back(n); });
    std::ranges::sort(all);
    return all;
}

std::vector<ENodeId> ENodeStore::users(EClassId c) const {
    std::vector<ENodeId> all;
    for (UseId use = firstUse(c); use.valid(); use = nextUse(use))
        if (live(user(use)))
            all.push_back(user(use));
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end()); // a repeated child
    return all;
}

ENodeId ENodeStore::push(LabelId label, ChildSpan children) {
    constexpr std::size_t kMax = std::size_t{1} << 30;
    ENGINE_ASSERT(size() < kMax && labels_.size() < kMax &&
                      wideChildren_.size() + children.size() < kMax,
                  "the e-node store is addressed with 30 bits");
    const ENodeId n{size()};
    Record record{label.value(), {}, EClassId{n.value()}, {}, {}, {}};
    if (children.size() <= kInline) {
        std::ranges::copy(children, record.child);
    } else {
        record.child[0] = EClassId{wideChildren_.size()};
        wideChildren_.insert(wideChildren_.end(), children.begin(), children.end());
        wideOriginals_.insert(wideOriginals_.end(), children.begin(), children.end());
        wideLinks_.resize(wideChildren_.size(), WideLink{{}, n});
    }
    records_.push_back(record);
    originals_.push_back({{record.child[0], record.child[1]}});
    classes_.push_back({n, maskOf(labels_.op(label)), 0});
    linkUses(n);
    return n;
}

void ENodeStore::linkUses(ENodeId n) {
    const std::size_t arity = children(n).size();
    const std::uint32_t base =
        arity > kInline ? kWide | records_[n.index()].child[0].value() : n.value() << 1;
    for (std::uint32_t i = 0; i < arity; ++i) {
        const UseId use{base + i};
        // The children anew each time: edit() may free the page they are on.
        Record& child = records_.edit(children(n)[i].index());
        setNextUse(use, child.firstUse);
        child.firstUse = use;
    }
}

void ENodeStore::setNextUse(UseId use, UseId next) {
    if (use.value() & kWide)
        wideLinks_[use.value() & ~kWide].next = next;
    else
        records_.edit(use.value() >> 1).nextUse[use.value() & 1] = next;
}

void ENodeStore::relinkUses() {
    for (std::size_t i = 0; i < records_.size(); ++i)
        if (records_[i].firstUse.valid())
            records_.edit(i).firstUse = UseId{};
    for (std::size_t i = 0; i < records_.size(); ++i)
        if (live(ENodeId{i}))
            linkUses(ENodeId{i});
}

std::span<EClassId> ENodeStore::editChildren(ENodeId n) {
    Record& record = records_.edit(n.index());
    const std::uint32_t arity = labels_.arity(LabelId{record.label & kLabelMask});
    return {arity <= kInline ? record.child : wideChildren_.data() + record.child[0].value(),
            arity};
}

EClassId ENodeStore::findAndHalve(EClassId c) {
    EClassId up = parent(c);
    while (up != c) {
        const EClassId above = parent(up);
        if (above == up)
            return up;
        records_.edit(c.index()).parent = above;
        c = above;
        up = parent(c);
    }
    return c;
}

void ENodeStore::dropDeadMembers(EClassId c) {
    ENodeId last{c.value()}; // the oldest member is never subsumed
    for (ENodeId n = nextMember(last); n.valid(); n = nextMember(n)) {
        if (!live(n))
            continue;
        if (nextMember(last) != n)
            records_.edit(last.index()).nextMember = n;
        last = n;
    }
    if (nextMember(last).valid())
        records_.edit(last.index()).nextMember = ENodeId{};
    if (classes_[c.index()].lastMember != last)
        classes_.edit(c.index()).lastMember = last;
}

void ENodeStore::flatten() {
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const EClassId up = records_[i].parent;
        const EClassId root = parent(up); // smaller ids are flat already
        if (root != up)
            records_.edit(i).parent = root;
    }
}

ENodeStore ENodeStore::share() const {
    ENodeStore copy;
    copy.labels_ = labels_.share();
    copy.records_ = records_.share();
    copy.originals_ = originals_.share();
    copy.classes_ = classes_.share();
    copy.wideChildren_ = wideChildren_;
    copy.wideOriginals_ = wideOriginals_;
    copy.wideLinks_ = wideLinks_;
    return copy;
}

std::size_t ENodeStore::bytes() const {
    return labels_.bytes() + records_.bytes() + originals_.bytes() + classes_.bytes() +
           (wideChildren_.capacity() + wideOriginals_.capacity()) * sizeof(EClassId) +
           wideLinks_.capacity() * sizeof(WideLink);
}

} // namespace marquetry::egraph
