// Which nodes at the end of a network are float operators that are left out of the program.
//
// Softmax and its like are when nothing behind them computes with what they give; a sigmoid or
// another function is when nothing behind it is quantised again. What stands behind them up to the
// graph's outputs goes with them.
// Thread rule: value types; pure.
#pragma once

#include "engine/frontend/onnx/model.h"

#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

class FloatTail {
public:
    explicit FloatTail(const OnnxModel& model);

    /// Whether the node is where a tail may begin.
    bool begins(const OnnxNode& node) const;
    /// Whether a node that reads a cut tensor can be left out too.
    static bool goesOn(const OnnxNode& node);

private:
    std::vector<bool> endsInFloats_; ///< by tensor: nothing behind it is quantised or linear
    std::vector<bool> isLast_;       ///< by tensor: nothing behind it but what goesOn()
};

} // namespace marquetry::frontend::onnx
