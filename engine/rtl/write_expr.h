// Expressions as Verilog text. Internal to the writer. Thread rule: pure.
#pragma once

#include "engine/rtl/scope.h"

#include <string>

namespace marquetry::rtl {

class ExprText {
public:
    explicit ExprText(const Names& names) : names_(names) {}

    /// As one side of an assignment, an argument, or inside brackets.
    std::string whole(const Expr& e) const;
    /// A condition: "!x" for "~x".
    std::string condition(const Expr& e) const;
    std::string size(const Size& size) const;
    /// Without spaces.
    std::string compact(const Size& size) const;
    /// "[7:0] ", or nothing for one bit.
    std::string range(const Size& width) const;

private:
    std::string operand(const Expr& e, const ExprNode& user, std::size_t place) const;
    std::string plain(const Expr& e) const;
    std::string slice(const ExprNode& node) const;
    std::string part(const ExprNode& node) const;
    std::string parts(const ExprNode& node) const;
    std::string factor(const Expr& e) const;
    std::string infix(const ExprNode& node) const;
    const Names& names_;
};

/// "8'd255", "64'hffffffff00000000", "4'sh8" of a signed one: decimal where a reader counts,
/// hexadecimal where bits are looked at.
std::string literal(std::int64_t value, const SignalType& type);

} // namespace marquetry::rtl
