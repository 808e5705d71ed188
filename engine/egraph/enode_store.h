// All e-nodes, each stored once, with their e-classes and the lists between them.
//
// An e-node is a record of 32 bytes, half a cache line. It has a label (operator, parameters,
// arity: label_table.h), two children and the e-node's places in three lists. The class with the
// same number keeps in this record what a look-up or an insertion asks for next, its union-find
// parent and its first use. The lists are links inside the records, so a class owns no memory of
// its own:
//   members  of a class: from the class's oldest e-node (the one with the class's id) on
//   uses     of a class: (e-node, child position) pairs that hold it, in no particular order
// E-nodes with more than two children keep children and links in `wide` arrays. A second record of
// 12 bytes holds what only merging needs: last member, which operators the class holds, change
// stamp.
//
// Children are overwritten when classes merge. The children with which an e-node was made stay
// readable, so it names one concrete term. Uses and members may hold subsumed e-nodes until the
// e-graph tidies its lists. Complexity: O(1) per operation and list step. About 32 + 12 + 8 bytes
// per e-node.
// Thread rule: one owner; share() makes copies to read on other threads (copy on write; wide
// children are copied whole).
#pragma once

#include "engine/egraph/label_table.h"

namespace marquetry::egraph {

/// (e-node, child position), packed.
using UseId = StrongId<struct UseTag>;

class ENodeStore {
public:
    std::size_t size() const { return records_.size(); }
    const LabelTable& labels() const { return labels_; }
    LabelTable& labels() { return labels_; }

    LabelId label(ENodeId n) const { return LabelId{records_[n.index()].label & kLabelMask}; }
    OpId op(ENodeId n) const { return labels_.op(label(n)); }
    ParamSpan params(ENodeId n) const { return labels_.params(label(n)); }
    bool live(ENodeId n) const { return (records_[n.index()].label & kDead) == 0; }
    ChildSpan children(ENodeId n) const {
        const Record& record = records_[n.index()];
        const std::uint32_t arity = labels_.arity(LabelId{record.label & kLabelMask});
        return {arity <= kInline ? record.child : wideChildren_.data() + record.child[0].value(),
                arity};
    }
    /// As inserted; each is a class id that was canonical then, and also an older e-node's id.
    ChildSpan originalChildren(ENodeId n) const {
        const std::uint32_t arity = labels_.arity(label(n));
        return {arity <= kInline ? originals_[n.index()].child
                                 : wideOriginals_.data() + records_[n.index()].child[0].value(),
                arity};
    }
    bool equals(ENodeId n, LabelId label, ChildSpan children) const {
        const Record& record = records_[n.index()];
        if ((record.label & kLabelMask) != label.value())
            return false;
        const EClassId* const own = children.size() <= kInline
                                        ? record.child
                                        : wideChildren_.data() + record.child[0].value();
        for (std::size_t i = 0; i < children.size(); ++i)
            if (own[i] != children[i])
                return false;
        return true;
    }
    /// Asks the processor to fetch an e-node, and the class it was made for, before it is needed.
    void prefetch(ENodeId n) const { __builtin_prefetch(&records_[n.index()]); }
    /// The same for what a merge of the class reads.
    void prefetchMerge(EClassId c) const { __builtin_prefetch(&classes_[c.index()]); }
    void prefetchLastMember(EClassId c) const { prefetch(classes_[c.index()].lastMember); }

    EClassId parent(EClassId c) const { return records_[c.index()].parent; }
    EClassId find(EClassId c) const {
        for (EClassId up = parent(c); up != c; up = parent(c))
            c = up;
        return c;
    }
    ENodeId nextMember(ENodeId n) const { return records_[n.index()].nextMember; }
    /// False when no member of the class has the operator; true says nothing for sure.
    bool mayHold(EClassId c, OpId op) const {
        return (classes_[c.index()].operators & maskOf(op)) != 0;
    }
    UseId firstUse(EClassId c) const { return records_[c.index()].firstUse; }
    UseId nextUse(UseId use) const {
        return use.value() & kWide ? wideLinks_[use.value() & ~kWide].next
                                   : records_[use.value() >> 1].nextUse[use.value() & 1];
    }
    ENodeId user(UseId use) const {
        return use.value() & kWide ? wideLinks_[use.value() & ~kWide].user
                                   : ENodeId{use.value() >> 1};
    }
    /// Which child of its user.
    std::uint32_t position(UseId use) const {
        return use.value() & kWide
                   ? (use.value() & ~kWide) - records_[user(use).index()].child[0].value()
                   : use.value() & 1;
    }

    /// Live e-nodes of a canonical class, the oldest first.
    template <class Visit>
    void forEachMember(EClassId c, Visit&& visit) const {
        for (ENodeId n{c.value()}; n.valid(); n = nextMember(n))
            if (live(n))
                visit(n);
    }
    std::vector<ENodeId> members(EClassId c) const; ///< live, insertion order
    std::vector<ENodeId> users(EClassId c) const;   ///< live, each once, insertion order

    // ---- the owner's side -----------------------------------------------------------------------

    /// A new e-node in a new class of the same number; `children` are canonical.
    ENodeId push(LabelId label, ChildSpan children);
    std::span<EClassId> editChildren(ENodeId n);
    void markDead(ENodeId n) { records_.edit(n.index()).label |= kDead; }
    bool pending(ENodeId n) const { return (records_[n.index()].label & kPending) != 0; }
    void setPending(ENodeId n) { records_.edit(n.index()).label |= kPending; }
    void clearPending(ENodeId n) { records_.edit(n.index()).label &= ~kPending; }

    EClassId findAndHalve(EClassId c);
    /// Hangs `absorbed` under the older class `kept`: members are appended, `visit` sees each
    /// live e-node that uses `absorbed`, and those uses become uses of `kept`.
    template <class Visit>
    void absorb(EClassId kept, EClassId absorbed, Visit&& visit);
    /// Drops subsumed e-nodes from the members of a canonical class.
    void dropDeadMembers(EClassId c);
    /// Makes all use lists anew, without those of subsumed e-nodes. O(e-nodes).
    void relinkUses();
    /// Every path to a root takes one step afterwards.
    void flatten();

    std::uint32_t stamp(ENodeId n) const { return classes_[n.index()].stamp; }
    void setStamp(ENodeId n, std::uint32_t stamp) { classes_.edit(n.index()).stamp = stamp; }

    ENodeStore share() const;
    std::size_t bytes() const;

private:
    static constexpr std::uint32_t kInline = 2;
    static constexpr std::uint32_t kDead = 1u << 31;
    static constexpr std::uint32_t kPending = 1u << 30;
    static constexpr std::uint32_t kLabelMask = kPending - 1;
    static constexpr std::uint32_t kWide = 1u << 31;

    struct alignas(32) Record {
        std::uint32_t label; ///< with the bits kDead and kPending
        EClassId child[kInline];
        EClassId parent; ///< of the class of this number, as the next
        UseId firstUse;
        ENodeId nextMember;
        UseId nextUse[kInline];
    };
    struct Children {
        EClassId child[kInline];
    };
    struct Class {
        ENodeId lastMember;
        std::uint32_t operators; ///< of the members: one bit for each, modulo the word
        std::uint32_t stamp;     ///< of e-node k rather than class k: see EGraph's change log
    };
    struct WideLink {
        UseId next;
        ENodeId user;
    };

    static std::uint32_t maskOf(OpId op) { return std::uint32_t{1} << (op.value() % 32); }
    void linkUses(ENodeId n);
    void setNextUse(UseId use, UseId next);

    LabelTable labels_;
    PagedArray<Record> records_;
    PagedArray<Children> originals_;
    PagedArray<Class> classes_;
    std::vector<EClassId> wideChildren_;
    std::vector<EClassId> wideOriginals_;
    std::vector<WideLink> wideLinks_;
};

template <class Visit>
void ENodeStore::absorb(EClassId kept, EClassId absorbed, Visit&& visit) {
    UseId last;
    UseId first;
    for (UseId use = firstUse(absorbed); use.valid();) {
        const UseId next = nextUse(use);
        if (live(user(use))) {
            visit(user(use));
            if (last.valid())
                setNextUse(last, use);
            else
                first = use;
            last = use;
        }
        use = next;
    }
    if (last.valid()) {
        setNextUse(last, firstUse(kept));
        records_.edit(kept.index()).firstUse = first;
    }
    Record& gone = records_.edit(absorbed.index());
    gone.parent = kept;
    gone.firstUse = UseId{};
    const Class young = classes_[absorbed.index()]; // a copy: edit() may free the page it is on
    Class& old = classes_.edit(kept.index());
    records_.edit(old.lastMember.index()).nextMember = ENodeId{absorbed.value()};
    old.lastMember = young.lastMember;
    old.operators |= young.operators;
}

} // namespace marquetry::egraph
