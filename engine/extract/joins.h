// Which calls of a design run at the same time as the call before them (`Seq`; design/join.h). The
// first call may run while the input comes.
//
// Of three in a row only two may be joined, so joins never touch each other and their savings add
// up. The best set is therefore found exactly, by a dynamic programme from the first call to
// the last. Joins keep more tensors alive at once, so the activation memories may grow; the joins
// that save least are given up until the memory suffices.
// Thread rule: pure.
#pragma once

#include "engine/design/build_schedule.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace marquetry::extract {

/// By call: cycles that joining it to what comes before it saves; 0 where it may not be joined.
/// `joinable`: by call.
std::vector<std::int64_t> joinSavings(const design::Schedule& sequential,
                                      const std::vector<bool>& joinable);

/// The greatest total of savings; `savings[k]` is what joining call k to the one before saves, the
/// first to the input; 0 where that cannot be.
std::vector<bool> bestJoins(const std::vector<std::int64_t>& savings);

struct JoinedSchedule {
    design::Schedule schedule;
    std::vector<std::int64_t> overlap; ///< by call: cycles during which the one before still runs
};

/// `joinable`: by call, its weights and those of the call before it are on chip. `request`
/// without joins; `fits` says whether a schedule's slots fit beside the weights.
JoinedSchedule joinCalls(design::ScheduleRequest request, design::Schedule sequential,
                         const std::vector<bool>& joinable,
                         const std::function<bool(const design::Schedule&)>& fits);

} // namespace marquetry::extract
