#include "engine/egraph/left_side.h"

namespace marquetry::egraph {

namespace {

/// Rules have two to four operators; a longer pattern is matched as a whole in every search.
constexpr std::size_t kMaxPlans = 8;

void internLiterals(EGraph& egraph, const Pattern& pattern) {
    for (const PatternNode& node : pattern.nodes)
        if (!node.isVar)
            internLiteral(egraph, node);
}

} // namespace

LabelId internLiteral(EGraph& egraph, const PatternNode& node) {
    std::vector<Param> literals;
    for (const ParamPattern& param : node.params) {
        if (param.isVar)
            return {};
        literals.push_back(param.literal);
    }
    return egraph.internLabel(node.op, literals, node.children.size());
}

LeftSide::LeftSide(EGraph& egraph, const Rewrite& rule)
    : classVars_(rule.lhs.classVars.size()),
      paramVars_(rule.lhs.paramVars.size()),
      factsCount_(!rule.isPure()) {
    internLiterals(egraph, rule.lhs);
    for (const Pattern& pattern : rule.also)
        internLiterals(egraph, pattern);
    if (rule.lhs.root().isVar)
        bareSort_ = rule.lhs.classVarSorts[0];
    else
        program_.emplace(egraph.store().labels(),
                         MatchProgram::Query{rule.lhs, rule.also, rule.paramConditions}, kMaxPlans);
}

} // namespace marquetry::egraph
