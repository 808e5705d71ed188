// The units that may be outlined: entries of a pool problem.
//
// Candidates are the unit classes two or more calls can reach, each with every undominated body.
// Entries that are no better than another for any call are dropped, unless a nested unit could call
// no other; of equal ones the larger unit (Conv before Mv before Dot) with the smaller shape stays.
// Then come the units whose body calls one of these.
// Complexity: O(entries² · demands). Thread rule: works on the problem it is given.
#pragma once

#include "engine/extract/problem.h"

namespace marquetry::extract {

/// Fills problem.pool.entries, covered and complete. `firstCall`: a call of each demand.
void listEntries(ExtractionProblem& problem, const std::vector<std::size_t>& firstCall,
                 double dspLimit, std::stop_token stop);

} // namespace marquetry::extract
