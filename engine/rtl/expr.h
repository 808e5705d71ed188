// Values in hardware: words of bits with a width and a signedness, and what is computed of them.
//
// Every expression has the width that its operands decide, and no other: both sides of an operator
// have one type, nothing is widened or cut without being said (extended, slice, resized), so the
// text means the same whatever stands around it. Sums and differences are modulo 2^width; a
// comparison is one bit; `product` is the one that is as wide as both its factors. Results are
// signed if both operands are; slices and joined words are unsigned.
// A word of no bits is the number 0: it vanishes from joined words and extends to zeros.
//
// Operators fold what is known: x & 1'b1 is x. Mixing widths or signs is our own mistake.
// Thread rule: immutable values.
#pragma once

#include "engine/rtl/size.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::rtl {

struct SignalType {
    Size width = 1;
    bool isSigned = false;
    bool operator==(const SignalType&) const = default;
};
inline SignalType bits(Size width) {
    return {std::move(width), false};
}
inline SignalType signedBits(Size width) {
    return {std::move(width), true};
}

/// Something declared in a module that holds words.
struct Net : Named {
    enum class Kind : std::uint8_t { Input, Output, OutputRegister, Wire, Register, Memory };
    Kind kind = Kind::Wire;
    SignalType type;
    Size depth = 0; ///< words of a memory

    bool isRegister() const { return kind == Kind::Register || kind == Kind::OutputRegister; }
    bool isPort() const { return kind <= Kind::OutputRegister; }
};
using NetPtr = std::shared_ptr<const Net>;

enum class ExprOp : std::uint8_t {
    Constant,
    Number, ///< a size, as 32 bits
    Net,
    Word,  ///< of a memory, at an address
    Slice, ///< bits from `low` on, of a net or word
    Part,  ///< the run of bits that an index counts, of a net
    Bit,   ///< of a net, at an index
    Join,
    Repeat,
    Not,
    AllOf, ///< & of all bits
    AnyOf, ///< | of all bits
    Multiply,
    Product,
    Divide,
    Modulo,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight, ///< with copies of the sign if it is signed
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    And,
    Xor,
    Or,
    Choose,
    Signed,
    Unsigned
};

struct ExprNode;

class Expr {
public:
    Expr() = default; ///< of no bits
    explicit Expr(std::shared_ptr<const ExprNode> node);

    const SignalType& type() const;
    const Size& size() const { return type().width; }
    bool isSigned() const { return type().isSigned; }
    /// In bits, when no parameter decides it.
    int width() const;
    /// Of a constant (of at most 64 bits, as a number of its type) or of no bits.
    std::optional<std::int64_t> constant() const;

    /// `count` bits from bit `low` on. Of a net, a memory's word or a constant, of slices of these
    /// and of joined words at their seams: other expressions need a name first.
    Expr slice(const Size& low, const Size& count) const;
    Expr bit(const Size& at) const { return slice(at, 1); }
    /// The bit at an index, of no more bits than name all of them, that another word gives. Of a
    /// net.
    Expr at(const Expr& index) const;
    /// `count` bits: the run of so many that another word counts, from the lowest. Of a net; of a
    /// number past its end nobody knows the bits.
    Expr part(const Expr& index, const Size& count) const;

    Expr asSigned() const;
    Expr asUnsigned() const;
    /// With zeros, or copies of the sign, to `width` ≥ its own.
    Expr extended(const Size& width) const;
    /// The low bits, or extended.
    Expr resized(int width) const;
    Expr repeated(const Size& times) const;

    /// The same expression, not: the same value.
    bool same(const Expr& other) const;

    const ExprNode& node() const { return *node_; }

private:
    std::shared_ptr<const ExprNode> node_;
};

struct ExprNode {
    ExprOp op = ExprOp::Constant;
    SignalType type;
    std::vector<Expr> operands;
    std::int64_t value = 0; ///< of a constant
    NetPtr net;             ///< of Net and Word
    Size size;              ///< low bit of a slice, times of a repetition, the number itself
};

/// The low `width` ≤ 64 bits of a number in two's complement.
Expr constant(std::int64_t value, int width);
Expr signedConstant(std::int64_t value, int width);
/// Of any width.
Expr zeros(const Size& width);
/// A number that parameters and loops decide, as 32 bits without sign.
Expr number(const Size& size);

/// Side by side, the first in the highest bits.
Expr join(const std::vector<Expr>& highFirst);
Expr choose(const Expr& condition, const Expr& yes, const Expr& no);
/// Of signed or unsigned words, as wide as both together. Stands alone on its side of an
/// assignment: Verilog would cut it elsewhere.
Expr product(const Expr& a, const Expr& b);
/// The same value, which synthesis does not merge with what uses it: "~(~x)".
Expr keptApart(const Expr& word);
Expr allOf(const Expr& word);
Expr anyOf(const Expr& word);

Expr operator~(const Expr& a);
Expr operator&(const Expr& a, const Expr& b);
Expr operator|(const Expr& a, const Expr& b);
Expr operator^(const Expr& a, const Expr& b);
Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator%(const Expr& a, const Expr& b);
/// By an amount of any width.
Expr operator<<(const Expr& a, const Expr& amount);
Expr operator>>(const Expr& a, const Expr& amount);

Expr operator==(const Expr& a, const Expr& b);
Expr operator!=(const Expr& a, const Expr& b);
Expr operator<(const Expr& a, const Expr& b);
Expr operator<=(const Expr& a, const Expr& b);
Expr operator>(const Expr& a, const Expr& b);
Expr operator>=(const Expr& a, const Expr& b);

/// With a constant of the other's type.
template <class Number>
concept Whole = std::integral<Number> && !std::same_as<Number, bool>;
Expr constantLike(const Expr& other, std::int64_t value);
Expr operator+(const Expr& a, Whole auto b) {
    return a + constantLike(a, b);
}
Expr operator-(const Expr& a, Whole auto b) {
    return a - constantLike(a, b);
}
Expr operator==(const Expr& a, Whole auto b) {
    return a == constantLike(a, b);
}
Expr operator!=(const Expr& a, Whole auto b) {
    return a != constantLike(a, b);
}
Expr operator<(const Expr& a, Whole auto b) {
    return a < constantLike(a, b);
}
Expr operator>=(const Expr& a, Whole auto b) {
    return a >= constantLike(a, b);
}

} // namespace marquetry::rtl
