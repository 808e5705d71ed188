// The epilogue of a layer as its compute step has it.
//
// Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/ir/layer.h"

#include <functional>

namespace marquetry::design {

/// `tensorAt`: where a stored value lies.
Epilogue epilogueOf(const ir::Program& program, const ir::Layer& layer,
                    const std::function<TensorId(ir::ValueId)>& tensorAt);

} // namespace marquetry::design
