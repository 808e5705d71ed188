// The reference interpreter: exact integers, the oracle of every test and of `verify`.
//
// Results are a function of the program and the inputs alone. Weights and default inputs come from
// their sources (random, file, zeros).
// Errors: file-missing, file-size, file-format with the value's place. Cancel: between operators
// (an empty `error-cancelled` diagnostic is never shown; code "cancelled").
// Thread rule: pure but for reading the weight files.
#pragma once

#include "engine/ir/program.h"

#include <map>
#include <stop_token>
#include <string>

namespace marquetry::ir {

/// The tensor a source describes. Raw files are little-endian, row-major, exactly type.bytes()
/// long; files ending in .npy carry their own header (C order, matching scalar and shape).
Result<Tensor> loadSource(const Value& value);
Result<Tensor> loadTensorFile(const std::string& path, const Type& type);
Status saveTensorFile(const std::string& path, const Tensor& tensor);

/// Bytes of a tensor as stored in files and streams (little-endian, row-major).
std::vector<std::uint8_t> toBytes(const Tensor& tensor);
Tensor fromBytes(const Type& type, std::span<const std::uint8_t> bytes);

struct InterpreterResult {
    /// Index: ValueId. Every value of the program.
    std::vector<Tensor> values;
};

/// `inputs` overrides default vectors by input name; an input with neither is an error
/// (input-missing).
Result<InterpreterResult> interpret(const Program& program,
                                    const std::map<std::string, Tensor>& inputs,
                                    std::stop_token stop = {});

} // namespace marquetry::ir
