#include "engine/egraph/union_history.h"

#include <algorithm>

namespace marquetry::egraph {

UnionHistory::UnionHistory(const EGraph& egraph) {
    const std::size_t n = egraph.totalEnodes();
    up_.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        up_[i] = ENodeId{i};
    joined_.assign(n, kNever);
    buildJoinTree(egraph.unionLog());
    buildLinks(egraph.unionLog());
    rootForest();
}

// No path compression: a link and its time stay as they were made, and linking the smaller tree
// below the larger one keeps the depth logarithmic. Times increase towards the root.
void UnionHistory::buildJoinTree(const UnionLog& log) {
    std::vector<std::uint32_t> size(up_.size(), 1);
    const auto rootOf = [this](ENodeId n) {
        while (up_[n.index()] != n)
            n = up_[n.index()];
        return n;
    };
    for (std::size_t i = 0; i < log.size(); ++i) {
        ENodeId a = rootOf(log[i].left), b = rootOf(log[i].right);
        ENGINE_ASSERT(a != b, "only effective unions are logged");
        if (size[a.index()] < size[b.index()])
            std::swap(a, b);
        size[a.index()] += size[b.index()];
        up_[b.index()] = a;
        joined_[b.index()] = static_cast<Time>(i + 1);
    }
}

void UnionHistory::buildLinks(const UnionLog& log) {
    linkBegin_.assign(up_.size() + 1, 0);
    for (const UnionEntry entry : log) {
        ++linkBegin_[entry.left.index() + 1];
        ++linkBegin_[entry.right.index() + 1];
    }
    for (std::size_t i = 1; i < linkBegin_.size(); ++i)
        linkBegin_[i] += linkBegin_[i - 1];
    links_.resize(2 * log.size());
    std::vector<std::uint32_t> next(linkBegin_.begin(), linkBegin_.end() - 1);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const auto [left, right, origin] = log[i];
        links_[next[left.index()]++] = {right, static_cast<Time>(i)};
        links_[next[right.index()]++] = {left, static_cast<Time>(i)};
    }
}

void UnionHistory::rootForest() {
    parent_.resize(up_.size());
    parentEntry_.resize(up_.size());
    depth_.assign(up_.size(), 0);
    std::vector<std::uint8_t> seen(up_.size(), 0);
    std::vector<ENodeId> todo;
    for (std::size_t i = 0; i < up_.size(); ++i) {
        if (seen[i])
            continue;
        seen[i] = 1;
        todo.push_back(ENodeId{i});
        while (!todo.empty()) {
            const ENodeId n = todo.back();
            todo.pop_back();
            for (const Link& link : links(n)) {
                if (seen[link.to.index()])
                    continue;
                seen[link.to.index()] = 1;
                parent_[link.to.index()] = n;
                parentEntry_[link.to.index()] = link.entry;
                depth_[link.to.index()] = depth_[n.index()] + 1;
                todo.push_back(link.to);
            }
        }
    }
}

UnionHistory::Time UnionHistory::joinTime(ENodeId a, ENodeId b) const {
    Time time = 0;
    while (a != b) {
        // Whichever leaves its tree first moves up: the other cannot have met it before.
        const Time timeA = joined_[a.index()], timeB = joined_[b.index()];
        time = std::min(timeA, timeB);
        if (time == kNever)
            return kNever;
        ENodeId& mover = timeA < timeB ? a : b;
        mover = up_[mover.index()];
    }
    return time;
}

/// Visits the edges from `a` up to the common ancestor, then those from `b` up to it (as climbed).
template <class Visit>
void UnionHistory::walk(ENodeId a, ENodeId b, Visit&& visit) const {
    while (a != b) {
        const bool climbA = depth_[a.index()] >= depth_[b.index()];
        ENodeId& at = climbA ? a : b;
        const ENodeId above = parent_[at.index()];
        ENGINE_ASSERT(above.valid(), "only equal e-nodes are connected");
        visit(climbA, Edge{parentEntry_[at.index()], at, above});
        at = above;
    }
}

std::vector<UnionHistory::Edge> UnionHistory::path(ENodeId a, ENodeId b) const {
    std::vector<Edge> rising, falling;
    walk(a, b, [&](bool fromA, const Edge& edge) {
        if (fromA)
            rising.push_back(edge);
        else
            falling.push_back({edge.entry, edge.to, edge.from});
    });
    rising.insert(rising.end(), falling.rbegin(), falling.rend());
    return rising;
}

std::optional<UnionHistory::Edge> UnionHistory::edgeBetween(ENodeId a, ENodeId b) const {
    if (parent_[a.index()] == b)
        return Edge{parentEntry_[a.index()], a, b};
    if (parent_[b.index()] == a)
        return Edge{parentEntry_[b.index()], a, b};
    return std::nullopt;
}

std::size_t UnionHistory::pathLength(ENodeId a, ENodeId b) const {
    std::size_t length = 0;
    walk(a, b, [&](bool, const Edge&) { ++length; });
    return length;
}

std::vector<ENodeId> UnionHistory::equalTo(ENodeId n, Time time) const {
    // The edges form a tree, so coming back happens only over the edge just walked.
    std::vector<ENodeId> found{n};
    std::vector<Time> cameBy{kNever};
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const Link& link : links(found[i]))
            if (link.entry < time && link.entry != cameBy[i]) {
                found.push_back(link.to);
                cameBy.push_back(link.entry);
            }
    return found;
}

} // namespace marquetry::egraph
