// Simulated annealing on a term; a move gives one class another node.
//
// Classes that are not in use keep a choice as well, so that the choices of all classes together
// stay acyclic. Counts of users make the time of a move proportional to what it changes. There are
// several descents, each from the best term known; the temperature falls from the typical to the
// least difference of costs.
// Deterministic by seed and steps unless the limits end it. Complexity: per step the size of the
// part that goes out of and comes into use, inside cyclic components also a reachability test.
// Thread rule: pure.
#pragma once

#include "engine/term_extract/limits.h"
#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct LocalSearchParams {
    std::uint64_t seed = 1;
    std::uint64_t steps = 2'000'000;
    int descents = 8;
};

/// A term never worse than `start`, which must be a term of the problem.
Selection searchLocally(const SelectionProblem& problem, const Selection& start,
                        const LocalSearchParams& params, const Limits& limits);

} // namespace marquetry::term_extract
