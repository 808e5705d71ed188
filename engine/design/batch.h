// Of which programs a step can take several frames of a run (design/schedule.h, "Batches").
//
// Complexity: linear in the layers. Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <cstdint>
#include <string>

namespace marquetry::design {

inline constexpr std::int64_t kMostFrames = 256; ///< of a run

/// Why a step takes one frame only; empty: it may take all of a run.
std::string whyOneFrame(const ir::Program& program, const ir::LayerPlan& plan);

} // namespace marquetry::design
