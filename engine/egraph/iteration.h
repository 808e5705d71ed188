// What saturation did in an iteration, and how it ended, as data (saturate.h). Thread rule: value
// types.
#pragma once

#include <cstddef>
#include <vector>

namespace marquetry::egraph {

enum class StopReason { Saturated, IterationLimit, NodeLimit, TimeLimit, MemoryLimit, Cancelled };

const char* toString(StopReason outcome);

struct RuleStats {
    std::size_t matches = 0; ///< looked at; for an incremental rule the new ones
    std::size_t applied = 0; ///< matches that made a new e-node or a union
    double seconds = 0;      ///< search and application, processor time
    bool banned = false;     ///< skipped or dropped by the scheduler
};

struct Iteration {
    int index = 0; ///< from 1; the `iteration` of origins
    bool complete = false;
    std::size_t enodes = 0; ///< after the rebuild
    std::size_t eclasses = 0;
    std::size_t totalEnodes = 0; ///< with subsumed ones; with `unions` a moment of the run
    std::size_t unions = 0;
    std::size_t bytes = 0;
    std::vector<RuleStats> rules; ///< by RuleId
    double searchSeconds = 0;     ///< processor time, as the next two
    double applySeconds = 0;
    double rebuildSeconds = 0;
};

} // namespace marquetry::egraph
