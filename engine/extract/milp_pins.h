// Pins on terms, as rows of the formulation (milp.h): a call runs on a node that a pin asks for, in
// its own path or in an outlined unit's, and on none that a pin forbids.
//
// Complexity: linear in the nodes of all copies, for each pin of each call. Thread rule: pure.
#pragma once

#include "engine/extract/milp_paths.h"

#include <map>
#include <vector>

namespace marquetry::extract {

/// The paths that a formulation chooses among.
struct MilpUnits {
    const std::vector<MilpCopy>& calls;
    const std::map<int, MilpCopy>& bodies; ///< by class that may be outlined
};

/// `buildable`: nodes that can be built without pins.
void pinTerms(milp::Model& model, const ExtractionProblem& problem, const MilpUnits& units,
              const Allows& buildable);

} // namespace marquetry::extract
