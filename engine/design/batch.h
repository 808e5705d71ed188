// Which programs can take several frames in a run (design/schedule.h, "Batches").
//
// Complexity: linear in the layers. Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <cstdint>
#include <string>

namespace marquetry::design {

inline constexpr std::int64_t kMostFrames = 256; ///< of a run

/// Why runs of the program take one frame only; empty: they may take several.
std::string whyOneFrame(const ir::Program& program, const ir::LayerPlan& plan);

} // namespace marquetry::design
