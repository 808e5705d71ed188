// The moves of a layer that changes the layout of its operands: slices, joined, reordered and
// repeated tensors, and views that no reader finds its way in.
//
// Complexity: linear in the dimensions. Thread rule: pure.
#pragma once

#include "engine/design/move.h"
#include "engine/ir/layer.h"

#include <optional>
#include <vector>

namespace marquetry::design {

struct OperandMove {
    ir::ValueId source; ///< a stored value
    Move move;
};

/// Of a layer that moves, in the order in which they run. Elements are stored in words of `lanes`.
std::vector<OperandMove> movesOf(const ir::Program& program, const ir::LayerPlan& plan,
                                 const ir::Layer& layer, std::int64_t lanes);

/// Rows of the result for each row of an operand, of a layer that moves rows of images one by one:
/// channels beside others or a part of them, pixels that are repeated, and blocks of pixels. None
/// of other layers.
std::optional<std::int64_t> rowsOfEachRow(const ir::Program& program, const ir::Layer& layer);

/// The moves of one row of each operand of such a layer, from its first one. The outermost loop is
/// over rows: of more of them it has as many iterations.
std::vector<OperandMove> movesOfRow(const ir::Program& program, const ir::LayerPlan& plan,
                                    const ir::Layer& layer, std::int64_t lanes);

/// Clocks of all of them, of so many frames, with what each is set up in and what it drains in.
std::int64_t moveCycles(const std::vector<OperandMove>& moves, std::int64_t frames);

} // namespace marquetry::design
