// The units that may be outlined (built once and called): the entries of a pool problem.
//
// Candidates are the unit classes that two or more calls can reach, each with every body that no
// other body beats. An entry that is no better than another for any call is dropped, unless a
// nested unit could call no other. Of equal ones the larger unit (Conv before Mv before Dot) with
// the smaller shape stays. Last come the units whose body calls one of these.
// Complexity: O(entries² · demands). Thread rule: works on the problem it is given.
#pragma once

#include "engine/extract/problem.h"

namespace marquetry::extract {

/// Fills problem.pool.entries, covered and complete. `firstCall`: a call of each demand.
void listEntries(ExtractionProblem& problem, const std::vector<std::size_t>& firstCall,
                 double dspLimit, std::stop_token stop);

} // namespace marquetry::extract
