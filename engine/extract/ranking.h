// Which of two designs answers an objective better, and which designs are on the front.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/extract.h"

#include <vector>

namespace marquetry::extract {

/// The objective is few cycles, of a given number of frames.
constexpr bool wantsSpeed(Objective objective) {
    return objective == Objective::Latency || objective == Objective::Throughput;
}

/// The design is what the point stands for.
bool isAt(const design::Design& design, const design::DesignPoint& point);

/// a is the better answer to the objective, or the one that is wanted; ties keep the earlier one.
bool better(const design::Design& a, const design::Design& b, const ExtractParams& params);

/// Sets onFront of those that no other feasible point covers. O(points²).
void markFront(std::vector<design::DesignPoint>& points);

} // namespace marquetry::extract
