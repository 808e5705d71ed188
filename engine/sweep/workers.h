// Computes the points of a sweep that have no result, each in a process of its own, so that one
// that is killed or runs out of memory takes nothing with it.
//
// Errors: those of writing the table. What went wrong with single points is in the report.
// Cancel: through the stop_token; the processes are ended, what is done stays.
// Thread rule: the calling thread and one for each job; `progress` is called by one at a time.
#pragma once

#include "engine/sweep/sweep.h"

#include <functional>
#include <stop_token>

namespace marquetry::sweep {

/// A point without a result, and why.
struct Failure {
    std::size_t point = 0;
    std::string why;
};

struct SweepReport {
    std::size_t computed = 0; ///< in this run
    std::vector<Failure> failures;
};

struct LocalParams {
    int jobs = 1;
    /// The command that computes point k of a folder's sweep; its last argument will be k.
    std::vector<std::string> worker;
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// How often a point is tried whose process is killed.
inline constexpr int kTries = 3;

Result<SweepReport> runLocally(const std::string& folder, const Sweep& sweep,
                               const LocalParams& params, std::stop_token stop = {});

} // namespace marquetry::sweep
