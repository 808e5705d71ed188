#include "engine/term_extract/work_graph.h"

#include <algorithm>

namespace marquetry::term_extract {

namespace {

void insertClass(std::vector<ClassIndex>& sorted, ClassIndex c) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), c);
    if (at == sorted.end() || *at != c)
        sorted.insert(at, c);
}

std::vector<ClassIndex> distinct(std::span<const ClassIndex> children) {
    std::vector<ClassIndex> set(children.begin(), children.end());
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    return set;
}

} // namespace

bool containsClass(const std::vector<ClassIndex>& sorted, ClassIndex c) {
    return std::binary_search(sorted.begin(), sorted.end(), c);
}

WorkGraph::WorkGraph(const SelectionProblem& problem)
    : nodes_(problem.classCount()), isRoot_(problem.classCount()) {
    const std::vector<std::uint8_t> grounded = groundedClasses(problem);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n) {
            WorkNode node{problem.cost[n], distinct(problem.children(n)), 0};
            const bool usable = !containsClass(node.children, c) &&
                                std::all_of(node.children.begin(), node.children.end(),
                                            [&](ClassIndex child) { return grounded[child] != 0; });
            if (!usable)
                continue;
            node.origin = addOrigin({n, kNone, kNone});
            nodes_[c].push_back(std::move(node));
        }
    for (const ClassIndex root : problem.roots)
        isRoot_[root] = 1;
    constexpr std::size_t kRoom = 100'000;
    mostEntries_ = 4 * problem.child.size() + kRoom;
    dropUnreachable();
}

std::uint32_t WorkGraph::addOrigin(const WorkOrigin& origin) {
    origins_.push_back(origin);
    return static_cast<std::uint32_t>(origins_.size() - 1);
}

void WorkGraph::dropUnreachable() {
    std::vector<std::uint8_t> seen(nodes_.size());
    alive_.clear();
    const auto reach = [&](ClassIndex c) {
        if (!seen[c])
            alive_.push_back(c);
        seen[c] = 1;
    };
    for (ClassIndex c = 0; c < nodes_.size(); ++c)
        if (isRoot_[c])
            reach(c);
    for (std::size_t at = 0; at < alive_.size(); ++at)
        for (const WorkNode& node : nodes_[alive_[at]])
            for (const ClassIndex child : node.children)
                reach(child);
    for (ClassIndex c = 0; c < nodes_.size(); ++c)
        if (!seen[c])
            nodes_[c].clear();
    std::sort(alive_.begin(), alive_.end());
    countUsers();
}

void WorkGraph::countUsers() {
    useCount_.assign(nodes_.size(), 0);
    users_.resize(nodes_.size());
    queued_.assign(nodes_.size(), 0);
    childEntries_ = 0;
    for (const ClassIndex c : alive_)
        users_[c].clear();
    for (const ClassIndex c : alive_)
        for (const WorkNode& node : nodes_[c])
            addUses(c, node);
}

void WorkGraph::addUses(ClassIndex user, const WorkNode& node) {
    childEntries_ += node.children.size();
    for (const ClassIndex child : node.children) {
        ++useCount_[child];
        if (users_[child].empty() || users_[child].back() != user)
            users_[child].push_back(user);
    }
}

void WorkGraph::removeUses(const WorkNode& node) {
    childEntries_ -= node.children.size();
    for (const ClassIndex child : node.children) {
        --useCount_[child];
        visit(child);
    }
}

void WorkGraph::visit(ClassIndex c) {
    if (queued_[c])
        return;
    queued_[c] = 1;
    work_.push_back(c);
}

bool WorkGraph::inlineClasses() {
    // Children mostly have smaller numbers than their users: with a stack they come first.
    for (auto c = alive_.rbegin(); c != alive_.rend(); ++c)
        visit(*c);
    bool changed = false;
    while (!work_.empty()) {
        const ClassIndex c = work_.back();
        work_.pop_back();
        queued_[c] = 0;
        if (nodes_[c].empty())
            continue;
        if (isRoot_[c] && nodes_[c].size() == 1) {
            paid_ += nodes_[c][0].cost;
            nodes_[c][0].cost = 0;
        }
        const bool used = useCount_[c] > 0 || isRoot_[c];
        const bool lonely = !isRoot_[c] && useCount_[c] == 1;
        const bool fits =
            useCount_[c] < 2 || nodes_[c][0].children.size() < 2 ||
            childEntries_ + useCount_[c] * nodes_[c][0].children.size() <= mostEntries_;
        if (!used || !(lonely || (isFree(c) && fits)))
            continue;
        inlineClass(c);
        changed = true;
    }
    std::erase_if(alive_, [&](ClassIndex c) { return nodes_[c].empty(); });
    return changed;
}

void WorkGraph::inlineClass(ClassIndex c) {
    std::vector<ClassIndex> users = std::move(users_[c]);
    users_[c].clear();
    std::sort(users.begin(), users.end());
    users.erase(std::unique(users.begin(), users.end()), users.end());
    for (const ClassIndex user : users)
        replaceIn(user, c);
    if (isFree(c)) {
        always_.push_back(nodes_[c][0].origin);
        if (isRoot_[c])
            for (const ClassIndex child : nodes_[c][0].children) {
                isRoot_[child] = 1;
                visit(child);
            }
    }
    for (const WorkNode& node : nodes_[c])
        removeUses(node);
    isRoot_[c] = 0;
    nodes_[c].clear();
}

/// Nodes of `user` that need `c` need what a node of c needs instead.
void WorkGraph::replaceIn(ClassIndex user, ClassIndex c) {
    const bool any = std::any_of(nodes_[user].begin(), nodes_[user].end(),
                                 [&](const WorkNode& n) { return containsClass(n.children, c); });
    if (!any)
        return;
    const bool free = isFree(c);
    std::vector<WorkNode> kept;
    for (WorkNode& node : nodes_[user]) {
        if (!containsClass(node.children, c)) {
            kept.push_back(std::move(node));
            continue;
        }
        removeUses(node);
        std::erase(node.children, c);
        for (const WorkNode& inner : nodes_[c]) {
            WorkNode merged = node;
            merged.cost += inner.cost;
            for (const ClassIndex child : inner.children)
                insertClass(merged.children, child);
            if (containsClass(merged.children, user))
                continue;
            if (!free)
                merged.origin = addOrigin({kNone, node.origin, inner.origin});
            addUses(user, merged);
            kept.push_back(std::move(merged));
        }
    }
    nodes_[user] = std::move(kept);
    visit(user);
}

std::vector<std::uint8_t> WorkGraph::reachNegative() const {
    std::vector<std::uint8_t> negative(nodes_.size());
    std::vector<ClassIndex> work;
    const auto mark = [&](ClassIndex c) {
        if (!negative[c])
            work.push_back(c);
        negative[c] = 1;
    };
    for (const ClassIndex c : alive_)
        for (const WorkNode& node : nodes_[c])
            if (node.cost < 0)
                mark(c);
    if (work.empty())
        return negative;
    std::vector<std::vector<ClassIndex>> users(nodes_.size());
    for (const ClassIndex c : alive_)
        for (const WorkNode& node : nodes_[c])
            for (const ClassIndex child : node.children)
                users[child].push_back(c);
    for (std::size_t at = 0; at < work.size(); ++at)
        for (const ClassIndex user : users[work[at]])
            mark(user);
    return negative;
}

SelectionProblem WorkGraph::pack() const {
    std::vector<ClassIndex> number(nodes_.size(), kNone);
    for (ClassIndex c = 0; c < alive_.size(); ++c)
        number[alive_[c]] = c;
    SelectionProblem packed;
    std::vector<ClassIndex> children;
    for (const ClassIndex c : alive_) {
        if (isRoot_[c])
            packed.roots.push_back(number[c]);
        packed.addClass();
        for (const WorkNode& node : nodes_[c]) {
            children.clear();
            for (const ClassIndex child : node.children)
                children.push_back(number[child]);
            packed.addNode(node.cost, children);
        }
    }
    return packed;
}

} // namespace marquetry::term_extract
