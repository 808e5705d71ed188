// A decision about banks, as data: what was found, what is worth its cost, and what fails and when.
// plan.h makes it. Thread rule: value types.
#pragma once

#include "engine/banking/scheme_cost.h"
#include "engine/banking/search_result.h"
#include "engine/banking/witness.h"

#include <vector>

namespace marquetry::banking {

/// A scheme that does not work, and when it fails.
struct Rejected {
    Scheme scheme;
    Witness witness;
};

struct Plan {
    SearchResult found;
    std::vector<PricedScheme> front; ///< the first one is chosen
    std::vector<Rejected> rejected;

    const PricedScheme& chosen() const { return front.front(); }
};

} // namespace marquetry::banking
