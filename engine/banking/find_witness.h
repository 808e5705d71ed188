// Looks for a moment at which a bank scheme fails. Thread rule: pure.
#pragma once

#include "engine/banking/witness.h"

#include <optional>

namespace marquetry::banking {

/// Found by running the iterations, independent of `collides`; the copies of the scheme count.
/// Nothing when it is conflict-free, or when 2^21 iterations in all do not show one.
std::optional<Witness> findWitness(const AccessPattern& pattern,
                                   const std::vector<ir::FlatMap>& maps,
                                   const std::vector<std::vector<std::int64_t>>& copyOf = {});

} // namespace marquetry::banking
