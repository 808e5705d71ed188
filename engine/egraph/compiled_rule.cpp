#include "engine/egraph/compiled_rule.h"

#include <algorithm>

namespace marquetry::egraph {

CompiledRule::CompiledRule(EGraph& egraph, const Rewrite& rule) : rule_(rule), left_(egraph, rule) {
    if (rule.isPure())
        compileRight(egraph, *rule.rhs);
}

void CompiledRule::compileRight(EGraph& egraph, const Pattern& rhs) {
    for (const PatternNode& node : rhs.nodes) {
        const LabelId label = node.isVar ? LabelId{} : internLiteral(egraph, node);
        right_.push_back({node.isVar, node.var, node.op, label, node.params, node.children});
        children_.resize(std::max(children_.size(), node.children.size()));
    }
    values_.resize(right_.size() * kBatch);
    hashes_.resize(kBatch);
    labels_.resize(kBatch);
    nodes_.resize(kBatch);
    roots_.resize(kBatch);
}

// ---- searching ----------------------------------------------------------------------------------

std::size_t CompiledRule::search(const EGraph& egraph, Mark since, const SearchLimits& limits,
                                 MatchBuffer& found) {
    std::size_t seen = 0;
    MatchBuffer batch = makeBuffer();
    const bool pure = rule_.isPure();
    auto sink = [&](const RawMatch& match) {
        if (++seen > limits.maxMatches)
            return false;
        (pure ? batch : found).push(match.root, match.classes, match.params);
        if (batch.size() == kBatch) {
            keepMissing(egraph, batch, found);
            batch.clear();
        }
        return true;
    };
    auto poll = [&] { return limits.goOn(found); };
    left_.search(egraph, since, sink, poll);
    if (pure)
        keepMissing(egraph, batch, found);
    return seen;
}

std::size_t CompiledRule::countAll(const EGraph& egraph, const SearchLimits& limits) const {
    std::size_t seen = 0;
    const MatchBuffer none;
    auto sink = [&](const RawMatch&) { return ++seen <= limits.maxMatches; };
    auto poll = [&] { return limits.goOn(none); };
    left_.search(egraph, {}, sink, poll);
    return seen;
}

void CompiledRule::readParams(const Node& node, const Param* params) {
    params_.clear();
    for (const ParamPattern& p : node.params)
        params_.push_back(p.isVar ? params[p.var.index()] : p.literal);
}

LabelId CompiledRule::labelIn(const EGraph& egraph, const Node& node, const Param* params) {
    if (node.label.valid())
        return node.label;
    readParams(node, params);
    return egraph.store().labels().find(node.op, params_, node.children.size());
}

/// Classes of a right-hand node's children for one match of a batch.
ChildSpan CompiledRule::childrenOf(const Node& node, std::size_t lane) {
    for (std::size_t j = 0; j < node.children.size(); ++j)
        children_[j] = value(node.children[j], lane);
    return {children_.data(), node.children.size()};
}

/// Appends to `kept` the matches whose right-hand side is not in the class of the root yet.
void CompiledRule::keepMissing(const EGraph& egraph, const MatchBuffer& batch, MatchBuffer& kept) {
    lookUp(egraph, {batch, 0, batch.size()});
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (value(right_.size() - 1, i) != roots_[i])
            kept.push(batch.root(i), batch.classes(i), batch.params(i));
}

/// Fills `values_` and `roots_`. The value of a node that is not in the e-graph is invalid, and so
/// are those above it.
void CompiledRule::lookUp(const EGraph& egraph, const Batch& batch) {
    const ENodeStore& store = egraph.store();
    for (std::size_t i = 0; i < batch.count; ++i)
        store.prefetch(batch.matches.root(batch.first + i));
    for (std::size_t k = 0; k < right_.size(); ++k) {
        if (!right_[k].isVar) {
            lookUpNode(egraph, k, batch);
            continue;
        }
        const std::size_t var = right_[k].var.index();
        for (std::size_t i = 0; i < batch.count; ++i)
            value(k, i) = store.find(batch.matches.classes(batch.first + i)[var]);
    }
    for (std::size_t i = 0; i < batch.count; ++i)
        roots_[i] = egraph.eclassOf(batch.matches.root(batch.first + i));
}

void CompiledRule::lookUpNode(const EGraph& egraph, std::size_t k, const Batch& batch) {
    const Node& node = right_[k];
    const ENodeStore& store = egraph.store();
    const HashCons& hashCons = egraph.hashCons();
    for (std::size_t i = 0; i < batch.count; ++i) {
        const ChildSpan children = childrenOf(node, i);
        const bool there = std::ranges::all_of(children, [](EClassId c) { return c.valid(); });
        labels_[i] =
            there ? labelIn(egraph, node, batch.matches.params(batch.first + i)) : LabelId{};
        if (labels_[i].valid())
            hashCons.prefetchSlot(hashes_[i] = hashENode(labels_[i], children));
    }
    for (std::size_t i = 0; i < batch.count; ++i)
        nodes_[i] = labels_[i].valid() ? hashCons.candidate(store, hashes_[i]) : ENodeId{};
    for (std::size_t i = 0; i < batch.count; ++i) {
        value(k, i) = {};
        if (!nodes_[i].valid())
            continue;
        const ChildSpan children = childrenOf(node, i);
        if (!store.equals(nodes_[i], labels_[i], children))
            nodes_[i] = hashCons.find(store, labels_[i], children, hashes_[i]);
        if (!nodes_[i].valid())
            continue;
        value(k, i) = store.parent(EClassId{nodes_[i].value()});
        store.prefetch(ENodeId{value(k, i).value()});
    }
    for (std::size_t i = 0; i < batch.count; ++i)
        if (value(k, i).valid())
            value(k, i) = store.find(value(k, i));
}

// ---- applying -----------------------------------------------------------------------------------

void CompiledRule::prepare(const EGraph& egraph, const MatchBuffer& matches, std::size_t first) {
    const ENodeStore& store = egraph.store();
    const Batch batch{matches, first, std::min(kBatch, matches.size() - first)};
    for (std::size_t i = 0; i < batch.count; ++i)
        for (std::size_t v = 0; v < left_.classVars(); ++v)
            store.prefetch(ENodeId{matches.classes(first + i)[v].value()});
    lookUp(egraph, batch);
    for (std::size_t i = 0; i < batch.count; ++i)
        store.prefetchMerge(roots_[i]);
    for (std::size_t i = 0; i < batch.count; ++i)
        store.prefetchLastMember(roots_[i]);
}

bool CompiledRule::apply(EGraph& egraph, const MatchBuffer& matches, std::size_t i,
                         const Origin& origin) {
    const std::size_t lane = i % kBatch, last = right_.size() - 1;
    if (value(last, lane) == roots_[lane])
        return false; // an equality never ceases to hold
    const std::size_t before = egraph.totalEnodes();
    for (std::size_t k = 0; k < right_.size(); ++k) {
        const Node& node = right_[k];
        if (value(k, lane).valid()) {
            value(k, lane) = egraph.find(value(k, lane));
            continue;
        }
        LabelId label = node.label;
        if (!label.valid()) {
            readParams(node, matches.params(i));
            label = egraph.internLabel(node.op, params_, node.children.size());
        }
        value(k, lane) = egraph.addCanonical(label, childrenOf(node, lane), origin);
    }
    const bool united = egraph.merge(EClassId{origin.root.value()}, value(last, lane), origin);
    return united || egraph.totalEnodes() != before;
}

} // namespace marquetry::egraph
