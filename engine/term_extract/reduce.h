// Makes a selection problem smaller without losing its best DAG cost, by these steps:
//
//   unusable    drops nodes and classes out of reach, without a finite term, or needing themselves
//   forced      makes classes in every term roots; pays for roots with one node, and drops them
//   inlined     merges classes with one free node, and classes that one node alone uses, into users
//   implied     drops children that another child, or a root, brings along anyway
//   dominated   drops nodes with a sibling that costs no more and needs nothing else
//   costly      drops nodes no term below `cutoff` can hold: what they force costs too much
// Every step is repeated until none applies. Negative costs are respected: no node is dropped
// because of a child from which a node of negative cost can be reached, since that child might pay
// off.
//
// With more than kMaxMandatory classes, steps that need mandatoryClasses() wait until the others
// have made the problem smaller. Complexity: a few passes of mandatoryClasses(), and per class the
// square of its nodes. Thread rule: pure.
#pragma once

#include "engine/term_extract/limits.h"
#include "engine/term_extract/work_graph.h"

namespace marquetry::term_extract {

inline constexpr std::size_t kMaxMandatory = 24'000;

class Reduction {
public:
    SelectionProblem problem; ///< what is left; sound by check(), possibly empty
    double fixedCost = 0;     ///< paid by every term besides
    bool hopeless = false;    ///< no term is below the cutoff; `problem` means nothing

    /// The term of the original problem that a term of the reduced one stands for.
    Selection expand(const SelectionProblem& original, const Selection& reduced) const;

private:
    friend class Reducer;

    std::vector<WorkOrigin> origins_;
    std::vector<std::uint32_t> originOf_; ///< by reduced node
    std::vector<std::uint32_t> always_;
};

struct ReduceParams {
    double cutoff = std::numeric_limits<double>::infinity(); ///< only terms below it matter
};

/// The problem must pass check(). Limits only leave it larger.
Reduction reduce(const SelectionProblem& problem, const ReduceParams& params, const Limits& limits);

} // namespace marquetry::term_extract
