// The published saturation benchmarks: math-micro (egglog's microbenchmark, 24 unconditional rules
// on symbolic derivatives and integrals) and acN (a sum of N numbers under commutativity and
// associativity, run to saturation).
//
// Their e-node and e-class counts after every iteration do not depend on the engine, so they show
// correctness and speed at once. acN ends with 2^N - 1 classes and 3^N - 2^(N+1) + 1 + N e-nodes.
// Errors: unknown-workload. Thread rule: pure.
#pragma once

#include "engine/egraph/rewrite.h"

namespace marquetry::egraph {

struct Workload {
    std::shared_ptr<const Language> language;
    std::vector<Rewrite> rules;
    std::vector<std::string> terms; ///< to add in this order before the first iteration
};

/// "math-micro", or "ac" and a number from 2 to 16.
Result<Workload> makeWorkload(std::string_view name);

/// Adds the terms and rebuilds; the classes of the terms.
std::vector<EClassId> addTerms(EGraph& egraph, const Workload& workload);

} // namespace marquetry::egraph
