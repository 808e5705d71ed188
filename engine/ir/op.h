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

#include <array>
#include <compare>
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
    LayerNorm,
    QAdd,
    Clip,
    Table,
    AvgPool,
    Upsample,
    DepthToSpace,
};
inline constexpr std::size_t kOpCount = 30;

/// Of what lies between two integers: half up, down, half away from 0, half to even.
enum class Rounding : std::uint8_t { Up, Down, Away, Even };
/// How depth_to_space reads the channels of a pixel: block rows, block columns, results; or results
/// first.
enum class DepthOrder : std::uint8_t { Dcr, Crd };

/// The same for both axes, unless two are given.
struct PerAxis {
    std::int64_t vertical = 0, horizontal = 0;
    PerAxis(std::int64_t both = 0) : vertical(both), horizontal(both) {}
    PerAxis(std::int64_t v, std::int64_t h) : vertical(v), horizontal(h) {}
    bool isSquare() const { return vertical == horizontal; }
    std::int64_t area() const { return vertical * horizontal; }
    auto operator<=>(const PerAxis&) const = default;
};

/// Rows and columns around a tensor.
struct Pads {
    std::int64_t top = 0, left = 0, bottom = 0, right = 0;
    Pads(std::int64_t all = 0) : top(all), left(all), bottom(all), right(all) {}
    Pads(std::int64_t t, std::int64_t l, std::int64_t b, std::int64_t r)
        : top(t), left(l), bottom(b), right(r) {}
    bool isEven() const { return top == left && top == bottom && top == right; }
    bool isNone() const { return *this == Pads(); }
    bool operator==(const Pads&) const = default;
};

/// Resolved parameters of one use of an operator. Each operator reads the fields its table entry
/// names; the others keep their defaults. What `requant` multiplies with, adds and shifts by may be
/// weights of the last dimension (i32, i32, u8): `vectors` says which; they are operands behind the
/// first one in this order, and the fields are ignored.
struct OpParams {
    Pads pad{};
    PerAxis stride{1};
    PerAxis size{};                         ///< pools
    std::int64_t padAfter = 0;              ///< maxpool: at the bottom and right, besides `pad`
    std::int64_t mul = 1;                   ///< requant
    std::int64_t shift = 0;                 ///< requant, qadd, leaky, layernorm
    std::int64_t zero = 0;                  ///< requant, qadd
    std::int64_t num = 0;                   ///< leaky
    Scalar to = Scalar::I8;                 ///< requant, qadd, layernorm
    std::int64_t axis = 0;                  ///< slice, concat
    std::int64_t from = 0;                  ///< slice, half-open
    std::int64_t until = 0;                 ///< slice
    std::vector<std::int64_t> list{};       ///< reshape dims, permute order
    std::int64_t fill = 0;                  ///< conv, dwconv, sumpool: the value of the padding
    std::int64_t groups = 1;                ///< conv
    std::int64_t lo = 0;                    ///< clip
    std::int64_t hi = 0;                    ///< clip
    std::int64_t block = 1;                 ///< depth_to_space
    std::int64_t add = 0;                   ///< requant, qadd
    std::int64_t tie = 0;                   ///< requant, qadd
    std::array<std::int64_t, 2> muls{1, 1}; ///< qadd
    PerAxis factor{1};                      ///< upsample
    Rounding round = Rounding::Up;          ///< requant, qadd
    DepthOrder order = DepthOrder::Dcr;     ///< depth_to_space
    unsigned vectors = 0;                   ///< requant: kVectorMul | …

    bool operator==(const OpParams&) const = default;
};

inline constexpr unsigned kVectorMul = 1, kVectorAdd = 2, kVectorShift = 4;

/// Int: of a field per axis it is the value of all of them. Ints: as many as the field has, or, of
/// fields per axis, fewer that stand for them: one for all, two for both sides of an axis.
enum class ParamKind : std::uint8_t { Int, Ints, IntList, ScalarName, Word, IntOrWeight };

/// Where a parsed parameter goes; monostate: `to` or `list`.
using ParamField = std::variant<std::monostate, std::int64_t OpParams::*, PerAxis OpParams::*,
                                Pads OpParams::*, std::array<std::int64_t, 2> OpParams::*,
                                Rounding OpParams::*, DepthOrder OpParams::*>;

struct ParamSpec {
    std::string_view name; ///< as written, e.g. "pad"
    ParamKind kind;
    bool required;
    ParamField field{};
    std::int64_t min = 0; ///< smallest and largest integer (of each entry, for a list)
    std::int64_t max = 0;
    /// The parameter whose value is the default; null: the default of OpParams.
    PerAxis OpParams::*defaultField = nullptr;
    std::vector<std::string_view> words{}; ///< of Word, in the order of the enumeration
    unsigned vector = 0;                   ///< of IntOrWeight: its bit in OpParams::vectors
};

/// Which scalars an operator computes with.
enum class OperandScalars : std::uint8_t {
    Narrow,      ///< all of at most 16 bits but `bit`, mixed allowed
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

/// Gives the field its integers, or those that fewer stand for; of words, the word's number. False
/// when there are too few or too many.
bool setField(OpParams& params, const ParamSpec& spec, const std::vector<std::int64_t>& values);
/// The integers of the field, as few as say all; of words, the word's number.
std::vector<std::int64_t> fieldOf(const OpParams& params, const ParamSpec& spec);
/// What may be written: "an integer, or two: [vertical, horizontal]".
std::string formOf(const ParamSpec& spec);

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
