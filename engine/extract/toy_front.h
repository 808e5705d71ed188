// The toy cost of background/engineir.md, "Golden numbers", and the exact Pareto front of a program
// under it.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/metrics.h"
#include "engine/extract/unit_sets.h"

namespace marquetry::extract {

/// A chain's hardware with what its schedule adds.
struct ToyChain {
    UnitUse use;
    double control = 0; ///< area of loop controllers, instances included
    double latency = 1;
};

/// Area of one instance of a leaf.
double toyArea(const UnitNode& leaf, const ir::UnitShape& shape);
ToyChain toyChain(const UnitGraph& graph, const std::vector<ParentEdge>& chain);

/// Area of a set of units.
double toyArea(const UnitGraph& graph, const UnitSet& set);

struct ToyFront {
    std::vector<MetricPoint> points;
    bool exact = true; ///< false: cut at `limit` designs on the way, or stopped
};

/// Shared units are paid once. Bottom-up sets of undominated (control, latency) per class and
/// hardware, then the calls one by one.
ToyFront toyFront(const UnitGraph& graph, const ChainGraph& chains, std::size_t limit,
                  std::stop_token stop);

} // namespace marquetry::extract
