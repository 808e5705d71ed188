// An ONNX file read into plain values: protobuf's own parser, with limits.
//
// Checked here: the file is a model of ONNX, its opset is 9 to 21, its tensors are numbers that are
// all there, every name that a node reads has one definition, and the nodes have an order. What the
// operators mean is looked at later.
//
// Errors (code), all at once: onnx-format, onnx-opset, onnx-graph (no nodes, a tensor defined
// twice, a cycle), onnx-missing-tensor, onnx-tensor, onnx-external-data, too-large.
// Complexity: linear in the file (n log n in names). Memory: at most 1 GB. Thread rule: pure but
// for reading external data.
#pragma once

#include "engine/frontend/onnx/faults.h"
#include "engine/frontend/onnx/model.h"

#include <string>
#include <string_view>

namespace marquetry::frontend::onnx {

inline constexpr std::size_t kMostModelBytes = std::size_t{192} << 20;
inline constexpr int kMostNodes = 20'000;
/// Of all tensors together.
inline constexpr std::int64_t kMostNumbers = std::int64_t{1} << 25;
inline constexpr std::int64_t kLeastOpset = 9;
inline constexpr std::int64_t kMostOpset = 21;

/// `folder` is that of the model, where its external data may be; empty: it may have none.
/// When there are faults, what is returned is of no use.
OnnxModel readModel(std::string_view bytes, const std::string& folder, Faults& faults);

} // namespace marquetry::frontend::onnx
