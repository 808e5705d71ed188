// SkeleShare's published cost functions T and D (background/skeleshare.md, "Time and DSP").
//
// T counts "sequential DSP cycles", D is the paper's DSP unit (64 per dot product at most). There
// is no memory traffic, block RAM or logic in the model. A use of an outlined unit costs
// COMMUNICATION_COST more time and no D (same page, "Sharing and extraction"). Thread rule: pure.
#pragma once

#include <algorithm>
#include <cstdint>

namespace marquetry::cost {

inline constexpr double kCommunicationCost = 5;
inline constexpr std::int64_t kDotWidth = 64; ///< DSPs per dot product at most

/// T(ParallelDot[P](a: M×N, b)) without its arguments' T.
constexpr double publishedDotTime(std::int64_t m, std::int64_t n, std::int64_t p) {
    return static_cast<double>(m) * static_cast<double>(n) /
           (static_cast<double>(p) * static_cast<double>(std::min(n, kDotWidth)));
}

constexpr double publishedDotDsp(std::int64_t n, std::int64_t p) {
    return static_cast<double>(p * std::min(n, kDotWidth));
}

} // namespace marquetry::cost
