#include "engine/rtl/write_expr.h"

#include "engine/support/assert.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::rtl {

namespace {

struct Infix {
    ExprOp op;
    const char* text;
    int level; ///< higher binds closer
};

constexpr Infix kInfix[] = {
    {ExprOp::Multiply, " * ", 10},  {ExprOp::Product, " * ", 10},
    {ExprOp::Divide, " / ", 10},    {ExprOp::Modulo, " % ", 10},
    {ExprOp::Add, " + ", 9},        {ExprOp::Subtract, " - ", 9},
    {ExprOp::ShiftLeft, " << ", 8}, {ExprOp::ShiftRight, " >> ", 8},
    {ExprOp::Less, " < ", 7},       {ExprOp::LessEqual, " <= ", 7},
    {ExprOp::Greater, " > ", 7},    {ExprOp::GreaterEqual, " >= ", 7},
    {ExprOp::Equal, " == ", 6},     {ExprOp::NotEqual, " != ", 6},
    {ExprOp::And, " & ", 5},        {ExprOp::Xor, " ^ ", 4},
    {ExprOp::Or, " | ", 3},         {ExprOp::Choose, " ? ", 1},
};

const Infix* infixOf(ExprOp op) {
    const auto* found = std::ranges::find(kInfix, op, &Infix::op);
    return found == std::end(kInfix) ? nullptr : found;
}

/// Groups that a reader knows by heart need no brackets: a * b + c, a & b & c, c ? x : d ? y : z.
bool standsBare(const Infix& inner, ExprOp innerOp, const Infix& outer, ExprOp outerOp,
                std::size_t place) {
    const bool joins = outerOp == ExprOp::Add || outerOp == ExprOp::And || outerOp == ExprOp::Or ||
                       outerOp == ExprOp::Xor || outerOp == ExprOp::Multiply;
    if (innerOp == outerOp && joins)
        return place == 0;
    if (innerOp == ExprOp::Choose && outerOp == ExprOp::Choose)
        return place == 2;
    const bool sum = outerOp == ExprOp::Add || outerOp == ExprOp::Subtract;
    if (sum && place == 0 && (innerOp == ExprOp::Add || innerOp == ExprOp::Subtract))
        return true;
    return sum && inner.level > outer.level && innerOp == ExprOp::Multiply;
}

} // namespace

std::string literal(std::int64_t value, const SignalType& type) {
    const std::int64_t width = type.width.value();
    const std::uint64_t low =
        width >= 64 ? static_cast<std::uint64_t>(value)
                    : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << width) - 1);
    TextOut text;
    const bool decimal = width > 1 && width <= 32 && low < 10'000 && !type.isSigned;
    text << width << '\'' << (type.isSigned ? "s" : "") << (width == 1 ? 'b' : decimal ? 'd' : 'h');
    if (!decimal)
        text << std::hex;
    text << low;
    return text.str();
}

std::string ExprText::size(const Size& size) const {
    return size.text([this](const SizeVariable& variable) { return names_.of(variable); });
}

std::string ExprText::compact(const Size& size) const {
    std::string text = this->size(size);
    std::erase(text, ' ');
    return text;
}

std::string ExprText::range(const Size& width) const {
    return width == Size(1) ? "" : "[" + compact(width - 1) + ":0] ";
}

std::string ExprText::whole(const Expr& e) const {
    return plain(e);
}

std::string ExprText::condition(const Expr& e) const {
    if (e.node().op == ExprOp::Not)
        return "!" + operand(e.node().operands[0], e.node(), 0);
    return plain(e);
}

std::string ExprText::operand(const Expr& e, const ExprNode& user, std::size_t place) const {
    const std::string text = plain(e);
    const ExprOp op = e.node().op;
    // "~~x" is no Verilog, and "|~x" an operator of its own.
    const bool unary =
        user.op == ExprOp::AllOf || user.op == ExprOp::AnyOf || user.op == ExprOp::Not;
    if (op == ExprOp::AllOf || op == ExprOp::AnyOf || (unary && op == ExprOp::Not))
        return "(" + text + ")";
    if (op == ExprOp::Number)
        return text.find(' ') == std::string::npos ? text : "(" + text + ")";
    const Infix* const inner = infixOf(op);
    if (inner == nullptr)
        return text;
    const Infix* const outer = infixOf(user.op);
    const bool bare = outer != nullptr && standsBare(*inner, op, *outer, user.op, place);
    return bare ? text : "(" + text + ")";
}

std::string ExprText::slice(const ExprNode& node) const {
    const std::string of = plain(node.operands[0]);
    const Size& low = node.size;
    const Size& count = node.type.width;
    if (count == Size(1))
        return of + "[" + compact(low) + "]";
    if (!low.known())
        return of + "[" + compact(low) + " +: " + compact(count) + "]";
    return of + "[" + compact(low + count - 1) + ":" + compact(low) + "]";
}

std::string ExprText::part(const ExprNode& node) const {
    const std::string count = size(node.type.width);
    return plain(node.operands[0]) + "[" + factor(node.operands[1]) + " * " + count +
           " +: " + count + "]";
}

std::string ExprText::parts(const ExprNode& node) const {
    std::string text;
    for (const Expr& part : node.operands) {
        // Joined words have no sign: no need to take it away.
        const bool stripped = part.node().op == ExprOp::Unsigned;
        text += (text.empty() ? "" : ", ") + plain(stripped ? part.node().operands[0] : part);
    }
    return "{" + text + "}";
}

/// Verilog widens what is inside an operand of a product before it computes it: brackets that
/// decide their own width keep it as it is.
std::string ExprText::factor(const Expr& e) const {
    const ExprOp op = e.node().op;
    const bool operates = infixOf(op) != nullptr || op == ExprOp::Not || op == ExprOp::AllOf ||
                          op == ExprOp::AnyOf || op == ExprOp::Number;
    if (!operates)
        return plain(e);
    return e.isSigned() ? "$signed(" + plain(e) + ")" : "{" + plain(e) + "}";
}

std::string ExprText::infix(const ExprNode& node) const {
    if (node.op == ExprOp::Choose)
        return operand(node.operands[0], node, 0) + " ? " + operand(node.operands[1], node, 1) +
               " : " + operand(node.operands[2], node, 2);
    const Infix* const found = infixOf(node.op);
    ENGINE_ASSERT(found != nullptr, "every operator has a text");
    const char* text = found->text;
    if (node.op == ExprOp::ShiftRight && node.type.isSigned)
        text = " >>> ";
    if (node.op == ExprOp::Product)
        return factor(node.operands[0]) + text + factor(node.operands[1]);
    return operand(node.operands[0], node, 0) + text + operand(node.operands[1], node, 1);
}

std::string ExprText::plain(const Expr& e) const {
    const ExprNode& node = e.node();
    switch (node.op) {
    case ExprOp::Constant:
        return literal(node.value, node.type);
    case ExprOp::Number:
        return size(node.size);
    case ExprOp::Net:
        return names_.of(*node.net);
    case ExprOp::Word:
        return names_.of(*node.net) + "[" + plain(node.operands[0]) + "]";
    case ExprOp::Slice:
        return slice(node);
    case ExprOp::Bit:
        return plain(node.operands[0]) + "[" + plain(node.operands[1]) + "]";
    case ExprOp::Part:
        return part(node);
    case ExprOp::Join:
        return parts(node);
    case ExprOp::Repeat:
        return "{" + compact(node.size) + parts(node) + "}";
    case ExprOp::Not:
        return "~" + operand(node.operands[0], node, 0);
    case ExprOp::AllOf:
        return "&" + operand(node.operands[0], node, 0);
    case ExprOp::AnyOf:
        return "|" + operand(node.operands[0], node, 0);
    case ExprOp::Signed:
        return "$signed(" + plain(node.operands[0]) + ")";
    case ExprOp::Unsigned:
        return "{" + plain(node.operands[0]) + "}";
    default:
        return infix(node);
    }
}

} // namespace marquetry::rtl
