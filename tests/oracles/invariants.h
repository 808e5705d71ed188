// checkInvariants: a full, slow check of a clean e-graph, for tests and for the session's doubts.
//
// Checks the union-find, hash-cons (canonical, complete, without duplicates), congruence, class
// and parent lists, operator index, sorts, subsumed e-nodes, counts and analysis facts (classes
// with a reported conflict excepted). Returns one sentence per violation; empty = sound.
// Complexity: O(n log n). Thread rule: as the e-graph; it may intern facts in the analysis.
#pragma once

#include "engine/egraph/egraph.h"

namespace marquetry::egraph {

std::vector<std::string> checkInvariants(const EGraph& egraph);

} // namespace marquetry::egraph
