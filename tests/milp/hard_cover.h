// Programmes that take CBC long, for limits and stops.
#pragma once

#include "engine/milp/model.h"
#include "engine/support/rng.h"

namespace marquetry::milp {

/// A set covering problem of `sets` × `points` that takes CBC minutes (many equal optima).
inline Model hardCover(int sets, int points, std::uint64_t seed) {
    SplitMix64 rng(seed);
    Model model;
    std::vector<VariableId> chosen;
    for (int s = 0; s < sets; ++s)
        chosen.push_back(model.addBinary(1.0));
    for (int p = 0; p < points; ++p) {
        std::vector<LinearTerm> cover;
        for (int k = 0; k < 5; ++k)
            cover.push_back({chosen[static_cast<std::size_t>(rng.range(0, sets - 1))], 1});
        model.addAtLeast(cover, 1);
    }
    return model;
}

} // namespace marquetry::milp
