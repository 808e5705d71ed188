// Nodes of expressions. Internal to expressions and operators. Thread rule: pure.
#pragma once

#include "engine/rtl/expr.h"

#include <memory>
#include <utility>

namespace marquetry::rtl {

inline Expr make(ExprNode node) {
    return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

inline bool isEmpty(const Expr& e) {
    return e.size() == Size(0);
}

} // namespace marquetry::rtl
