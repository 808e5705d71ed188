// What a rewrite rule says, as text for people. Thread rule: value type.
#pragma once

#include <string>

namespace marquetry::rules {

struct RuleText {
    std::string name;      ///< as printed
    std::string group;     ///< switched by --without GROUP
    std::string equation;  ///< "Mv[M, N] = TiledMv[TN, N](Mv[M, TN])"
    std::string condition; ///< side condition
    std::string source;    ///< paper and figure, and what was mended
    /// Made when a program is lowered: only its group can be switched off.
    bool lowered = false;

    bool operator==(const RuleText&) const = default;
};

} // namespace marquetry::rules
