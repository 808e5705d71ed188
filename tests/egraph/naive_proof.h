// A second proof checker for the tests: plain recursive trees and rule texts, nothing of the engine
// but the proof's table. Slow and simple.
#pragma once

#include "engine/egraph/proof.h"
#include "tests/egraph/math_language.h"

#include <map>

namespace marquetry::egraph {

struct Tree {
    std::string head;       ///< operator, integer, ?variable or $variable
    std::vector<Tree> kids; ///< parameters first
    bool operator==(const Tree&) const = default;
};

inline Tree treeOf(const Proof& proof, ProofTermId id) {
    const ProofTerm& term = proof.term(id);
    Tree tree{proof.language->name(term.op), {}};
    for (Param p : term.params)
        tree.kids.push_back({std::to_string(p), {}});
    for (ProofTermId child : term.children)
        tree.kids.push_back(treeOf(proof, child));
    return tree;
}

/// "(op kid…)" or a bare word.
inline Tree parseTree(std::istringstream& in) {
    std::string word;
    in >> std::ws;
    if (in.peek() != '(') {
        while (in.peek() != EOF && in.peek() != ' ' && in.peek() != ')')
            word += static_cast<char>(in.get());
        return {word, {}};
    }
    in.get();
    Tree tree = parseTree(in);
    while ((in >> std::ws).peek() != ')')
        tree.kids.push_back(parseTree(in));
    in.get();
    return tree;
}

inline Tree parseTree(const std::string& text) {
    std::istringstream in(text);
    return parseTree(in);
}

using TreeBindings = std::map<std::string, Tree>;

inline bool matches(const Tree& pattern, const Tree& tree, TreeBindings& bound) {
    if (pattern.head[0] == '?' || pattern.head[0] == '$') {
        const auto [entry, added] = bound.emplace(pattern.head, tree);
        return added || entry->second == tree;
    }
    if (pattern.head != tree.head || pattern.kids.size() != tree.kids.size())
        return false;
    for (std::size_t k = 0; k < tree.kids.size(); ++k)
        if (!matches(pattern.kids[k], tree.kids[k], bound))
            return false;
    return true;
}

inline Tree substitute(const Tree& pattern, const TreeBindings& bound) {
    if (const auto found = bound.find(pattern.head); found != bound.end())
        return found->second;
    Tree tree{pattern.head, {}};
    for (const Tree& kid : pattern.kids)
        tree.kids.push_back(substitute(kid, bound));
    return tree;
}

/// The part at a place of the proof (which counts children, not parameters); null when none.
inline Tree* partAt(const Proof& proof, Tree& tree, std::span<const std::uint32_t> place) {
    Tree* part = &tree;
    for (std::uint32_t k : place) {
        const std::size_t params = proof.language->op(*proof.language->findOp(part->head)).params;
        if (params + k >= part->kids.size())
            return nullptr;
        part = &part->kids[params + k];
    }
    return part;
}

inline bool naiveStepHolds(const Proof& proof, const ProofStep& step, const RuleTexts& rules) {
    Tree before = treeOf(proof, step.before);
    const Tree after = treeOf(proof, step.after);
    Tree other = after;
    Tree* from = partAt(proof, before, step.place);
    const Tree* to = partAt(proof, other, step.place);
    if (from == nullptr || to == nullptr || step.rule.index() >= rules.size())
        return false;
    const auto& [name, lhs, rhs] = rules[step.rule.index()];
    TreeBindings bound;
    const Tree& left = step.forward ? *from : *to;
    const Tree& right = step.forward ? *to : *from;
    if (!matches(parseTree(withNumbers(lhs)), left, bound) ||
        substitute(parseTree(withNumbers(rhs)), bound) != right)
        return false;
    *from = Tree(*to);
    return before == after;
}

/// True when every step is one application of its rule and the steps link start and end.
inline bool naiveProofHolds(const Proof& proof, const RuleTexts& rules) {
    ProofTermId now = proof.start;
    for (const ProofStep& step : proof.steps) {
        if (treeOf(proof, now) != treeOf(proof, step.before) || !naiveStepHolds(proof, step, rules))
            return false;
        now = step.after;
    }
    return treeOf(proof, now) == treeOf(proof, proof.end);
}

} // namespace marquetry::egraph
