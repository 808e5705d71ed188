// A quantised network in ONNX as a tensor program of exact integers.
//
// Meaning: that of exact real arithmetic. Scales are the exact values of their floats; a quantised
// tensor is the exact real value ÷ its scale, rounded half to even, plus its zero point, saturated.
// Understood are QDQ (DequantizeLinear, operator, QuantizeLinear), QOperator (QLinearConv …, those
// of com.microsoft among them), integers in integer or float operators (ConvInteger, MatMulInteger;
// NEMO and DORY; RequantShift of PACTOps) and QONNX (Quant, BipolarQuant). Activations of rank 3
// and more become channels last; a dynamic first dimension is 1. Float operators at the end are
// left out and said so.
//
// Errors (code), all at once, with the node's name: those of model_file.h, onnx-unsupported (an
// operator or a use of it), onnx-shape, onnx-not-quantised, onnx-scale (0, negative, not finite),
// onnx-zero-point, onnx-accumulator (more than 32 bits), requant-multiplier, too-large (what the
// file computes from constants, and scales and factors of channels, are counted).
// Complexity: linear in the file but for sorting names. Thread rule: pure but for reading files.
#pragma once

#include "engine/frontend/onnx/per_channel.h"
#include "engine/ir/program.h"
#include "engine/support/result.h"

#include <map>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::frontend::onnx {

struct ImportOptions {
    /// Scalars of inputs that carry integers as floats, whose range no node tells; u8 when not
    /// named.
    std::map<std::string, ir::Scalar> inputScalars;
    /// Ends the import behind the reading of the file or between two nodes, with the error
    /// "cancelled".
    std::stop_token stop{};
};

/// One summand of the exact value that was rounded.
struct ExactTerm {
    ir::ValueId value;
    FlatLayout layout;
    PerChannel factor;
};

/// A requantisation: round(Σ factor × integer + addend) + zero.
struct ExactMeaning {
    std::vector<ExactTerm> terms;
    PerChannel addend;
    quant::RoundingMode mode = quant::RoundingMode::Even;
    std::int64_t zero = 0;
    std::string proof; ///< why the integers that do it are exact; of the widest multiplier
    std::vector<std::int64_t> muls, adds, shifts;
    std::int64_t tie = 0;
};

/// A value of the program that is a tensor of the file.
struct ImportNote {
    ir::ValueId value;
    std::string tensor; ///< in the file
    std::string node;   ///< that gives it; empty: an input
    std::string op;
    Dims shape;        ///< the file's
    FlatLayout layout; ///< how the program holds it
    PerChannel scale;  ///< real value = scale × integer + offset
    PerChannel offset;
    std::optional<ExactMeaning> requantised;
};

struct Imported {
    ir::Program program;
    std::vector<ImportNote> notes;   ///< in the order of the program's values
    std::vector<ImportNote> inputs;  ///< in the order of program.inputs
    std::vector<ImportNote> outputs; ///< in the order of program.outputs
    std::vector<std::string> cut;    ///< nodes of the float tail that were left out
    Diagnostics warnings;
    std::string producer;
    std::int64_t opset = 0;
};

/// `folder`: where external data may be; empty: there may be none. `file` is named in messages.
Result<Imported> importOnnx(std::string_view bytes, const std::string& folder,
                            const std::string& file, const ImportOptions& options = {});
/// The model in a file; its folder is where external data may be.
Result<Imported> importOnnxFile(const std::string& path, const ImportOptions& options = {});

/// The elements of a value in the file's order, and the way back.
std::vector<std::int64_t> inFileOrder(const std::vector<std::int64_t>& held,
                                      const FlatLayout& layout);
std::vector<std::int64_t> inProgramOrder(const std::vector<std::int64_t>& file,
                                         const FlatLayout& layout);

} // namespace marquetry::frontend::onnx
