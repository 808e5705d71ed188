#include "engine/egraph/rewrite.h"

namespace marquetry::egraph {

EClassId instantiate(EGraph& egraph, const Pattern& pattern, const Match& match,
                     const Origin& origin) {
    std::vector<EClassId> built;
    built.reserve(pattern.nodes.size());
    std::vector<EClassId> children;
    std::vector<Param> params;
    for (const PatternNode& node : pattern.nodes) {
        if (node.isVar) {
            built.push_back(match[node.var]);
            continue;
        }
        params.clear();
        for (const ParamPattern& p : node.params)
            params.push_back(p.isVar ? match[p.var] : p.literal);
        children.clear();
        for (std::uint32_t child : node.children)
            children.push_back(built[child]);
        built.push_back(egraph.add(node.op, params, children, origin));
    }
    return built.back();
}

void Rewrite::run(EGraph& egraph, const Match& match, const Origin& origin,
                  std::vector<EClassId>& equal) const {
    if (apply)
        apply(egraph, match, origin, equal);
    else
        equal.push_back(instantiate(egraph, *rhs, match, origin));
}

Result<Rewrite> makeRewrite(const Language& language, const RewriteText& text,
                            Condition condition) {
    auto lhs = Pattern::parse(language, text.lhs);
    if (!lhs)
        return lhs.error();
    auto rhs = Pattern::parseIn(language, text.rhs, *lhs);
    if (!rhs) {
        Diagnostics errors = rhs.error();
        for (Diagnostic& error : errors)
            error.notes.push_back("right-hand side of the rule '" + text.name + "'");
        return errors;
    }
    // A bare variable on the left takes the sort the right-hand side needs or has.
    lhs->classVarSorts = rhs->classVarSorts;
    const auto rootSort = [&](const Pattern& p) {
        return p.root().isVar ? lhs->classVarSorts[p.root().var.index()]
                              : language.result(p.root().op);
    };
    if (lhs->root().isVar && !rootSort(*lhs).valid())
        lhs->classVarSorts[lhs->root().var.index()] = rootSort(*rhs);
    if (rootSort(*lhs) != rootSort(*rhs))
        return makeError("pattern-sort",
                         "the two sides of the rule '" + text.name + "' have different sorts");
    Rewrite rewrite{text.name, text.group, std::move(*lhs), std::move(condition), {}, {}};
    rewrite.rhs = std::make_shared<const Pattern>(std::move(*rhs));
    return rewrite;
}

Result<EClassId> addTerm(EGraph& egraph, std::string_view text, const Origin& origin) {
    const auto pattern = Pattern::parseIn(egraph.language(), text, Pattern{});
    if (!pattern)
        return pattern.error();
    return egraph.find(instantiate(egraph, *pattern, Match{}, origin));
}

} // namespace marquetry::egraph
