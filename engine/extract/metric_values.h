// How large and how good a design space is, as data; metrics.h measures it and says what the
// figures mean. Thread rule: value types.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace marquetry::extract {

struct MetricPoint {
    double area = 0;
    double latency = 0;
    auto operator<=>(const MetricPoint&) const = default;
};

/// What is cheap enough to follow every iteration.
struct TermCount {
    std::string terms;     ///< decimal
    double log10Terms = 0; ///< 0 for a program without calls
    int maxHeight = 0;     ///< the most terms of a chain that were counted
    bool bounded = false;  ///< there are higher chains, in fact infinitely many
    bool operator==(const TermCount&) const = default;
};

struct Metrics {
    bool complete = false;
    std::size_t unitEnodes = 0; ///< of unit terms only, not of values and buffers
    std::size_t unitEclasses = 0;
    TermCount terms;
    std::string normalForms;
    double unitSets = 0;
    bool unitSetsExact = true;
    std::vector<MetricPoint> front; ///< by area
    bool frontExact = true;
    double hypervolume = 0;
    double density = 0;
    std::size_t samples = 0;
};

} // namespace marquetry::extract
