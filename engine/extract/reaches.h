// Reaches: all ways from one unit class down to every class inside it that no other way beats.
//
// A reach is the part of a path above the use of an outlined unit: the terms from the unit class of
// a call to the class of the unit. The better of two reaches is better whatever the body of the
// unit is. Reaches are therefore found once per class from which a call starts, not once per body.
// A reach may pass a class twice (see paths.h).
// Complexity: O(edges · |set|²). Cancel: the search stops early. Thread rule: belongs to one
// thread.
#pragma once

#include "engine/extract/paths.h"

namespace marquetry::extract {

struct Reach {
    ReachCost cost;
    int eclass = 0;  ///< where it ends
    int outer = -1;  ///< the reach one term shorter; −1 at the start
    ParentEdge edge; ///< the last term; meaningless at the start
};

class Reaches {
public:
    Reaches(const UnitGraph& graph, const TermCost& cost, const PinBits& pins, int start,
            std::stop_token stop);

    const std::vector<int>& set(int eclass) const {
        return sets_[static_cast<std::size_t>(eclass)];
    }
    const Reach& reach(int index) const { return arena_[static_cast<std::size_t>(index)]; }
    /// Terms from the outermost inwards.
    std::vector<ParentEdge> chain(int index) const;
    std::size_t steps() const { return steps_; }

private:
    void insert(Reach reach);
    void extend(int index);

    const UnitGraph& graph_;
    const TermCost& cost_;
    const PinBits& pins_;
    std::vector<Reach> arena_;
    std::vector<std::vector<int>> sets_;
    std::size_t steps_ = 0;
};

} // namespace marquetry::extract
