#include "engine/rtl/write_expr.h"

#include "engine/support/assert.h"
#include "engine/support/text_stream.h"

#include <algorithm>

namespace marquetry::rtl {

namespace {

struct Infix {
    Op op;
    const char* text;
    int level; ///< higher binds closer
};

constexpr Infix kInfix[] = {
    {Op::Multiply, " * ", 10},  {Op::Product, " * ", 10},    {Op::Divide, " / ", 10},
    {Op::Modulo, " % ", 10},    {Op::Add, " + ", 9},         {Op::Subtract, " - ", 9},
    {Op::ShiftLeft, " << ", 8}, {Op::ShiftRight, " >> ", 8}, {Op::Less, " < ", 7},
    {Op::LessEqual, " <= ", 7}, {Op::Greater, " > ", 7},     {Op::GreaterEqual, " >= ", 7},
    {Op::Equal, " == ", 6},     {Op::NotEqual, " != ", 6},   {Op::And, " & ", 5},
    {Op::Xor, " ^ ", 4},        {Op::Or, " | ", 3},          {Op::Choose, " ? ", 1},
};

const Infix* infixOf(Op op) {
    const auto* found = std::ranges::find(kInfix, op, &Infix::op);
    return found == std::end(kInfix) ? nullptr : found;
}

/// Groups that a reader knows by heart need no brackets: a * b + c, a & b & c, c ? x : d ? y : z.
bool standsBare(const Infix& inner, Op innerOp, const Infix& outer, Op outerOp, std::size_t place) {
    const bool joins = outerOp == Op::Add || outerOp == Op::And || outerOp == Op::Or ||
                       outerOp == Op::Xor || outerOp == Op::Multiply;
    if (innerOp == outerOp && joins)
        return place == 0;
    if (innerOp == Op::Choose && outerOp == Op::Choose)
        return place == 2;
    const bool sum = outerOp == Op::Add || outerOp == Op::Subtract;
    if (sum && place == 0 && (innerOp == Op::Add || innerOp == Op::Subtract))
        return true;
    return sum && inner.level > outer.level && innerOp == Op::Multiply;
}

} // namespace

std::string literal(std::int64_t value, const Type& type) {
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
    return size.text([this](const Variable& variable) { return names_.of(variable); });
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
    if (e.node().op == Op::Not)
        return "!" + operand(e.node().operands[0], e.node(), 0);
    return plain(e);
}

std::string ExprText::operand(const Expr& e, const Node& user, std::size_t place) const {
    const std::string text = plain(e);
    const Op op = e.node().op;
    // "~~x" is no Verilog, and "|~x" an operator of its own.
    const bool unary = user.op == Op::AllOf || user.op == Op::AnyOf || user.op == Op::Not;
    if (op == Op::AllOf || op == Op::AnyOf || (unary && op == Op::Not))
        return "(" + text + ")";
    if (op == Op::Number)
        return text.find(' ') == std::string::npos ? text : "(" + text + ")";
    const Infix* const inner = infixOf(op);
    if (inner == nullptr)
        return text;
    const Infix* const outer = infixOf(user.op);
    const bool bare = outer != nullptr && standsBare(*inner, op, *outer, user.op, place);
    return bare ? text : "(" + text + ")";
}

std::string ExprText::slice(const Node& node) const {
    const std::string of = plain(node.operands[0]);
    const Size& low = node.size;
    const Size& count = node.type.width;
    if (count == Size(1))
        return of + "[" + compact(low) + "]";
    if (!low.known())
        return of + "[" + compact(low) + " +: " + compact(count) + "]";
    return of + "[" + compact(low + count - 1) + ":" + compact(low) + "]";
}

std::string ExprText::part(const Node& node) const {
    const std::string count = size(node.type.width);
    return plain(node.operands[0]) + "[" + factor(node.operands[1]) + " * " + count +
           " +: " + count + "]";
}

std::string ExprText::parts(const Node& node) const {
    std::string text;
    for (const Expr& part : node.operands) {
        // Joined words have no sign: no need to take it away.
        const bool stripped = part.node().op == Op::Unsigned;
        text += (text.empty() ? "" : ", ") + plain(stripped ? part.node().operands[0] : part);
    }
    return "{" + text + "}";
}

/// Verilog widens what is inside an operand of a product before it computes it: brackets that
/// decide their own width keep it as it is.
std::string ExprText::factor(const Expr& e) const {
    const Op op = e.node().op;
    const bool operates = infixOf(op) != nullptr || op == Op::Not || op == Op::AllOf ||
                          op == Op::AnyOf || op == Op::Number;
    if (!operates)
        return plain(e);
    return e.isSigned() ? "$signed(" + plain(e) + ")" : "{" + plain(e) + "}";
}

std::string ExprText::infix(const Node& node) const {
    if (node.op == Op::Choose)
        return operand(node.operands[0], node, 0) + " ? " + operand(node.operands[1], node, 1) +
               " : " + operand(node.operands[2], node, 2);
    const Infix* const found = infixOf(node.op);
    ENGINE_ASSERT(found != nullptr, "every operator has a text");
    const char* text = found->text;
    if (node.op == Op::ShiftRight && node.type.isSigned)
        text = " >>> ";
    if (node.op == Op::Product)
        return factor(node.operands[0]) + text + factor(node.operands[1]);
    return operand(node.operands[0], node, 0) + text + operand(node.operands[1], node, 1);
}

std::string ExprText::plain(const Expr& e) const {
    const Node& node = e.node();
    switch (node.op) {
    case Op::Constant:
        return literal(node.value, node.type);
    case Op::Number:
        return size(node.size);
    case Op::Net:
        return names_.of(*node.net);
    case Op::Word:
        return names_.of(*node.net) + "[" + plain(node.operands[0]) + "]";
    case Op::Slice:
        return slice(node);
    case Op::Bit:
        return plain(node.operands[0]) + "[" + plain(node.operands[1]) + "]";
    case Op::Part:
        return part(node);
    case Op::Join:
        return parts(node);
    case Op::Repeat:
        return "{" + compact(node.size) + parts(node) + "}";
    case Op::Not:
        return "~" + operand(node.operands[0], node, 0);
    case Op::AllOf:
        return "&" + operand(node.operands[0], node, 0);
    case Op::AnyOf:
        return "|" + operand(node.operands[0], node, 0);
    case Op::Signed:
        return "$signed(" + plain(node.operands[0]) + ")";
    case Op::Unsigned:
        return "{" + plain(node.operands[0]) + "}";
    default:
        return infix(node);
    }
}

} // namespace marquetry::rtl
