#include "engine/egraph/rewrite.h"

#include <algorithm>

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

void Rewrite::require(std::initializer_list<std::string_view> names,
                      std::function<bool(ParamSpan)> holds) {
    ParamCondition added{{}, std::move(holds)};
    for (std::string_view wanted : names) {
        const auto var = lhs.paramVar(wanted);
        ENGINE_ASSERT(var.has_value(), "the left-hand side binds the parameter");
        added.reads.push_back(*var);
    }
    paramConditions.push_back(std::move(added));
}

bool Rewrite::admits(ParamSpan params) const {
    std::vector<Param> values;
    return std::ranges::all_of(paramConditions, [&](const ParamCondition& asked) {
        values.clear();
        for (ParamVarId var : asked.reads)
            values.push_back(params[var.index()]);
        return asked.holds(values);
    });
}

namespace {

/// All patterns of a left-hand side, with one table of variables.
Result<std::vector<Pattern>> parseLeft(const Language& language, std::string_view text) {
    std::vector<Pattern> patterns;
    for (bool more = true; more;) {
        const std::size_t end = text.find(';');
        more = end != std::string_view::npos;
        const std::string_view part = text.substr(0, end);
        auto next = patterns.empty() ? Pattern::parse(language, part)
                                     : Pattern::parseBeside(language, part, patterns.back());
        if (!next)
            return next.error();
        patterns.push_back(*std::move(next));
        if (more)
            text.remove_prefix(end + 1);
    }
    for (Pattern& pattern : patterns) {
        if (patterns.size() > 1 && pattern.root().isVar)
            return makeError("pattern-bare", "a bare variable is one of several patterns",
                             "each of several patterns begins with an operator");
        pattern.classVars = patterns.back().classVars;
        pattern.paramVars = patterns.back().paramVars;
        pattern.classVarSorts = patterns.back().classVarSorts;
    }
    return patterns;
}

SortId rootSort(const Language& language, const Pattern& pattern,
                const std::vector<SortId>& varSorts) {
    return pattern.root().isVar ? varSorts[pattern.root().var.index()]
                                : language.result(pattern.root().op);
}

} // namespace

Result<Rewrite> makeRewrite(const Language& language, const RewriteText& text,
                            Condition condition) {
    auto left = parseLeft(language, text.lhs);
    if (!left)
        return left.error();
    Pattern& lhs = left->front();
    auto rhs = Pattern::parseIn(language, text.rhs, lhs);
    if (!rhs) {
        Diagnostics errors = rhs.error();
        for (Diagnostic& error : errors)
            error.notes.push_back("right-hand side of the rule '" + text.name + "'");
        return errors;
    }
    // A bare variable on the left takes the sort the right-hand side needs or has.
    lhs.classVarSorts = rhs->classVarSorts;
    const SortId rightSort = rootSort(language, *rhs, lhs.classVarSorts);
    if (lhs.root().isVar && !rootSort(language, lhs, lhs.classVarSorts).valid())
        lhs.classVarSorts[lhs.root().var.index()] = rightSort;
    if (rootSort(language, lhs, lhs.classVarSorts) != rootSort(language, *rhs, lhs.classVarSorts))
        return makeError("pattern-sort",
                         "the two sides of the rule '" + text.name + "' have different sorts");
    Rewrite rewrite{text.name, text.group, std::move(lhs), std::move(condition), {}};
    rewrite.rhs = std::make_shared<const Pattern>(*std::move(rhs));
    left->erase(left->begin());
    rewrite.also = *std::move(left);
    return rewrite;
}

Result<EClassId> addTerm(EGraph& egraph, std::string_view text, const Origin& origin) {
    const auto pattern = Pattern::parseIn(egraph.language(), text, Pattern{});
    if (!pattern)
        return pattern.error();
    return egraph.find(instantiate(egraph, *pattern, Match{}, origin));
}

} // namespace marquetry::egraph
