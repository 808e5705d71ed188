// In how many groups the frames of a run come, where several are in flight (design/frame_groups.h).
//
// Groups of as few frames as there may be are tried, then of twice as many and so on (where weights
// are read from external memory, of as many as there may be, then of half as many), each with
// three of them begun at once and with two, and with two and joined calls (joins.h), for which the
// first group need not be far ahead. The fastest that fits is taken: it is a search among some
// schedules, others may be faster.
// Complexity: O(log frames) schedules of O(groups · steps³). Thread rule: pure.
#pragma once

#include "engine/design/build_schedule.h"
#include "engine/extract/memory_choice.h"

#include <functional>
#include <optional>
#include <vector>

namespace marquetry::extract {

/// Calls of a run that read their weights from external memory: the loader has a row for each.
inline constexpr std::int64_t kMostExternalCalls = 512;
/// Words that they read: narrow units read so many that their replay takes seconds.
inline constexpr std::int64_t kMostExternalWords = 1'000'000;

/// Of a run that need not have groups: rounds of steps are alike, but they are told apart in files
/// and views.
inline constexpr std::int64_t kMostSteps = 4'000;

struct GroupProblem {
    const design::ScheduleRequest& request; ///< of as many frames as there may be at once, no joins
    std::int64_t frames = 1;                ///< of a run
    std::vector<bool> joinable;             ///< by call
    /// There is room for the memories of a schedule, as far as blocks of RAM and LUTs of memories
    /// say.
    std::function<bool(const design::Schedule&)> mayFit;
    /// These memories, if they fit.
    std::function<std::optional<MemoryChoice>(const design::Schedule&)> choiceOf;
    /// Reads weights from external memory as such a plan says.
    std::function<void(const MemoryPlan&, design::ScheduleRequest&)> readExternally;
    /// Of weights that no memory of the device has room for, in each group.
    std::int64_t leastReadClocks = 0;
    std::function<bool()> ended; ///< time is up, or nobody waits
};

struct GroupChoice {
    design::Schedule schedule;
    MemoryChoice memories;
};

/// The fastest schedule of several groups that takes less than so many cycles; nothing where none
/// does.
std::optional<GroupChoice> fasterGroups(const GroupProblem& problem, std::int64_t cycles);

} // namespace marquetry::extract
