// The catalogue as text: one line per rule, for docs/rules.md.
//
// Every rewrite that makeRewrites can return has exactly one line, under every policy. The families
// (For → Par, splits, interchanges) are listed loop by loop, from the tables that make them.
// Thread rule: pure.
#pragma once

#include <string>
#include <vector>

namespace marquetry::rules {

struct RuleDoc {
    std::string name;      ///< as printed
    std::string group;     ///< switched by --without GROUP
    std::string equation;  ///< "Mv[M, N] = TiledMv[TN, N](Mv[M, TN])"
    std::string condition; ///< side condition
    std::string source;    ///< paper and figure, and what was mended
};

/// In the order of the catalogue.
std::vector<RuleDoc> ruleDocs();

/// The same as a Markdown page.
std::string rulesPage();

} // namespace marquetry::rules
