// The two sides of a rewrite rule as terms, read from its equation.
//
// The form is that of the catalogue (engine/rules/rule_text.h): "Mv[M, N] = TiledMv[TN, N](Mv[M,
// TN])". A name may be several words; parameters stand in brackets, arguments in parentheses.
// Errors: nullopt for text of another form, such as brackets that do not close. Complexity: linear
// in the text; recursion as deep as the term. Thread rule: pure.
#pragma once

#include <QString>

#include <optional>
#include <vector>

namespace marquetry::widgets {

struct RuleTerm {
    QString name;   ///< "TiledMv"
    QString params; ///< "TN, N"; empty without any
    std::vector<RuleTerm> arguments;

    /// "TiledMv[TN, N]"
    QString label() const;
    /// It stands for any value or unit: a, U, s, w1.
    bool isVariable() const;
    bool operator==(const RuleTerm&) const = default;
};

struct RuleSides {
    RuleTerm before;
    RuleTerm after;
    bool operator==(const RuleSides&) const = default;
};

std::optional<RuleSides> readEquation(const QString& equation);

} // namespace marquetry::widgets
