// The texts of the catalogue (engine/rules/rule_texts.h) as docs/rules.md. Thread rule: pure.
#pragma once

#include <string>

namespace marquetry::rules {

/// A Markdown page with one line per rule.
std::string rulesPage();

} // namespace marquetry::rules
