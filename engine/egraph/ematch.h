// E-matching: all ways a pattern matches in an e-graph (de Moura & Bjørner, CADE'07).
//
// A match is a root class and a substitution; a substitution determines the matched root e-node,
// so matches are distinct. Order: by root e-node (or by class for a bare variable), then by
// e-node insertion order inside each class, the outer pattern node varying slowest. Ids in a
// match are canonical at the time of the search.
//
// MatchList owns all substitutions in two pools; a Match is a view into it, valid until the list
// changes. The search runs a compiled program (matcher.h).
// Complexity: O(candidates tried). Thread rule: reads the e-graph only; it must be clean.
#pragma once

#include "engine/egraph/egraph.h"
#include "engine/egraph/pattern.h"

#include <functional>

namespace marquetry::egraph {

struct Match {
    EClassId eclass;
    ENodeId root;                      ///< for a bare variable the oldest live e-node of the class
    std::span<const EClassId> classes; ///< by VarId
    std::span<const Param> params;     ///< by ParamVarId

    EClassId operator[](VarId v) const { return classes[v.index()]; }
    Param operator[](ParamVarId v) const { return params[v.index()]; }
};

class MatchList {
public:
    MatchList() = default;
    explicit MatchList(const Pattern& pattern)
        : classStride_(pattern.classVars.size()), paramStride_(pattern.paramVars.size()) {}

    std::size_t size() const { return roots_.size(); }
    bool empty() const { return roots_.empty(); }
    Match operator[](std::size_t i) const {
        return {eclasses_[i],
                roots_[i],
                {classes_.data() + i * classStride_, classStride_},
                {params_.data() + i * paramStride_, paramStride_}};
    }
    void push(const Match& match);
    void clear();
    std::size_t bytes() const;

    class Iterator {
    public:
        Iterator(const MatchList& list, std::size_t at) : list_(&list), at_(at) {}
        Match operator*() const { return (*list_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        const MatchList* list_;
        std::size_t at_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    std::vector<EClassId> eclasses_;
    std::vector<ENodeId> roots_;
    std::vector<EClassId> classes_;
    std::vector<Param> params_;
    std::size_t classStride_ = 0;
    std::size_t paramStride_ = 0;
};

/// Polled every ≤ 256 candidates with the list so far; true ends the search early.
using SearchStop = std::function<bool(const MatchList&)>;

/// Every match, or those found before `stop` said so.
MatchList ematch(const EGraph& egraph, const Pattern& pattern, const SearchStop& stop = {});

} // namespace marquetry::egraph
