// Why operators are not imported that networks in ONNX often have.
//
// Thread rule: pure.
#pragma once

#include "engine/frontend/onnx/model.h"

#include <string>

namespace marquetry::frontend::onnx {

struct Refusal {
    std::string what; ///< "is an operator …", "finds its scale …": what the node does
    std::string hint;
};

/// Of an operator without a handler.
Refusal refusalOf(const OnnxNode& node);

} // namespace marquetry::frontend::onnx
