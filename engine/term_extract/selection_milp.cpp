#include "engine/term_extract/selection_milp.h"

#include "engine/term_extract/mandatory.h"

#include <algorithm>
#include <map>

namespace marquetry::term_extract {

namespace {

using milp::LinearTerm;
using milp::VariableId;

class MilpBuilder {
public:
    explicit MilpBuilder(const SelectionProblem& problem)
        : problem_(problem),
          components_(strongComponents(problem)),
          sets_(mandatoryClasses(problem, components_)) {}

    milp::Model build() && {
        for (NodeIndex n = 0; n < problem_.nodeCount(); ++n)
            model_.addBinary(problem_.cost[n]);
        addRoots();
        for (ClassIndex c = 0; c < problem_.classCount(); ++c)
            addNeeds(c);
        addEarned();
        addOrder();
        return std::move(model_);
    }

private:
    void addNodes(ClassIndex c, double coefficient, std::vector<LinearTerm>& terms) const {
        for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n)
            terms.push_back({VariableId{n}, coefficient});
    }

    void addRoots() {
        isRoot_.resize(problem_.classCount());
        for (const ClassIndex root : problem_.roots)
            isRoot_[root] = 1;
        for (ClassIndex c = 0; c < problem_.classCount(); ++c) {
            std::vector<LinearTerm> all;
            addNodes(c, 1, all);
            model_.addRow(isRoot_[c] ? 1 : -milp::kInfinity, std::move(all), 1);
        }
    }

    std::vector<std::uint64_t> closureOf(NodeIndex n) const {
        std::vector<std::uint64_t> closure((problem_.classCount() + 63) / 64);
        for (const ClassIndex child : problem_.children(n))
            ClassSets::unite(closure, sets_.row(child));
        return closure;
    }

    void addNeeds(ClassIndex c) {
        std::map<ClassIndex, std::vector<NodeIndex>> bringing; // by needed class
        for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n)
            forEach(closureOf(n), [&](ClassIndex d) { bringing[d].push_back(n); });
        for (const auto& [d, nodes] : bringing) {
            const bool covered =
                std::any_of(bringing.begin(), bringing.end(), [&](const auto& other) {
                    return other.first != d && ClassSets::has(sets_.row(other.first), d) &&
                           std::includes(other.second.begin(), other.second.end(), nodes.begin(),
                                         nodes.end());
                });
            if (covered || (isRoot_[d] && components_.of[d] != components_.of[c]))
                continue;
            std::vector<LinearTerm> row;
            for (const NodeIndex n : nodes)
                row.push_back({VariableId{n}, 1});
            for (NodeIndex m = problem_.nodeBegin[d]; m < problem_.nodeBegin[d + 1]; ++m)
                if (components_.of[d] != components_.of[c] || !ClassSets::has(closureOf(m), c))
                    row.push_back({VariableId{m}, -1});
            model_.addAtMost(std::move(row), 0);
        }
    }

    void addEarned() {
        std::vector<std::vector<LinearTerm>> users(problem_.classCount());
        std::vector<std::uint8_t> negative(problem_.classCount());
        for (std::size_t k = 0; k < components_.classes.size(); ++k) { // children first
            std::uint8_t any = 0;
            for (const ClassIndex c : components_.classes[k])
                any |= reachesNegative(c, negative);
            for (const ClassIndex c : components_.classes[k])
                negative[c] = any;
        }
        for (NodeIndex n = 0; n < problem_.nodeCount(); ++n)
            for (const ClassIndex child : problem_.children(n))
                users[child].push_back({VariableId{n}, -1});
        for (ClassIndex c = 0; c < problem_.classCount(); ++c)
            if (negative[c] && !isRoot_[c]) {
                addNodes(c, 1, users[c]);
                model_.addAtMost(std::move(users[c]), 0);
            }
    }

    std::uint8_t reachesNegative(ClassIndex c, const std::vector<std::uint8_t>& negative) const {
        for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n) {
            const auto children = problem_.children(n);
            if (problem_.cost[n] < 0 ||
                std::any_of(children.begin(), children.end(),
                            [&](ClassIndex child) { return negative[child] != 0; }))
                return 1;
        }
        return 0;
    }

    void addOrder() {
        for (const std::vector<ClassIndex>& classes : components_.classes) {
            if (classes.size() < 3) // loops of two are cut off by the needs
                continue;
            const auto levels = static_cast<double>(classes.size());
            std::map<ClassIndex, VariableId> level;
            for (const ClassIndex c : classes)
                level.emplace(c, model_.addContinuous(0, levels - 1));
            for (const ClassIndex c : classes) {
                std::map<ClassIndex, std::vector<LinearTerm>> rows;
                for (NodeIndex n = problem_.nodeBegin[c]; n < problem_.nodeBegin[c + 1]; ++n)
                    for (const ClassIndex d : problem_.children(n))
                        if (level.contains(d))
                            rows[d].push_back({VariableId{n}, -levels});
                for (auto& [d, row] : rows) {
                    row.push_back({level.at(c), 1});
                    row.push_back({level.at(d), -1});
                    model_.addAtLeast(std::move(row), 1 - levels);
                }
            }
        }
    }

    const SelectionProblem& problem_;
    const Components components_;
    const ClassSets sets_;
    std::vector<std::uint8_t> isRoot_;
    milp::Model model_;
};

} // namespace

milp::Model selectionMilp(const SelectionProblem& problem) {
    return MilpBuilder(problem).build();
}

Selection selectionOf(const SelectionProblem& problem, std::span<const double> values) {
    Selection selection(problem.classCount(), kNone);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n)
            if (values[n] > 0.5)
                selection[c] = n;
    Selection used(problem.classCount(), kNone);
    std::vector<ClassIndex> work = problem.roots;
    while (!work.empty()) {
        const ClassIndex c = work.back();
        work.pop_back();
        if (used[c] != kNone || selection[c] == kNone)
            continue;
        used[c] = selection[c];
        const auto children = problem.children(used[c]);
        work.insert(work.end(), children.begin(), children.end());
    }
    return verify(problem, used) ? used : Selection{};
}

} // namespace marquetry::term_extract
