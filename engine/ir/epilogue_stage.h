// The fixed order of an epilogue, and where in it an operator stands (layer.h).
//
// Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <optional>

namespace marquetry::ir {

enum EpilogueStage {
    BiasStage,
    RequantBefore,
    ActivationBefore,
    AddStage,
    PoolStage,
    RequantAfter,
    ActivationAfter
};

/// First stage at or after `next` that can compute the value.
std::optional<EpilogueStage> epilogueStage(const Program& program, const Value& value, int next);

/// Of a value that has a stage.
EpilogueKind epilogueKind(const Program& program, const Value& value);

/// Adds two values that are computed or loaded: none is a bias.
bool addsStored(const Program& program, const Value& value);

/// Takes more than shifts that round half up, sums, maxima and slopes.
bool needsScaling(const Value& value);

} // namespace marquetry::ir
