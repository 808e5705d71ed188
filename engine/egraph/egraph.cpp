#include "engine/egraph/egraph.h"

#include <algorithm>

namespace marquetry::egraph {

EGraph::EGraph(std::shared_ptr<const Language> language, Analysis* analysis)
    : language_(std::move(language)), analysis_(analysis) {
    byOp_.resize(language_->opCount());
    untidyOp_.resize(language_->opCount(), 0);
}

// ---- adding -------------------------------------------------------------------------------------

void EGraph::assertWellFormed(OpId op, ParamSpan params, ChildSpan children) const {
    ENGINE_ASSERT(op.index() < byOp_.size(), "the operator belongs to the language");
    ENGINE_ASSERT(language_->acceptsParamCount(op, params.size()), "number of parameters");
    ENGINE_ASSERT(language_->acceptsChildCount(op, children.size()), "number of children");
    for (std::size_t i = 0; i < children.size(); ++i) {
        ENGINE_ASSERT(children[i].index() < unionFind_.size(), "a child class exists");
        ENGINE_ASSERT(sort(children[i]) == language_->childSort(op, i), "sort of a child");
    }
}

EClassId EGraph::add(OpId op, ParamSpan params, ChildSpan children, const Origin& origin) {
    assertWellFormed(op, params, children);
    childScratch_.clear();
    for (EClassId child : children)
        childScratch_.push_back(unionFind_.findAndHalve(child));
    if (const ENodeId known = hashCons_.find(store_, op, params, childScratch_); known.valid())
        return unionFind_.findAndHalve(EClassId{known.value()});
    return insertNew(op, params, origin);
}

/// The canonical children are in childScratch_.
EClassId EGraph::insertNew(OpId op, ParamSpan params, const Origin& origin) {
    const FactId fact = analysis_ ? makeFact(op, params, childScratch_) : FactId{};
    // The caller's span may point into the store, which is about to grow.
    paramScratch_.assign(params.begin(), params.end());
    const ENodeId n = store_.push(op, paramScratch_, childScratch_);
    hashCons_.insert(n, hashENode(op, store_.params(n), childScratch_));
    origins_.push_back(origin);
    subsumed_.push_back(0);
    byOp_[op.index()].push_back(n);
    const EClassId id = unionFind_.makeSet();
    classNodes_.emplace_back().push_back(n);
    classParents_.emplace_back();
    if (analysis_)
        facts_.push_back(fact);
    for (EClassId child : childScratch_) {
        auto& users = classParents_[child.index()];
        if (!users.empty() && users.back() == n)
            continue; // a repeated child
        users.push_back(n);
        ++parentEntries_;
    }
    ++liveCount_;
    ++classCount_;
    lastIteration_ = std::max(lastIteration_, origin.iteration);
    return id;
}

std::optional<ENodeId> EGraph::lookupNode(OpId op, ParamSpan params, ChildSpan children) const {
    std::vector<EClassId> canonical;
    canonical.reserve(children.size());
    for (EClassId child : children)
        canonical.push_back(find(child));
    const ENodeId n = hashCons_.find(store_, op, params, canonical);
    return n.valid() ? std::optional{n} : std::nullopt;
}

std::optional<EClassId> EGraph::lookup(OpId op, ParamSpan params, ChildSpan children) const {
    const auto n = lookupNode(op, params, children);
    return n ? std::optional{eclassOf(*n)} : std::nullopt;
}

// ---- merging ------------------------------------------------------------------------------------

namespace {

/// Appends the shorter list to the longer one; order is restored at rebuild.
void pour(std::vector<ENodeId>& into, std::vector<ENodeId>& from) {
    if (into.size() < from.size())
        into.swap(from);
    into.insert(into.end(), from.begin(), from.end());
    std::vector<ENodeId>().swap(from);
}

} // namespace

bool EGraph::merge(EClassId a, EClassId b, const Origin& origin) {
    ENGINE_ASSERT(a.index() < unionFind_.size() && b.index() < unionFind_.size(),
                  "merged classes exist");
    a = unionFind_.findAndHalve(a);
    b = unionFind_.findAndHalve(b);
    if (a == b)
        return false;
    ENGINE_ASSERT(sort(a) == sort(b), "merged classes are of one sort");
    const auto [kept, absorbed] = unionFind_.unite(a, b);
    auto& stale = classParents_[absorbed.index()];
    pendingParents_.insert(pendingParents_.end(), stale.begin(), stale.end());
    pour(classNodes_[kept.index()], classNodes_[absorbed.index()]);
    pour(classParents_[kept.index()], stale);
    untidy_.push_back(kept);
    --classCount_;
    lastIteration_ = std::max(lastIteration_, origin.iteration);
    unions_.push_back({kept, absorbed, origin});
    if (analysis_)
        mergeFacts(kept, absorbed);
    return true;
}

// ---- rebuilding ---------------------------------------------------------------------------------

void EGraph::rebuild() {
    std::vector<ENodeId> batch;
    const auto drain = [this, &batch](std::vector<ENodeId>& pending, auto&& handle) {
        batch.clear();
        batch.swap(pending);
        std::ranges::sort(batch);
        batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
        for (ENodeId n : batch)
            if (live(n))
                handle(n);
    };
    while (!pendingParents_.empty() || !pendingFacts_.empty()) {
        while (!pendingParents_.empty())
            drain(pendingParents_, [this](ENodeId n) { repair(n); });
        if (!pendingFacts_.empty())
            drain(pendingFacts_, [this](ENodeId n) { repairFact(n); });
    }
    tidyLists();
}

bool EGraph::clean() const {
    return pendingParents_.empty() && pendingFacts_.empty() && untidy_.empty();
}

/// Brings the children of `n` up to date; the younger of two congruent e-nodes is subsumed.
void EGraph::repair(ENodeId n) {
    const auto children = store_.mutableChildren(n);
    hashCons_.erase(n, hashENode(op(n), params(n), children));
    for (EClassId& child : children)
        child = unionFind_.findAndHalve(child);
    const ENodeId twin = hashCons_.find(store_, op(n), params(n), children);
    const std::uint32_t hash = hashENode(op(n), params(n), children);
    if (!twin.valid()) {
        hashCons_.insert(n, hash);
        return;
    }
    const ENodeId survivor = std::min(n, twin);
    if (survivor == n) {
        hashCons_.erase(twin, hash);
        hashCons_.insert(n, hash);
    }
    subsume(std::max(n, twin));
    merge(EClassId{n.value()}, EClassId{twin.value()},
          Origin{kCongruence, lastIteration_, survivor});
}

void EGraph::subsume(ENodeId n) {
    subsumed_[n.index()] = 1;
    --liveCount_;
    untidyOp_[op(n).index()] = 1;
    untidy_.push_back(EClassId{n.value()});
    for (EClassId child : children(n))
        untidy_.push_back(child);
}

void EGraph::tidyLists() {
    if (untidy_.empty())
        return;
    unionFind_.flatten();
    for (EClassId& id : untidy_)
        id = find(id);
    std::ranges::sort(untidy_);
    untidy_.erase(std::unique(untidy_.begin(), untidy_.end()), untidy_.end());
    const auto dead = [this](ENodeId n) { return !live(n); };
    for (EClassId id : untidy_) {
        auto& members = classNodes_[id.index()];
        std::erase_if(members, dead);
        std::ranges::sort(members);
        auto& users = classParents_[id.index()];
        const std::size_t before = users.size();
        std::erase_if(users, dead);
        std::ranges::sort(users);
        users.erase(std::unique(users.begin(), users.end()), users.end());
        parentEntries_ -= before - users.size();
    }
    untidy_.clear();
    for (std::size_t i = 0; i < byOp_.size(); ++i)
        if (untidyOp_[i]) {
            std::erase_if(byOp_[i], dead);
            untidyOp_[i] = 0;
        }
}

// ---- facts --------------------------------------------------------------------------------------

FactId EGraph::makeFact(OpId op, ParamSpan params, ChildSpan children) {
    factScratch_.clear();
    for (EClassId child : children)
        factScratch_.push_back(facts_[unionFind_.findAndHalve(child).index()]);
    return analysis_->make(*this, op, params, factScratch_);
}

void EGraph::mergeFacts(EClassId kept, EClassId absorbed) {
    const FactId older = facts_[kept.index()];
    const FactId newer = facts_[absorbed.index()];
    if (older == newer)
        return;
    facts_[kept.index()] = joinFacts(kept, older, newer);
    const auto& users = classParents_[kept.index()];
    pendingFacts_.insert(pendingFacts_.end(), users.begin(), users.end());
}

void EGraph::repairFact(ENodeId n) {
    const FactId made = makeFact(op(n), params(n), children(n));
    const EClassId id = unionFind_.findAndHalve(EClassId{n.value()});
    const FactId before = facts_[id.index()];
    const FactId joined = joinFacts(id, before, made);
    if (joined == before)
        return;
    facts_[id.index()] = joined;
    const auto& users = classParents_[id.index()];
    pendingFacts_.insert(pendingFacts_.end(), users.begin(), users.end());
}

FactId EGraph::joinFacts(EClassId id, FactId older, FactId newer) {
    if (older == newer)
        return older;
    if (const auto joined = analysis_->merge(older, newer))
        return *joined;
    conflictClasses_.insert(id);
    if (reported_.emplace(older, newer).second)
        conflicts_.push_back(
            makeError("analysis-conflict",
                      "e-class " + std::to_string(id.value()) + " has contradicting facts: " +
                          analysis_->describe(older) + " and " + analysis_->describe(newer),
                      "a rewrite made two unequal terms equal; the older fact "
                      "is kept"));
    return older;
}

bool EGraph::hasConflict(EClassId id) const {
    id = find(id);
    return std::ranges::any_of(conflictClasses_, [&](EClassId c) { return find(c) == id; });
}

// ---- reading ------------------------------------------------------------------------------------

SortId EGraph::sort(EClassId id) const {
    // All members of a class have one sort; the e-node a class was made for is among them.
    return language_->result(store_.op(ENodeId{id.value()}));
}

std::vector<EClassId> EGraph::eclasses() const {
    std::vector<EClassId> ids;
    ids.reserve(classCount_);
    for (std::size_t i = 0; i < unionFind_.size(); ++i)
        if (unionFind_.isRoot(EClassId{i}))
            ids.push_back(EClassId{i});
    return ids;
}

std::span<const ENodeId> EGraph::enodes(EClassId id) const {
    return classNodes_[find(id).index()];
}

std::span<const ENodeId> EGraph::parents(EClassId id) const {
    return classParents_[find(id).index()];
}

std::span<const ENodeId> EGraph::nodesWithOp(OpId op) const {
    return byOp_[op.index()];
}

FactId EGraph::fact(EClassId id) const {
    return analysis_ ? facts_[find(id).index()] : FactId{};
}

std::size_t EGraph::bytes() const {
    constexpr std::size_t kHeapBlock = 16; // allocator overhead of one small list
    const std::size_t n = store_.size();
    const std::size_t listHeads = n * 2 * (sizeof(std::vector<ENodeId>) + kHeapBlock);
    const std::size_t listEntries = (2 * n + parentEntries_) * sizeof(ENodeId);
    return store_.bytes() + hashCons_.bytes() + unionFind_.bytes() +
           origins_.capacity() * sizeof(Origin) + subsumed_.capacity() +
           facts_.capacity() * sizeof(FactId) + unions_.capacity() * sizeof(UnionEntry) +
           (pendingParents_.capacity() + pendingFacts_.capacity()) * sizeof(ENodeId) + listHeads +
           listEntries;
}

} // namespace marquetry::egraph
