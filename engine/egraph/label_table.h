// Labels: what an e-node is apart from its children (operator, parameters, number of children),
// interned, so that e-nodes compare and hash by one integer.
//
// Complexity: O(1), intern and find O(parameters) expected. Labels are never removed.
// Thread rule: one owner; shared copies are read on any thread (intern and find are the owner's).
#pragma once

#include "engine/egraph/enode.h"
#include "engine/egraph/paged_array.h"

namespace marquetry::egraph {

using LabelId = StrongId<struct LabelTag>;

class LabelTable {
public:
    std::size_t size() const { return labels_.size(); }
    OpId op(LabelId id) const { return labels_[id.index()].op; }
    std::uint32_t arity(LabelId id) const { return labels_[id.index()].arity; }
    ParamSpan params(LabelId id) const {
        const Label& label = labels_[id.index()];
        return {label.params, label.paramCount};
    }

    LabelId intern(OpId op, ParamSpan params, std::size_t arity);
    /// Invalid when there is no such label.
    LabelId find(OpId op, ParamSpan params, std::size_t arity) const;

    LabelTable share() const;
    std::size_t bytes() const;

private:
    struct Label {
        const Param* params; ///< in the arena
        OpId op;
        std::uint32_t arity;
        std::uint32_t paramCount;
    };
    /// Parameters never move: readers of shared copies hold the arena, not its list of blocks.
    struct Arena {
        std::vector<std::unique_ptr<Param[]>> blocks;
        std::size_t used = 0, capacity = 0; ///< of the last block
        std::size_t bytes = 0;
        const Param* keep(ParamSpan params);
    };

    std::size_t slotOf(OpId op, ParamSpan params, std::size_t arity) const;
    void grow();

    PagedArray<Label> labels_;
    std::vector<LabelId> slots_; ///< open addressing; invalid = empty
    std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
};

} // namespace marquetry::egraph
