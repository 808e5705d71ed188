#include "engine/term_extract/mandatory.h"

#include <algorithm>

namespace marquetry::term_extract {

namespace {

/// True when the row of `c` shrank.
bool tighten(const SelectionProblem& problem, ClassIndex c, ClassSets& sets,
             std::vector<std::uint64_t>& closure, std::vector<std::uint64_t>& meet,
             const std::vector<std::uint64_t>& all) {
    meet = all;
    for (NodeIndex n = problem.nodeBegin[c]; n < problem.nodeBegin[c + 1]; ++n) {
        std::fill(closure.begin(), closure.end(), 0);
        for (const ClassIndex child : problem.children(n))
            ClassSets::unite(closure, sets.row(child));
        if (ClassSets::has(closure, c))
            continue; // the node needs its own class: part of no term
        for (std::size_t k = 0; k < meet.size(); ++k)
            meet[k] &= closure[k];
    }
    ClassSets::add(meet, c);
    const auto row = sets.row(c);
    if (std::equal(row.begin(), row.end(), meet.begin()))
        return false;
    std::copy(meet.begin(), meet.end(), row.begin());
    return true;
}

} // namespace

ClassSets mandatoryClasses(const SelectionProblem& problem, const Components& components) {
    ClassSets sets(problem.classCount(), problem.classCount());
    std::vector<std::uint64_t> all((problem.classCount() + 63) / 64);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        ClassSets::add(all, c);
    for (ClassIndex c = 0; c < problem.classCount(); ++c)
        ClassSets::unite(sets.row(c), all);
    std::vector<std::uint64_t> closure(all.size());
    std::vector<std::uint64_t> meet(all.size());
    for (const std::vector<ClassIndex>& classes : components.classes) {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const ClassIndex c : classes)
                changed |= tighten(problem, c, sets, closure, meet, all);
        }
    }
    return sets;
}

} // namespace marquetry::term_extract
