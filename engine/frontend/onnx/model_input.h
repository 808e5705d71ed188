// Vectors for the inputs of an imported network, as its file has them.
//
// A .npy file holds real numbers (float32, float64), which the input's scale and zero point
// quantise exactly (half to even, saturated), or the integers themselves; in the shape of the
// model's file, a first dimension of 1 for a dynamic one. Any other file is the program's own
// tensor. Errors: those of loadTensorFile; file-format (another shape or type, a number that is not
// finite). Thread rule: pure but for reading files.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/ir/op.h"

#include <string>

namespace marquetry::frontend::onnx {

/// `type`: of the program's input that the note is of.
Result<ir::Tensor> loadModelInput(const std::string& path, const ImportNote& input,
                                  const ir::Type& type);

} // namespace marquetry::frontend::onnx
