// The ways to produce one value of a stream program in the layouts that its users ask for.
// See search.h. Thread rule: pure but for the tables of the search.
#pragma once

#include "engine/spacetime/search.h"

namespace marquetry::spacetime {

/// A value asked for in a layout.
using Demand = std::pair<ir::StreamNodeId, LayoutId>;

struct LayoutAlternative {
    device::Resources area; ///< of all copies, with the changes of layout
    std::vector<Demand> demands;
    Decision decision; ///< node invalid: nothing to decide
};

/// Sums of fractions of the device.
struct AreaBounds {
    double alternative; ///< nothing above it is listed
    double function;    ///< at least that; one for all calls on a node, so its functions are known
};

/// `constants` is by node of the graph. At least one layout is wanted.
std::vector<LayoutAlternative> alternatives(Search& search, const ir::StreamGraph& graph,
                                            ir::StreamNodeId id,
                                            const std::vector<LayoutId>& wanted,
                                            const std::vector<MaybeConstants>& constants,
                                            std::int64_t copies, AreaBounds bounds);

} // namespace marquetry::spacetime
