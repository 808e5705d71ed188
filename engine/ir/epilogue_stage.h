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

/// Adds a value to itself, as a requantisation by the sum of both factors does.
bool addsItself(const Program& program, const Value& value);

/// Adds two values that are computed or loaded, and not the same: none is a bias. A qadd may add a
/// weight, which is written to where a stored tensor could be.
bool addsStored(const Program& program, const Value& value);

/// Takes more than shifts that round half up, sums, maxima and slopes.
bool needsScaling(const Value& value);

} // namespace marquetry::ir
