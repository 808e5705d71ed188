#include "engine/term_extract/split.h"

#include <algorithm>
#include <numeric>

namespace marquetry::term_extract {

namespace {

class Groups {
public:
    explicit Groups(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }
    ClassIndex find(ClassIndex c) {
        while (parent_[c] != c)
            c = parent_[c] = parent_[parent_[c]];
        return c;
    }
    void unite(ClassIndex a, ClassIndex b) {
        parent_[std::max(find(a), find(b))] = std::min(find(a), find(b));
    }

private:
    std::vector<ClassIndex> parent_;
};

/// The classes listed, in their order, without the nodes that `keep` refuses.
template <class Keep>
Part extractPart(const SelectionProblem& problem, std::span<const ClassIndex> classes,
                 std::vector<ClassIndex>& number, Keep&& keep) {
    Part part;
    for (const ClassIndex c : classes) {
        number[c] = static_cast<ClassIndex>(part.eclass.size());
        part.eclass.push_back(c);
    }
    std::vector<ClassIndex> children;
    for (const ClassIndex c : classes) {
        part.problem.addClass();
        for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n) {
            if (!keep(c, n))
                continue;
            children.clear();
            for (const ClassIndex child : problem.children(n))
                children.push_back(number[child]);
            part.problem.addNode(problem.cost[n], children);
            part.node.push_back(n);
        }
    }
    return part;
}

std::vector<std::uint8_t> reachable(const SelectionProblem& problem) {
    std::vector<std::uint8_t> seen(problem.classCount());
    std::vector<ClassIndex> work = problem.roots;
    while (!work.empty()) {
        const ClassIndex c = work.back();
        work.pop_back();
        if (seen[c])
            continue;
        seen[c] = 1;
        for (std::uint32_t k = problem.childBegin[problem.nodeBegin[c]];
             k < problem.childBegin[problem.nodeBegin[c + 1]]; ++k)
            work.push_back(problem.child[k]);
    }
    return seen;
}

} // namespace

std::vector<Part> split(const SelectionProblem& problem) {
    const std::vector<std::uint8_t> seen = reachable(problem);
    Groups groups(problem.classCount());
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        if (seen[c])
            for (std::uint32_t k = problem.childBegin[problem.nodeBegin[c]];
                 k < problem.childBegin[problem.nodeBegin[c + 1]]; ++k)
                groups.unite(c, problem.child[k]);
    std::vector<std::vector<ClassIndex>> members(problem.classCount());
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        if (seen[c])
            members[groups.find(c)].push_back(c);
    std::vector<ClassIndex> number(problem.classCount(), kNone);
    std::vector<Part> parts;
    std::vector<std::size_t> partOf(problem.classCount());
    for (const std::vector<ClassIndex>& classes : members) {
        if (classes.empty())
            continue;
        for (const ClassIndex c : classes)
            partOf[c] = parts.size();
        parts.push_back(
            extractPart(problem, classes, number, [](ClassIndex, NodeIndex) { return true; }));
    }
    for (const ClassIndex root : problem.roots)
        parts[partOf[root]].problem.roots.push_back(number[root]);
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return a.problem.nodeCount() < b.problem.nodeCount();
    });
    return parts;
}

void merge(const Part& part, const Selection& selection, Selection& whole) {
    for (ClassIndex c = 0; c < selection.size(); ++c)
        if (selection[c] != kNone)
            whole[part.eclass[c]] = part.node[selection[c]];
}

Part restrictTo(const SelectionProblem& problem, ClassIndex c, NodeIndex n) {
    std::vector<ClassIndex> all(problem.classCount());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<ClassIndex> number(problem.classCount());
    Part part = extractPart(problem, all, number, [&](ClassIndex owner, NodeIndex node) {
        return owner != c || node == n;
    });
    part.problem.roots = problem.roots;
    return part;
}

} // namespace marquetry::term_extract
