#include "engine/egraph/compiled_rule.h"

#include "engine/egraph/matcher.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

/// Rules have two to four operators; a longer pattern is matched as a whole in every search.
constexpr std::size_t kMaxPlans = 8;
/// Enough memory accesses to keep the processor busy, few enough to stay in its first cache.
constexpr std::size_t kBatch = 128;

/// Labels of literal nodes, so that the program compares one integer.
LabelId internLiteral(EGraph& egraph, const PatternNode& node) {
    std::vector<Param> literals;
    for (const ParamPattern& param : node.params) {
        if (param.isVar)
            return {};
        literals.push_back(param.literal);
    }
    return egraph.internLabel(node.op, literals, node.children.size());
}

} // namespace

CompiledRule::CompiledRule(EGraph& egraph, const Rewrite& rule)
    : classVars_(rule.lhs.classVars.size()), paramVars_(rule.lhs.paramVars.size()) {
    ENGINE_ASSERT(rule.isPure(), "only a pure rule can be compiled");
    for (const PatternNode& node : rule.lhs.nodes)
        if (!node.isVar)
            internLiteral(egraph, node);
    if (rule.lhs.root().isVar)
        bareSort_ = rule.lhs.classVarSorts[0];
    else
        left_.emplace(egraph.store().labels(), rule.lhs, kMaxPlans);
    compileRight(egraph, *rule.rhs);
}

void CompiledRule::compileRight(EGraph& egraph, const Pattern& rhs) {
    for (const PatternNode& node : rhs.nodes) {
        const LabelId label = node.isVar ? LabelId{} : internLiteral(egraph, node);
        right_.push_back({node.isVar, node.var, node.op, label, node.params, node.children});
    }
    values_.resize(right_.size() * kBatch);
    hashes_.resize(kBatch);
    labels_.resize(kBatch);
}

// ---- searching ----------------------------------------------------------------------------------

/// Classes of a bare variable's sort; an old class that grew is no new match.
template <class Visit>
bool CompiledRule::forEachNewClass(const EGraph& egraph, Mark since, Visit&& visit) const {
    for (std::size_t i = since.enodes; i < egraph.totalEnodes(); ++i) {
        const EClassId id{i};
        const bool fits = !bareSort_.valid() || egraph.sort(id) == bareSort_;
        if (fits && egraph.find(id) == id && !visit(RawMatch{ENodeId{i}, &id, nullptr}))
            return false;
    }
    return true;
}

std::size_t CompiledRule::search(const EGraph& egraph, Mark since, const SearchLimits& limits,
                                 MatchBuffer& found) {
    std::size_t seen = 0;
    MatchBuffer batch = makeBuffer();
    auto sink = [&](const RawMatch& match) {
        if (++seen > limits.maxMatches)
            return false;
        batch.push(match.root, match.classes, match.params);
        if (batch.size() == kBatch) {
            dropHolding(egraph, batch, found);
            batch.clear();
        }
        return true;
    };
    auto poll = [&] { return limits.goOn(found); };
    if (left_)
        Matcher(egraph, *left_, sink, poll).changedSince(since);
    else
        forEachNewClass(egraph, since, sink);
    dropHolding(egraph, batch, found);
    return seen;
}

std::size_t CompiledRule::countAll(const EGraph& egraph, const SearchLimits& limits) const {
    std::size_t seen = 0;
    const MatchBuffer none;
    auto sink = [&](const RawMatch&) { return ++seen <= limits.maxMatches; };
    auto poll = [&] { return limits.goOn(none); };
    if (left_)
        Matcher(egraph, *left_, sink, poll).all();
    else
        forEachNewClass(egraph, {}, sink);
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
ChildSpan CompiledRule::childrenOf(const Node& node, std::size_t at) {
    children_.clear();
    for (std::uint32_t child : node.children)
        children_.push_back(values_[child * kBatch + at]);
    return children_;
}

/// Appends to `kept` the matches whose right-hand side is not in the class of the root yet. The
/// value of a node that is not in the e-graph is invalid, and so are those above it.
void CompiledRule::dropHolding(const EGraph& egraph, const MatchBuffer& batch, MatchBuffer& kept) {
    for (std::size_t i = 0; i < batch.size(); ++i)
        egraph.store().prefetch(EClassId{batch.root(i).value()});
    for (std::size_t k = 0; k < right_.size(); ++k) {
        if (!right_[k].isVar) {
            lookUp(egraph, k, batch);
            continue;
        }
        for (std::size_t i = 0; i < batch.size(); ++i)
            values_[k * kBatch + i] = batch.classes(i)[right_[k].var.index()];
    }
    const EClassId* const results = values_.data() + (right_.size() - 1) * kBatch;
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (results[i] != egraph.eclassOf(batch.root(i)))
            kept.push(batch.root(i), batch.classes(i), batch.params(i));
}

void CompiledRule::lookUp(const EGraph& egraph, std::size_t k, const MatchBuffer& batch) {
    const Node& node = right_[k];
    const HashCons& hashCons = egraph.hashCons();
    EClassId* const values = values_.data() + k * kBatch;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const ChildSpan children = childrenOf(node, i);
        const bool there = std::ranges::all_of(children, [](EClassId c) { return c.valid(); });
        labels_[i] = there ? labelIn(egraph, node, batch.params(i)) : LabelId{};
        if (labels_[i].valid())
            hashCons.prefetchSlot(hashes_[i] = hashENode(labels_[i], children));
    }
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (labels_[i].valid())
            hashCons.prefetchNode(egraph.store(), hashes_[i]);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        values[i] = {};
        if (!labels_[i].valid())
            continue;
        const ENodeId known =
            hashCons.find(egraph.store(), labels_[i], childrenOf(node, i), hashes_[i]);
        if (!known.valid())
            continue;
        values[i] = EClassId{known.value()};
        egraph.store().prefetch(values[i]);
    }
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (values[i].valid())
            values[i] = egraph.find(values[i]);
}

// ---- applying -----------------------------------------------------------------------------------

void CompiledRule::prepare(const EGraph& egraph, const MatchBuffer& matches, std::size_t i) {
    const ENodeStore& store = egraph.store();
    store.prefetch(EClassId{matches.root(i).value()});
    for (const Node& node : right_) {
        const bool known =
            node.label.valid() &&
            std::ranges::all_of(node.children, [&](std::uint32_t c) { return right_[c].isVar; });
        if (!known)
            continue; // its children are made by the application itself
        children_.clear();
        for (std::uint32_t child : node.children)
            children_.push_back(store.find(matches.classes(i)[right_[child].var.index()]));
        egraph.hashCons().prefetchSlot(hashENode(node.label, children_));
    }
}

bool CompiledRule::apply(EGraph& egraph, const MatchBuffer& matches, std::size_t i,
                         const Origin& origin) {
    const EClassId* const classes = matches.classes(i);
    const std::size_t before = egraph.totalEnodes();
    for (std::size_t k = 0; k < right_.size(); ++k) {
        const Node& node = right_[k];
        EClassId& value = values_[k * kBatch];
        if (node.isVar) {
            value = egraph.find(classes[node.var.index()]);
            continue;
        }
        LabelId label = node.label;
        if (!label.valid()) {
            readParams(node, matches.params(i));
            label = egraph.internLabel(node.op, params_, node.children.size());
        }
        value = egraph.addCanonical(label, childrenOf(node, 0), origin);
    }
    const EClassId result = values_[(right_.size() - 1) * kBatch];
    const bool united = egraph.merge(EClassId{origin.root.value()}, result, origin);
    return united || egraph.totalEnodes() != before;
}

} // namespace marquetry::egraph
