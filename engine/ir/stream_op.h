// The one table of L_seq operators: names, arguments, typing, meaning (language.md, "Streams";
// background/aetherling.md, "L_seq").
//
// Operators of two groups are there. Those of L_seq and some more are kept in programs. Derived
// ones are written in these by the front end (frontend/stream_derived.cpp), so that nothing behind
// it meets them.
//
// Arithmetic is modulo the width of the operands' scalar. An element that was shifted in is
// undefined (kUndefined); so is every result that depends on one. `if` depends on its condition
// and on the branch taken; everything else on all operands.
//
// Errors (without place): type-mismatch, bad-parameter. Thread rule: pure.
#pragma once

#include "engine/ir/stream_type.h"
#include "engine/support/result.h"

#include <array>
#include <limits>
#include <span>
#include <string_view>

namespace marquetry::ir {

enum class StreamOp : std::uint8_t {
    Input,
    Const,
    Counter,
    Lookup,
    Abs,
    Not,
    And,
    Or,
    Add,
    Sub,
    Mul,
    Div,
    Lsr,
    Lsl,
    Lt,
    Eq,
    If,
    Min,
    Max,
    Tuple,
    Fst,
    Snd,
    STuple,
    Append,
    TupleToSeq,
    SeqToTuple,
    Shift,
    Up,
    Select,
    Partition,
    Unpartition,
    Map,
    Map2,
    Reduce,
    // Not of L_seq.
    Xor,
    Asr,
    AsBit,
    AsI8,
    AsU8,
    AsI16,
    AsU16,
    AsI32,
    AsU32,
    Scan,
    // Derived.
    Le,
    Ge,
    Gt,
    Ne,
    Clamp,
    AddSat,
    SubSat,
    SatI8,
    SatU8,
    SatI16,
    SatU16,
    SatI32,
    SatU32,
    Zip,
    Window,
    Tap,
    PixelX,
    PixelY,
};

/// Never a value of a scalar: marks an undefined word.
inline constexpr std::int64_t kUndefined = std::numeric_limits<std::int64_t>::min();

/// shift: distance, negative where an element becomes one that comes later; up: length; select:
/// index; partition: outer and inner length; counter: length and increment; window: rows and
/// columns; tap: row and column.
using StreamParams = std::array<std::int64_t, 2>;

struct StreamOpInfo {
    StreamOp op;
    std::string_view name;
    int params;        ///< integers before the operands
    int functionArity; ///< of the function before the operands; 0: none
    int operands;
    bool associative; ///< may be reduced with
    /// Result type of operands that fit. `body` is the result of the function, or the element of
    /// the table; null without one.
    Result<StreamType> (*type)(std::span<const StreamType> operands, const StreamParams& params,
                               const StreamType* body);
    /// Meaning of a scalar operator on defined leaves; null for the others, and for derived ones.
    /// The first operand's scalar is `scalar`.
    std::int64_t (*scalar)(Scalar scalar, std::int64_t a, std::int64_t b);
};

/// The operators that a program can name; Input, Const, Counter and Lookup are not among them.
std::span<const StreamOpInfo> streamOpTable();
const StreamOpInfo* streamOpNamed(std::string_view name);
/// Also of the others.
const StreamOpInfo& info(StreamOp op);

/// Whether the front end writes it in others.
bool isDerived(StreamOp op);
/// Whether a program may give the name to something of its own: it came later than programs that
/// may do so.
bool mayBeRedefined(StreamOp op);
/// Whether it takes any number of operands from `operands` on.
bool takesMore(StreamOp op);
/// Whether it gives the word of another scalar the same number modulo the width.
bool isCast(StreamOp op);
/// The cast to a scalar.
StreamOp castTo(Scalar scalar);

/// The type that an integer written as operand `k` takes; null when another operand (the first
/// whose type is known) decides.
const StreamType* literalType(StreamOp op, std::size_t k);
/// What it takes when no operand has a type; null: then it is an error.
const StreamType* literalTypeAlone(StreamOp op);
/// Whether operand `k` may be written as an integer at all.
bool takesLiteral(StreamOp op, std::size_t k);

} // namespace marquetry::ir
