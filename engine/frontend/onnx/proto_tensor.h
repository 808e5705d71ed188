// Tensors of an ONNX file decoded to exact numbers; only the reader of files sees this.
//
// Errors: onnx-tensor (string tensors, unknown types, a wrong number of bytes, negative or
// enormous dimensions, unsigned numbers of 64 bits), onnx-external-data (outside the model's
// folder, missing, too short). Thread rule: pure but for reading external data.
#pragma once

#include "engine/frontend/onnx/faults.h"
#include "engine/frontend/onnx/model.h"

#include <onnx/onnx_pb.h>
#include <optional>
#include <string>

namespace marquetry::frontend::onnx {

struct TensorReader {
    std::string folder; ///< of the model; empty: external data is refused
    Faults& faults;
    std::int64_t elementsLeft; ///< of all tensors together

    /// Nothing, and a fault, when the tensor cannot be used.
    ConstantPointer read(const ::onnx::TensorProto& tensor, const std::string& name);
};

Element elementOf(int dataType);

} // namespace marquetry::frontend::onnx
