// The nodes of a graph in an order in which each comes after those that it reads.
#pragma once

#include "engine/frontend/onnx/faults.h"
#include "engine/frontend/onnx/model.h"

namespace marquetry::frontend::onnx {

/// Keeps the file's order where it is one already. Fault onnx-graph: a cycle, with a node of it.
/// Complexity: linear. Thread rule: pure.
void sortNodes(OnnxModel& model, Faults& faults);

} // namespace marquetry::frontend::onnx
