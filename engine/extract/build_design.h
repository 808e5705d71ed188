// From a pool solution to a design: units, calls, buffers, resources, schedule.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"
#include "engine/extract/problem.h"

#include <optional>

namespace marquetry::extract {

/// A solution made concrete, or the reason it cannot be built within the limits.
struct BuiltDesign {
    design::Design design;
    bool feasible = false;
    std::optional<design::LimitKind> blockedBy; ///< when not feasible
    double needs = 0;                           ///< of what that limits
    double memoryLuts = 0;                      ///< of slots and of rings of weights
    double controlLuts = 0;                     ///< of sequencer, streams and choices of slots
};

BuiltDesign buildDesign(const ExtractionProblem& problem, const PoolSolution& solution,
                        const ExtractParams& params);

} // namespace marquetry::extract
