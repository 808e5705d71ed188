#include "engine/session/shown_rules.h"

#include "engine/rules/rule_texts.h"
#include "engine/support/assert.h"

namespace marquetry::session {

ShownRules shownRules(const rules::Lowered& lowered, const std::vector<std::string>& without) {
    std::vector<std::string> names;
    std::vector<std::string> groups;
    std::vector<rules::RuleText> texts;
    for (const egraph::Rewrite& rewrite : lowered.rewrites) {
        const rules::RuleText* const text = rules::ruleText(rewrite.name);
        ENGINE_ASSERT(text != nullptr, "every rewrite of the catalogue has a text");
        names.push_back(rewrite.name);
        groups.push_back(rewrite.group);
        texts.push_back(*text);
    }
    for (const std::string& name : without)
        if (const rules::RuleText* const text = rules::ruleText(name))
            texts.push_back(*text);
    ShownRules shown;
    shown.names = std::move(names);
    shown.groups = std::move(groups);
    shown.texts = std::move(texts);
    return shown;
}

} // namespace marquetry::session
