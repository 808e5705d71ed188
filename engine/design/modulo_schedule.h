// Modulo scheduling: steps that come again every so many clocks, begun so that each round is alike
// (Rau, "Iterative modulo scheduling", 1994; without its backtracking).
//
// Each step runs alone in its queue, begins when those that it awaits have ended, and what it makes
// has room for so many rounds: who reads it begins before the round that takes its place does.
// Steps are placed in their order, each as early as its queue has room for it in every round, or a
// little later where that leaves no gap before it: gaps that no step fits into are lost.
// Complexity: O(steps³) for an interval. Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::design {

struct PeriodicStep {
    std::size_t queue = 0;
    std::int64_t clocks = 1;
    std::vector<std::size_t> after;   ///< earlier steps of its round that end before it begins
    std::vector<std::size_t> readers; ///< later ones, that read what it makes
    std::int64_t places = 1;          ///< rounds that have room for what it makes
};

/// When the steps of the first round begin, if rounds begin so many clocks behind one another, and
/// a step waits for at most so many to begin where another has ended; nothing where they were not
/// to be placed.
std::optional<std::vector<std::int64_t>> moduloSchedule(const std::vector<PeriodicStep>& steps,
                                                        std::int64_t interval,
                                                        std::int64_t patience);

} // namespace marquetry::design
