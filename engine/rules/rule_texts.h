// The catalogue as text: what every rule says.
//
// Every rewrite that makeRewrites can return has exactly one text, under every policy. The families
// (For → Par, splits, interchanges) are listed loop by loop, from the tables that make them.
// Complexity: O(rules); they are made once. Thread rule: pure.
#pragma once

#include "engine/rules/rule_text.h"

#include <string_view>
#include <vector>

namespace marquetry::rules {

/// In the order of the catalogue.
const std::vector<RuleText>& ruleTexts();
/// Null when no rule has the name.
const RuleText* ruleText(std::string_view name);

} // namespace marquetry::rules
