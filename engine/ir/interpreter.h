// The reference interpreter: exact integers, the oracle of every test and of `verify`.
//
// Results are a function of the program and the inputs alone. Weights and default inputs come from
// their sources (random, file, zeros).
// Errors: file-missing, file-unreadable, file-size, file-format, input-missing with the value's
// place; unknown-name, type-mismatch for a wrong input; too-large (more than
// kMaxInterpretedElements in all values, or kMaxInterpretedSteps). Cancel: within some ten thousand
// elements, code "cancelled" (never shown to a user).
// Thread rule: pure but for the functions that read a file.
#pragma once

#include "engine/ir/program.h"
#include "engine/support/limits.h"

#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

namespace marquetry::ir {

/// The tensor a source describes. Raw files are little-endian, row-major, exactly type.bytes()
/// long; files ending in .npy carry their own header (C order, matching scalar and shape).
Result<Tensor> loadSource(const Value& value);
Result<Tensor> loadTensorFile(const std::string& path, const Type& type);
/// The bytes of a file whose existence, header and length are right for the type.
Result<std::shared_ptr<const std::string>> readTensorFile(const std::string& path,
                                                          const Type& type);
/// The tensor in the bytes of a file; `path` is used in messages, and its ending tells the form.
Result<Tensor> decodeTensorFile(const std::string& path, std::string_view bytes, const Type& type);
/// The bytes of a file of this name: raw, or with a .npy header when the path ends in .npy.
std::string encodeTensorFile(const std::string& path, const Tensor& tensor);

/// Bytes of a tensor as stored in files and streams (little-endian, row-major).
std::vector<std::uint8_t> toBytes(const Tensor& tensor);
Tensor fromBytes(const Type& type, std::span<const std::uint8_t> bytes);

/// Whether the program's values can be held and waited for; else too-large.
Status checkInterpretable(const Program& program, std::int64_t maxSteps = kMaxInterpretedSteps);

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
