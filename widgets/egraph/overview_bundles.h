// Bundles of e-classes for the overview of an e-graph that is too large for a block each.
//
// Groups are those of overview_groups.h; an e-graph without layers is grouped by the operator of
// the oldest e-node of each class. In a group, what is written is bundled by that operator, and
// what rules made by the rule that made that e-node. A group or bundle keeps its name while the
// e-graph grows. There are at most kMostGroups groups and kMostBundles bundles; the smallest are
// together in "others". Complexity: O(e-nodes + edges + classes · log bundles). Thread rule: pure.
#pragma once

#include "widgets/egraph/overview_groups.h"
#include "widgets/egraph/shown_part.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::widgets {

inline constexpr std::size_t kMostGroups = 200;
inline constexpr std::size_t kMostBundles = 1500;

struct OverviewBundle {
    std::string name;
    std::size_t group = 0;
    egraph::EClassId first{}; ///< the oldest class, shown or not
    std::size_t eclasses = 0; ///< shown
    std::size_t enodes = 0;   ///< shown
    bool chosen = false;      ///< a class of the chosen design is in it
    bool shared = false;
    bool pinned = false;
};

struct OverviewBundles {
    std::vector<OverviewGroup> groups;   ///< with the first class of each bundle alone
    std::vector<OverviewBundle> bundles; ///< by group, in the order of their first classes
    std::vector<std::uint32_t> of;       ///< place in `bundles` by class id
    bool layered = false;                ///< the groups are layers and what rules made
};

OverviewBundles overviewBundles(const SnapshotIndex& index, const ShownPart& part);

/// That a bundle uses another, by as many e-nodes. Sorted, the most first.
struct BundleEdge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint32_t uses = 0;
    bool chosen = false; ///< the chosen design has it
};
std::vector<BundleEdge> edgesOf(const SnapshotIndex& index, const ShownPart& part,
                                const OverviewBundles& bundles);

} // namespace marquetry::widgets
