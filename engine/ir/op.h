// The one table of tensor operators: names, parameters, shapes, meaning (language.md, "Designs").
//
// Everything that needs to know an operator (parser, type and range checker, interpreter, lowering,
// printer, documentation) reads this table; there is no second switch over operators.
//
// Arithmetic is exact: two's complement, results i32 modulo 2^32 unless the operator says
// otherwise.
#pragma once

#include "engine/ir/type.h"
#include "engine/support/result.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace marquetry::ir {

enum class OpKind : std::uint8_t {
    Conv,
    DwConv,
    Conv1dW,
    Conv1dH,
    Mm,
    Bmm,
    Mv,
    Dot,
    Add,
    Sub,
    Mul,
    Relu,
    Leaky,
    Requant,
    MaxPool,
    SumPool,
    Slice,
    Concat,
    Flatten,
    Reshape,
    Transpose,
    Permute,
    Softmax,
};
inline constexpr std::size_t kOpCount = 23;

/// Resolved parameters of one use of an operator. Each operator reads the fields its table entry
/// names; the others keep their defaults. `requant`'s multiplier may be a tensor: then the use has
/// a second operand (an i32 weight of the last dimension) and `mul` is ignored.
struct OpParams {
    std::int64_t pad = 0;
    std::int64_t stride = 1;
    std::int64_t size = 0;            ///< pools
    std::int64_t padAfter = 0;        ///< maxpool
    std::int64_t mul = 1;             ///< requant
    std::int64_t shift = 0;           ///< requant, leaky
    std::int64_t zero = 0;            ///< requant
    std::int64_t num = 0;             ///< leaky
    Scalar to = Scalar::I8;           ///< requant
    std::int64_t axis = 0;            ///< slice, concat
    std::int64_t from = 0;            ///< slice, half-open
    std::int64_t until = 0;           ///< slice
    std::vector<std::int64_t> list{}; ///< reshape dims, permute order

    bool operator==(const OpParams&) const = default;
};

enum class ParamKind : std::uint8_t { Int, IntList, ScalarName, IntOrWeight };

struct ParamSpec {
    std::string_view name; ///< as written, e.g. "pad"
    ParamKind kind;
    bool required;
    /// Where a parsed integer goes; null for the other kinds.
    std::int64_t OpParams::*field;
    std::int64_t min = 0; ///< smallest and largest integer (of each entry, for a list)
    std::int64_t max = 0;
    /// The parameter whose value is the default; null: the default of OpParams.
    std::int64_t OpParams::*defaultField = nullptr;
};

/// Which scalars an operator computes with.
enum class OperandScalars : std::uint8_t {
    Narrow,      ///< i8 u8 i16 u16, mixed allowed
    NarrowOrI32, ///< also i32
    Any,         ///< views
};

/// Inclusive range of the exact (unwrapped) value of every element.
struct Range {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    bool operator==(const Range&) const = default;
};

/// One dense tensor; element k in row-major order. Values are kept in int64 and always lie in the
/// scalar's range.
struct Tensor {
    Type type;
    std::vector<std::int64_t> data;
    bool operator==(const Tensor&) const = default;
};

struct OpInfo {
    OpKind kind;
    std::string_view name;
    int operands;
    OperandScalars scalars;
    bool view; ///< rearranges elements, computes nothing
    std::vector<ParamSpec> params;
    /// Result type; a diagnostic (without place) when the operands do not fit. Warnings (dropped
    /// rows or columns) are appended to `warnings`. Call it through inferType, which checks the
    /// number and the scalars of the operands first.
    Result<Type> (*type)(std::span<const Type> operands, const OpParams& params,
                         Diagnostics& warnings);
    /// Range of the exact result before wrapping to the result's scalar.
    Range (*range)(std::span<const Type> operands, std::span<const Range> ranges,
                   const OpParams& params);
    /// Exact meaning. Operands have been type-checked; `result` has its type, and as many zeros as
    /// it has elements. O(work of the operator); `result` is incomplete once `stop` has fired.
    void (*evaluate)(std::span<const Tensor* const> operands, const OpParams& params,
                     Tensor& result, const std::stop_token& stop);
    /// Multiply–accumulates of one use.
    std::int64_t (*macs)(std::span<const Type> operands, const OpParams& params);
};

const OpInfo& info(OpKind kind);
const OpInfo* opNamed(std::string_view name);
std::span<const OpInfo> opTable();

/// Type of one use: number, scalars and shapes of the operands checked, result not too large.
/// Errors (without place): operand-count, type-mismatch, shape-mismatch, bad-parameter, too-large.
Result<Type> inferType(OpKind kind, std::span<const Type> operands, const OpParams& params,
                       Diagnostics& warnings);

/// One operator on tensors: inferType, then evaluate.
Result<Tensor> apply(OpKind kind, std::span<const Tensor* const> operands, const OpParams& params);

/// `value` modulo 2^bits of the scalar, in the scalar's range.
std::int64_t wrap(Scalar scalar, std::int64_t value);

/// All values of the scalar.
Range fullRange(Scalar scalar);

} // namespace marquetry::ir
