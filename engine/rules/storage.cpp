// R-STORE-EXTERNAL (EngineIR R5-kind): a weight may live in external memory instead of block RAM.
#include "engine/rules/catalog.h"

namespace marquetry::rules {

std::vector<egraph::Rewrite> storageRewrites(const Terms& terms) {
    auto rule = egraph::makeRewrite(
        *terms.language, {"R-STORE-EXTERNAL", "storage", "(buf:bram ?v)", "(buf:external ?v)"}, {});
    ENGINE_ASSERT(rule.has_value(), "the rule's text is well formed");
    // Only weights: activations stay on chip between calls.
    rule->condition = [language = terms.language](const egraph::EGraph& egraph,
                                                  const egraph::Match& match) {
        for (egraph::ENodeId node : egraph.enodes(match.classes[0]))
            if (language->name(egraph.op(node)).starts_with("weight "))
                return true;
        return false;
    };
    return {*std::move(rule)};
}

} // namespace marquetry::rules
