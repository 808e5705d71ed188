// What is computed of words: constants, joined words, operators.
#include "engine/rtl/expr.h"
#include "engine/rtl/nodes.h"
#include "engine/support/assert.h"

namespace marquetry::rtl {

namespace {

void expectOneType(const Expr& a, const Expr& b) {
    ENGINE_ASSERT(a.size() == b.size(), "both sides of an operator have one width");
    ENGINE_ASSERT(a.isSigned() == b.isSigned(), "both sides of an operator have one sign");
}

std::int64_t lowBits(std::int64_t value, std::int64_t width) {
    return width >= 64 ? value : value & ((std::int64_t{1} << width) - 1);
}

std::int64_t asNumber(std::int64_t value, const SignalType& type) {
    const std::int64_t width = type.width.value();
    const std::int64_t low = lowBits(value, width);
    const bool minus = type.isSigned && width < 64 && width > 0 && (low >> (width - 1) & 1) != 0;
    return minus ? low - (std::int64_t{1} << width) : low;
}

Expr binary(ExprOp op, const Expr& a, const Expr& b) {
    expectOneType(a, b);
    return make({op, a.type(), {a, b}, 0, nullptr, {}});
}

Expr comparison(ExprOp op, const Expr& a, const Expr& b) {
    expectOneType(a, b);
    ENGINE_ASSERT(!isEmpty(a), "words of no bits are not compared");
    return make({op, bits(1), {a, b}, 0, nullptr, {}});
}

bool isAllOnes(const Expr& e) {
    return e.constant() && e.size().known() && e.width() > 0 &&
           lowBits(*e.constant(), e.width()) == lowBits(-1, e.width());
}

bool isZero(const Expr& e) {
    if (e.constant())
        return *e.constant() == 0;
    const ExprNode& node = e.node();
    return node.op == ExprOp::Repeat && isZero(node.operands[0]);
}

bool isOne(const Expr& e) {
    return e.constant() == 1;
}

/// Two slices of one net that are next to each other, as one.
std::optional<Expr> neighbours(const Expr& high, const Expr& low) {
    if (high.constant() || low.constant() || high.node().op != ExprOp::Slice ||
        low.node().op != ExprOp::Slice)
        return std::nullopt;
    const Expr& net = high.node().operands[0];
    if (!net.same(low.node().operands[0]) || high.node().size != low.node().size + low.size())
        return std::nullopt;
    return net.slice(low.node().size, high.size() + low.size());
}

} // namespace

Expr constant(std::int64_t value, int width) {
    ENGINE_ASSERT(width >= 0 && width <= 64, "constants have up to 64 bits");
    if (width == 0)
        return {};
    return make({ExprOp::Constant, bits(width), {}, asNumber(value, bits(width)), nullptr, {}});
}

Expr signedConstant(std::int64_t value, int width) {
    ENGINE_ASSERT(width >= 1 && width <= 64, "constants have up to 64 bits");
    const SignalType type = signedBits(width);
    return make({ExprOp::Constant, type, {}, asNumber(value, type), nullptr, {}});
}

Expr zeros(const Size& width) {
    if (width.known() && width.value() <= 64)
        return constant(0, static_cast<int>(width.value()));
    return constant(0, 1).repeated(width);
}

Expr number(const Size& size) {
    if (size.known())
        return constant(size.value(), 32);
    return make({ExprOp::Number, bits(32), {}, 0, nullptr, size});
}

Expr constantLike(const Expr& other, std::int64_t value) {
    if (!other.size().known()) {
        ENGINE_ASSERT(value == 0, "a constant of unknown width is zero");
        return zeros(other.size());
    }
    return other.isSigned() ? signedConstant(value, other.width()) : constant(value, other.width());
}

Expr join(const std::vector<Expr>& highFirst) {
    std::vector<Expr> parts;
    Size width = 0;
    for (const Expr& part : highFirst) {
        if (isEmpty(part))
            continue;
        width = width + part.size();
        if (part.node().op == ExprOp::Join) {
            parts.insert(parts.end(), part.node().operands.begin(), part.node().operands.end());
            continue;
        }
        if (const auto both = parts.empty() ? std::nullopt : neighbours(parts.back(), part)) {
            parts.back() = *both;
            continue;
        }
        const bool folds = part.constant() && !parts.empty() && parts.back().constant() &&
                           parts.back().width() + part.width() <= 64;
        if (!folds) {
            parts.push_back(part.asUnsigned());
            continue;
        }
        const std::int64_t high = *parts.back().constant();
        const int all = parts.back().width() + part.width();
        const std::int64_t low = lowBits(*part.constant(), part.width());
        parts.back() = constant(part.width() >= 64 ? low : (high << part.width()) | low, all);
    }
    if (parts.empty())
        return {};
    if (parts.size() == 1)
        return parts[0];
    return make({ExprOp::Join, bits(width), std::move(parts), 0, nullptr, {}});
}

Expr choose(const Expr& condition, const Expr& yes, const Expr& no) {
    expectOneType(yes, no);
    if (condition.constant())
        return *condition.constant() != 0 ? yes : no;
    ENGINE_ASSERT(condition.size() == Size(1), "a condition is one bit");
    if (isEmpty(yes) || yes.same(no))
        return yes;
    return make({ExprOp::Choose, yes.type(), {condition, yes, no}, 0, nullptr, {}});
}

Expr product(const Expr& a, const Expr& b) {
    ENGINE_ASSERT(a.isSigned() == b.isSigned(), "both factors have one sign");
    return make({ExprOp::Product, {a.size() + b.size(), a.isSigned()}, {a, b}, 0, nullptr, {}});
}

Expr keptApart(const Expr& word) {
    return make({ExprOp::Not, word.type(), {~word}, 0, nullptr, {}});
}

Expr allOf(const Expr& word) {
    return word.size() == Size(1) ? word.asUnsigned()
                                  : make({ExprOp::AllOf, bits(1), {word}, 0, nullptr, {}});
}

Expr anyOf(const Expr& word) {
    return word.size() == Size(1) ? word.asUnsigned()
                                  : make({ExprOp::AnyOf, bits(1), {word}, 0, nullptr, {}});
}

Expr operator~(const Expr& a) {
    if (isEmpty(a))
        return a;
    if (a.constant())
        return constantLike(a, ~*a.constant());
    if (a.node().op == ExprOp::Not)
        return a.node().operands[0];
    return make({ExprOp::Not, a.type(), {a}, 0, nullptr, {}});
}

Expr operator&(const Expr& a, const Expr& b) {
    expectOneType(a, b);
    if (isAllOnes(a) || isZero(b))
        return b;
    if (isAllOnes(b) || isZero(a))
        return a;
    return binary(ExprOp::And, a, b);
}

Expr operator|(const Expr& a, const Expr& b) {
    expectOneType(a, b);
    if (isAllOnes(a) || isZero(b))
        return a;
    if (isAllOnes(b) || isZero(a))
        return b;
    return binary(ExprOp::Or, a, b);
}

Expr operator^(const Expr& a, const Expr& b) {
    return binary(ExprOp::Xor, a, b);
}

Expr operator+(const Expr& a, const Expr& b) {
    expectOneType(a, b);
    if (isZero(a))
        return b;
    if (isZero(b))
        return a;
    if (a.constant() && b.constant())
        return constantLike(a, *a.constant() + *b.constant());
    return binary(ExprOp::Add, a, b);
}

Expr operator-(const Expr& a, const Expr& b) {
    expectOneType(a, b);
    if (isZero(b))
        return a;
    return binary(ExprOp::Subtract, a, b);
}

Expr operator*(const Expr& a, const Expr& b) {
    expectOneType(a, b);
    if (isZero(a) || isOne(b))
        return a;
    if (isZero(b) || isOne(a))
        return b;
    return binary(ExprOp::Multiply, a, b);
}
Expr operator/(const Expr& a, const Expr& b) {
    if (isOne(b))
        return a;
    return binary(ExprOp::Divide, a, b);
}
Expr operator%(const Expr& a, const Expr& b) {
    if (isOne(b))
        return zeros(a.size());
    return binary(ExprOp::Modulo, a, b);
}

Expr operator<<(const Expr& a, const Expr& amount) {
    return make({ExprOp::ShiftLeft, a.type(), {a, amount}, 0, nullptr, {}});
}
Expr operator>>(const Expr& a, const Expr& amount) {
    return make({ExprOp::ShiftRight, a.type(), {a, amount}, 0, nullptr, {}});
}

Expr operator==(const Expr& a, const Expr& b) {
    return comparison(ExprOp::Equal, a, b);
}
Expr operator!=(const Expr& a, const Expr& b) {
    return comparison(ExprOp::NotEqual, a, b);
}
Expr operator<(const Expr& a, const Expr& b) {
    return comparison(ExprOp::Less, a, b);
}
Expr operator<=(const Expr& a, const Expr& b) {
    return comparison(ExprOp::LessEqual, a, b);
}
Expr operator>(const Expr& a, const Expr& b) {
    return comparison(ExprOp::Greater, a, b);
}
Expr operator>=(const Expr& a, const Expr& b) {
    return comparison(ExprOp::GreaterEqual, a, b);
}

} // namespace marquetry::rtl
