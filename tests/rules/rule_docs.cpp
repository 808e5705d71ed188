#include "tests/rules/rule_docs.h"

#include "engine/rules/rule_texts.h"

namespace marquetry::rules {

std::string rulesPage() {
    std::string page =
        "# Rewrite rules\n\n"
        "Generated from the catalogue (`build/release/tests/rules/rules_page > docs/rules.md`); a "
        "test compares. Every rule is an\nequality: `tests/rules` evaluates both sides on random "
        "integer tensors. H and W are output extents. `--without GROUP`\nswitches a group off, "
        "`--without RULE` one rule, but for R3-FUSE and R-GROUP, which are their groups. Which "
        "sizes a rule\ntries under which costs: `engine/rules/catalog.h`.\n\n"
        "| rule | group | equality | side condition | source |\n|---|---|---|---|---|\n";
    for (const RuleText& rule : ruleTexts())
        page += "| " + rule.name + " | " + rule.group + " | `" + rule.equation + "` | " +
                rule.condition + " | " + rule.source + " |\n";
    return page;
}

} // namespace marquetry::rules
