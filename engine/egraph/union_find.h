// Union-find over e-class ids; the root of a set is its smallest (oldest) id.
//
// The smallest id as root keeps canonical ids independent of the order of unions, at the price of
// no union by rank; path halving on the mutable find and flatten() (one pass, because a parent is
// never larger than its child) keep paths short. Complexity: amortised O(log n); flatten O(n).
// Thread rule: the const find writes nothing, so readers may share a quiet structure.
#pragma once

#include "engine/egraph/enode.h"
#include "engine/support/assert.h"

#include <utility>

namespace marquetry::egraph {

class UnionFind {
public:
    EClassId makeSet() {
        const EClassId id{parent_.size()};
        parent_.push_back(id);
        return id;
    }

    std::size_t size() const { return parent_.size(); }
    bool isRoot(EClassId id) const { return parent_[id.index()] == id; }
    EClassId parent(EClassId id) const { return parent_[id.index()]; }
    std::size_t bytes() const { return parent_.capacity() * sizeof(EClassId); }

    EClassId find(EClassId id) const {
        while (parent_[id.index()] != id)
            id = parent_[id.index()];
        return id;
    }

    EClassId findAndHalve(EClassId id) {
        while (parent_[id.index()] != id) {
            EClassId& up = parent_[id.index()];
            up = parent_[up.index()];
            id = up;
        }
        return id;
    }

    /// Both arguments are different roots; returns {kept, absorbed}, kept being the smaller id.
    std::pair<EClassId, EClassId> unite(EClassId a, EClassId b) {
        ENGINE_ASSERT(a != b && isRoot(a) && isRoot(b), "unite takes two different roots");
        if (b < a)
            std::swap(a, b);
        parent_[b.index()] = a;
        return {a, b};
    }

    void flatten() {
        for (EClassId& up : parent_)
            up = parent_[up.index()];
    }

private:
    std::vector<EClassId> parent_;
};

} // namespace marquetry::egraph
