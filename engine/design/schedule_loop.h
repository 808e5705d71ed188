// Rounds of steps that are alike: where frames come in groups, most steps of a group are those of
// another one, on tensors in the same places. A sequencer then has one round in its tables, and
// goes through it as often as there are such rounds.
//
// Steps are alike if they differ in nothing but where in their streams they are. Complexity:
// O(steps · steps of a group). Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <optional>

namespace marquetry::design {

/// Steps `first` … first + length · times − 1 are `times` rounds of `length` steps.
struct ScheduleLoop {
    std::size_t first = 0;
    std::size_t length = 1;
    std::size_t times = 1;

    std::size_t end() const { return first + length * times; }
    std::size_t repeated() const { return length * (times - 1); }
    /// Where a step is in a list that has one of the rounds.
    std::size_t placeOf(std::size_t step) const;
    bool operator==(const ScheduleLoop&) const = default;
};

/// The loop that leaves the fewest steps; nothing where no loop saves any. It has no step with
/// which a stream begins, nor the last one.
std::optional<ScheduleLoop> scheduleLoop(const Schedule& schedule);

} // namespace marquetry::design
