// Provenance: which rule application made an e-node or a union.
//
// An Origin names the rule (its index in the list of rewrites), the iteration (from 1; 0 for the
// given term) and the e-node the rule's left-hand side matched at its root. The matched e-node is
// older than whatever the match created, so following origins ends at a given e-node.
// The logs keep 4 bytes per e-node and 8 per union, and one run for each stretch of equal rule and
// iteration. They only grow, so the first k entries are the state at an earlier moment.
// Complexity: reading an entry O(log runs); a chain takes O(its length) of them.
// Thread rule: as PagedArray: one owner, shared copies on any thread.
#pragma once

#include "engine/egraph/enode.h"
#include "engine/egraph/paged_array.h"

#include <iterator>
#include <vector>

namespace marquetry::egraph {

class EGraph;
class FrozenEGraph;

using RuleId = StrongId<struct RuleTag>;

inline constexpr RuleId kGiven{std::uint32_t{0xFFFFFFFEu}};      ///< part of the initial term
inline constexpr RuleId kCongruence{std::uint32_t{0xFFFFFFFDu}}; ///< equal operator and children

struct Origin {
    RuleId rule = kGiven;
    std::int32_t iteration = 0;
    ENodeId root; ///< matched root; for kCongruence the surviving e-node; invalid for kGiven

    bool operator==(const Origin&) const = default;
};

inline bool isRule(RuleId rule) {
    return rule < kCongruence;
}

/// One effective union, in the words of whoever asked for it: the terms named by the e-nodes `left`
/// and `right` are equal. For a rule `left` is the matched root and `right` the oldest e-node of
/// the class the rule built; for congruence two e-nodes with equal operators and equal children.
struct UnionEntry {
    ENodeId left;
    ENodeId right;
    Origin origin;

    bool operator==(const UnionEntry&) const = default;
};

/// Rule and iteration by position, one entry for each stretch of equal ones.
class OriginRuns {
public:
    struct Run {
        std::uint32_t first;
        RuleId rule;
        std::int32_t iteration;
    };

    void note(std::size_t position, RuleId rule, std::int32_t iteration) {
        if (runs_.empty() || runs_.back().rule != rule || runs_.back().iteration != iteration)
            runs_.push_back({static_cast<std::uint32_t>(position), rule, iteration});
    }
    const Run& at(std::size_t position) const {
        return *(std::ranges::upper_bound(runs_, position, {}, &Run::first) - 1);
    }
    std::size_t bytes() const { return runs_.capacity() * sizeof(Run); }

private:
    std::vector<Run> runs_;
};

/// Origins of e-nodes, by ENodeId.
class OriginLog {
public:
    void push(const Origin& origin) {
        runs_.note(roots_.size(), origin.rule, origin.iteration);
        roots_.push_back(origin.root);
    }
    Origin operator[](std::size_t i) const {
        const OriginRuns::Run& run = runs_.at(i);
        return {run.rule, run.iteration, roots_[i]};
    }
    OriginLog share() const;
    std::size_t bytes() const { return roots_.bytes() + runs_.bytes(); }

private:
    PagedArray<ENodeId> roots_;
    OriginRuns runs_;
};

/// All effective unions in the order they were made.
class UnionLog {
public:
    std::size_t size() const { return pairs_.size(); }
    bool empty() const { return pairs_.empty(); }
    UnionEntry operator[](std::size_t i) const;
    UnionEntry back() const { return (*this)[size() - 1]; }

    /// For a rule the left term is the one its root names, whatever `left` says.
    void push(ENodeId left, ENodeId right, const Origin& origin);
    UnionLog share() const;
    std::size_t bytes() const { return pairs_.bytes() + runs_.bytes(); }

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = UnionEntry;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = UnionEntry;

        Iterator(const UnionLog& log, std::size_t at) : log_(&log), at_(at) {}
        UnionEntry operator*() const { return (*log_)[at_]; }
        Iterator& operator++() {
            ++at_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++at_;
            return before;
        }
        bool operator==(const Iterator& other) const { return at_ == other.at_; }

    private:
        const UnionLog* log_;
        std::size_t at_;
    };
    Iterator begin() const { return {*this, 0}; }
    Iterator end() const { return {*this, size()}; }

private:
    struct Pair {
        ENodeId left, right;
    };

    PagedArray<Pair> pairs_;
    OriginRuns runs_;
};

struct OriginStep {
    ENodeId node;
    Origin origin; ///< how `node` came to be
};

/// From `node` back to a given e-node: step 0 is `node`, step k+1 the root matched at step k.
std::vector<OriginStep> originChain(const EGraph& egraph, ENodeId node);
std::vector<OriginStep> originChain(const FrozenEGraph& view, ENodeId node);

} // namespace marquetry::egraph
