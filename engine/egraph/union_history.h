// The unions of an e-graph as they came: when two e-nodes became equal, and by which edges.
//
// Time is the number of unions so far: "at time t" means with the unions 0 … t − 1 of the log. Each
// effective union is one edge between the two e-nodes that were asserted equal, so the edges form a
// forest with one path between any two equal e-nodes.
// Complexity: construction O(e-nodes + unions); joinTime O(log e-nodes); path O(its length);
// equalTo O(e-nodes of the class). Memory about 32 bytes per e-node.
// Thread rule: immutable after construction.
#pragma once

#include "engine/egraph/egraph.h"

namespace marquetry::egraph {

class UnionHistory {
public:
    using Time = std::uint32_t;
    static constexpr Time kNever = 0xFFFFFFFFu;

    /// One union, walked in either direction.
    struct Edge {
        Time entry; ///< index into the log
        ENodeId from, to;
    };

    explicit UnionHistory(const EGraph& egraph);

    std::size_t size() const { return up_.size(); }
    /// The least time at which the two are equal; kNever when they are not.
    Time joinTime(ENodeId a, ENodeId b) const;
    bool equalAt(ENodeId a, ENodeId b, Time time) const { return a == b || joinTime(a, b) <= time; }
    /// The edges from `a` to `b`, which must be equal.
    std::vector<Edge> path(ENodeId a, ENodeId b) const;
    /// The edge between two e-nodes that one union joined; O(1).
    std::optional<Edge> edgeBetween(ENodeId a, ENodeId b) const;
    std::size_t pathLength(ENodeId a, ENodeId b) const;
    /// All e-nodes equal to `n` at `time`, the fewest edges away first; `n` itself leads.
    std::vector<ENodeId> equalTo(ENodeId n, Time time) const;

private:
    struct Link {
        ENodeId to;
        Time entry;
    };

    void buildJoinTree(const UnionLog& log);
    void buildLinks(const UnionLog& log);
    void rootForest();
    template <class Visit>
    void walk(ENodeId a, ENodeId b, Visit&& visit) const;
    std::span<const Link> links(ENodeId n) const {
        return {links_.data() + linkBegin_[n.index()], links_.data() + linkBegin_[n.index() + 1]};
    }

    std::vector<ENodeId> up_;  ///< join tree, linked by size: depth O(log n)
    std::vector<Time> joined_; ///< time of the link to up_; kNever at a root
    std::vector<std::uint32_t> linkBegin_;
    std::vector<Link> links_;
    std::vector<ENodeId> parent_;   ///< forest of edges, rooted anywhere; invalid at a root
    std::vector<Time> parentEntry_; ///< the union that is the edge to parent_
    std::vector<std::uint32_t> depth_;
};

} // namespace marquetry::egraph
