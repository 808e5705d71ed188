#include "engine/egraph/term_bank.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

std::vector<EClassId> asClasses(std::span<const ProofTermId> terms) {
    std::vector<EClassId> classes;
    classes.reserve(terms.size());
    for (ProofTermId t : terms)
        classes.push_back(EClassId{t.value()});
    return classes;
}

ProofTermId asTerm(EClassId id) {
    return ProofTermId{id.value()};
}

} // namespace

ProofTermId TermBank::add(OpId op, ParamSpan params, std::span<const ProofTermId> children) {
    return asTerm(store_.add(op, params, asClasses(children)));
}

ProofTermId TermBank::termOf(const EGraph& egraph, ENodeId n) {
    std::vector<ENodeId> todo{n};
    std::vector<EClassId> children;
    while (!todo.empty()) {
        const ENodeId next = todo.back();
        const std::size_t before = todo.size();
        children.clear();
        for (EClassId child : egraph.originalChildren(next)) {
            const ENodeId childNode{child.value()};
            if (const auto known = made_.find(childNode); known != made_.end())
                children.push_back(EClassId{known->second.value()});
            else
                todo.push_back(childNode);
        }
        if (todo.size() > before)
            continue;
        todo.pop_back();
        if (!made_.contains(next))
            made_.emplace(next, asTerm(store_.add(egraph.op(next), egraph.params(next), children)));
    }
    return made_.at(n);
}

ProofTermId TermBank::termOf(const EGraph& egraph, const ChosenTerm& term) {
    std::vector<ProofTermId> terms;
    std::vector<ProofTermId> children;
    for (const ChosenTerm::Node& node : term.nodes) {
        if (node.children.empty()) {
            terms.push_back(termOf(egraph, node.enode));
            continue;
        }
        children.clear();
        for (std::uint32_t child : node.children)
            children.push_back(terms[child]);
        terms.push_back(add(egraph.op(node.enode), egraph.params(node.enode), children));
    }
    return terms.back();
}

ProofTermId TermBank::at(ProofTermId whole, std::span<const std::uint32_t> place) const {
    for (std::uint32_t k : place)
        whole = child(whole, k);
    return whole;
}

ProofTermId TermBank::replace(ProofTermId whole, std::span<const std::uint32_t> place,
                              ProofTermId part) {
    std::vector<ProofTermId> spine;
    for (std::uint32_t k : place) {
        spine.push_back(whole);
        whole = child(whole, k);
    }
    for (std::size_t depth = place.size(); depth-- > 0;) {
        const ENodeId outer = node(spine[depth]);
        const ChildSpan old = store_.children(outer);
        std::vector<EClassId> children(old.begin(), old.end());
        children[place[depth]] = EClassId{part.value()};
        part = asTerm(store_.add(store_.op(outer), store_.params(outer), children));
    }
    return part;
}

std::optional<RuleApplication> TermBank::match(RuleId id, const Rewrite& rule, ProofTermId left,
                                               ProofTermId right) const {
    RuleApplication found{id,
                          std::vector<ProofTermId>(rule.lhs.classVars.size()),
                          std::vector<Param>(rule.lhs.paramVars.size()),
                          left,
                          {}};
    std::vector<std::uint8_t> boundParams(rule.lhs.paramVars.size(), 0);
    if (!match(rule.lhs, left, found, boundParams))
        return std::nullopt;
    if (!rule.also.empty() && right.valid() && !match(*rule.rhs, right, found, boundParams))
        return std::nullopt;
    return found;
}

bool TermBank::match(const Pattern& pattern, ProofTermId term, RuleApplication& found,
                     std::vector<std::uint8_t>& boundParams) const {
    const auto bindClass = [&](VarId var, ProofTermId part) {
        const SortId wanted = pattern.classVarSorts[var.index()];
        ProofTermId& value = found.classes[var.index()];
        if ((value.valid() && value != part) || (wanted.valid() && sort(part) != wanted))
            return false;
        value = part;
        return true;
    };
    const auto bindParam = [&](const ParamPattern& p, Param have) {
        if (!p.isVar || boundParams[p.var.index()])
            return have == (p.isVar ? found.params[p.var.index()] : p.literal);
        boundParams[p.var.index()] = 1;
        found.params[p.var.index()] = have;
        return true;
    };
    std::vector<std::pair<std::size_t, ProofTermId>> todo{{pattern.nodes.size() - 1, term}};
    while (!todo.empty()) {
        const auto [index, part] = todo.back();
        todo.pop_back();
        const PatternNode& wanted = pattern.nodes[index];
        if (wanted.isVar) {
            if (!bindClass(wanted.var, part))
                return false;
            continue;
        }
        const ParamSpan have = params(part);
        if (op(part) != wanted.op || have.size() != wanted.params.size() ||
            arity(part) != wanted.children.size())
            return false;
        for (std::size_t k = 0; k < have.size(); ++k)
            if (!bindParam(wanted.params[k], have[k]))
                return false;
        for (std::size_t k = 0; k < wanted.children.size(); ++k)
            todo.emplace_back(wanted.children[k], child(part, k));
    }
    return true;
}

std::vector<RuleApplication> TermBank::apply(const Rewrite& rule, const RuleApplication& match) {
    const std::vector<EClassId> classes = asClasses(match.classes);
    const Match asMatch{EClassId{match.left.value()}, node(match.left), classes, match.params};
    std::vector<RuleApplication> results;
    const bool whole = std::ranges::all_of(match.classes, &ProofTermId::valid);
    if (!rule.admits(match.params) ||
        (rule.condition && (!whole || !rule.condition(store_, asMatch))))
        return results;
    std::vector<EClassId> equal;
    rule.run(store_, asMatch, Origin{match.rule, 1, node(match.left)}, equal);
    for (EClassId id : equal) {
        results.push_back(match);
        results.back().right = asTerm(id);
    }
    return results;
}

ProofTermId TermBank::instance(const Pattern& pattern, std::span<const ProofTermId> classes,
                               ParamSpan params) {
    const std::vector<EClassId> asClass = asClasses(classes);
    return asTerm(instantiate(store_, pattern, Match{{}, {}, asClass, params}, {}));
}

} // namespace marquetry::egraph
