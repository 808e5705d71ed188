// The rules of a lowered program as snapshots show them. Complexity: O(rules). Thread rule: pure.
#pragma once

#include "engine/rules/lowering.h"
#include "engine/session/snapshot.h"

namespace marquetry::session {

struct ShownRules {
    SharedList<std::string> names;  ///< by RuleId
    SharedList<std::string> groups; ///< the same
    SharedList<rules::RuleText>
        texts; ///< the same, then those of rules that are named in `without`
};

/// `without`: as in Settings.
ShownRules shownRules(const rules::Lowered& lowered, const std::vector<std::string>& without);

} // namespace marquetry::session
