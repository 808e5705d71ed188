#include "engine/egraph/egraph.h"

#include <algorithm>
#include <array>

namespace marquetry::egraph {

EGraph::EGraph(std::shared_ptr<const Language> language, Analysis* analysis, Provenance provenance)
    : language_(std::move(language)), analysis_(analysis), provenance_(provenance) {
    byOp_.resize(language_->opCount());
}

// ---- adding -------------------------------------------------------------------------------------

void EGraph::assertWellFormed(OpId op, ParamSpan params, ChildSpan children) const {
    ENGINE_ASSERT(op.index() < byOp_.size(), "the operator belongs to the language");
    ENGINE_ASSERT(language_->acceptsParamCount(op, params.size()), "number of parameters");
    ENGINE_ASSERT(language_->acceptsChildCount(op, children.size()), "number of children");
    for (std::size_t i = 0; i < children.size(); ++i) {
        ENGINE_ASSERT(children[i].index() < store_.size(), "a child class exists");
        ENGINE_ASSERT(sort(children[i]) == language_->childSort(op, i), "sort of a child");
    }
}

EClassId EGraph::add(OpId op, ParamSpan params, ChildSpan children, const Origin& origin) {
    assertWellFormed(op, params, children);
    // Copied first: the caller's spans may point into the store, which is about to grow.
    childScratch_.clear();
    for (EClassId child : children)
        childScratch_.push_back(store_.findAndHalve(child));
    return addCanonical(store_.labels().intern(op, params, childScratch_.size()), childScratch_,
                        origin);
}

EClassId EGraph::addCanonical(LabelId label, ChildSpan children, const Origin& origin) {
    const std::uint32_t hash = hashENode(label, children);
    if (const ENodeId known = hashCons_.find(store_, label, children, hash); known.valid())
        return store_.findAndHalve(EClassId{known.value()});
    return insertNew(label, children, hash, origin);
}

EClassId EGraph::insertNew(LabelId label, ChildSpan children, std::uint32_t hash,
                           const Origin& origin) {
    const OpId op = store_.labels().op(label);
    if (analysis_)
        facts_.push_back(makeFact(op, store_.labels().params(label), children));
    const ENodeId n = store_.push(label, children);
    hashCons_.insert(n, hash);
    if (provenance_ == Provenance::On)
        origins_.push(origin);
    byOp_[op.index()].nodes.push_back(n);
    ++byOp_[op.index()].live;
    ++liveCount_;
    ++classCount_;
    lastIteration_ = std::max(lastIteration_, origin.iteration);
    return EClassId{n.value()};
}

std::optional<ENodeId> EGraph::lookupNode(OpId op, ParamSpan params, ChildSpan children) const {
    const LabelId label = store_.labels().find(op, params, children.size());
    if (!label.valid())
        return std::nullopt;
    std::vector<EClassId> canonical;
    canonical.reserve(children.size());
    for (EClassId child : children)
        canonical.push_back(find(child));
    const ENodeId n = lookupCanonical(label, canonical);
    return n.valid() ? std::optional{n} : std::nullopt;
}

std::optional<EClassId> EGraph::lookup(OpId op, ParamSpan params, ChildSpan children) const {
    const auto n = lookupNode(op, params, children);
    return n ? std::optional{eclassOf(*n)} : std::nullopt;
}

// ---- merging ------------------------------------------------------------------------------------

bool EGraph::merge(EClassId a, EClassId b, const Origin& origin) {
    ENGINE_ASSERT(a.index() < store_.size() && b.index() < store_.size(), "merged classes exist");
    const ENodeId left{a.value()}, right{b.value()};
    a = store_.findAndHalve(a);
    b = store_.findAndHalve(b);
    if (a == b)
        return false;
    ENGINE_ASSERT(sort(a) == sort(b), "merged classes are of one sort");
    const auto [kept, absorbed] = std::minmax(a, b);
    touchMembers(absorbed);
    store_.absorb(kept, absorbed, [this](ENodeId user) {
        if (store_.pending(user))
            return;
        store_.setPending(user);
        pendingNodes_.push_back(user);
    });
    --classCount_;
    ++unionCount_;
    ++unionsSinceFlat_;
    lastIteration_ = std::max(lastIteration_, origin.iteration);
    if (provenance_ == Provenance::On)
        unions_.push(left, right, origin);
    if (analysis_)
        mergeFacts(kept, absorbed);
    return true;
}

/// Notes for the next searches that a child or the class of an old e-node, or a fact, changed.
void EGraph::touch(ENodeId n) {
    if (n.value() >= changes_.epochStart() || store_.stamp(n) == changes_.epoch())
        return;
    store_.setStamp(n, changes_.epoch());
    changes_.add(store_.op(n), n);
}

void EGraph::touchMembers(EClassId id) {
    if (id.value() < changes_.epochStart()) // else all members are new
        store_.forEachMember(id, [this](ENodeId n) { touch(n); });
}

// ---- rebuilding ---------------------------------------------------------------------------------

namespace {

/// The lists of so many classes take milliseconds; those of a large e-graph at once, when a search
/// begins, would take longer than a stop may wait.
constexpr std::size_t kMostUntidy = 8192;

/// Subsumed e-nodes leave the members of the classes.
void tidyMembers(ENodeStore& store, std::vector<EClassId>& untidy) {
    for (EClassId& id : untidy)
        id = store.findAndHalve(id);
    std::ranges::sort(untidy);
    untidy.erase(std::unique(untidy.begin(), untidy.end()), untidy.end());
    for (EClassId id : untidy)
        store.dropDeadMembers(id);
    untidy.clear();
}

} // namespace

void EGraph::restoreCongruence() {
    while (!pendingNodes_.empty() || !pendingFacts_.empty()) {
        // Repairs append to the list they come from.
        for (std::size_t i = 0; i < pendingNodes_.size(); ++i) {
            prepareRepairs(i);
            repair(pendingNodes_[i]);
        }
        pendingNodes_.clear();
        std::vector<ENodeId> batch;
        batch.swap(pendingFacts_);
        std::ranges::sort(batch);
        batch.erase(std::unique(batch.begin(), batch.end()), batch.end());
        for (ENodeId n : batch)
            if (live(n))
                repairFact(n);
    }
    if (untidy_.size() > kMostUntidy)
        tidyMembers(store_, untidy_);
}

void EGraph::rebuild() {
    restoreCongruence();
    flattenPaths();
    compactOperatorIndex();
}

bool EGraph::clean() const {
    return pendingNodes_.empty() && pendingFacts_.empty();
}

/// Asks for what coming repairs read, step by step: the e-node; its children's classes and its
/// place in the hash-cons; its new place there. It has arrived when the next step comes.
void EGraph::prepareRepairs(std::size_t at) const {
    constexpr std::size_t kStep = 4;
    if (at + 3 * kStep < pendingNodes_.size())
        store_.prefetch(pendingNodes_[at + 3 * kStep]);
    if (at + 2 * kStep < pendingNodes_.size()) {
        const ENodeId n = pendingNodes_[at + 2 * kStep];
        for (EClassId child : children(n))
            store_.prefetch(ENodeId{child.value()});
        hashCons_.prefetchSlot(hashENode(store_.label(n), children(n)));
    }
    if (at + kStep < pendingNodes_.size()) {
        const ENodeId n = pendingNodes_[at + kStep];
        std::array<EClassId, 2> canonical;
        const ChildSpan stale = children(n);
        if (stale.size() > canonical.size())
            return;
        std::ranges::transform(stale, canonical.begin(), [&](EClassId c) { return find(c); });
        hashCons_.prefetchSlot(hashENode(store_.label(n), {canonical.data(), stale.size()}));
    }
}

/// Brings the children of `n` up to date; the younger of two congruent e-nodes is subsumed.
void EGraph::repair(ENodeId n) {
    store_.clearPending(n);
    if (!live(n))
        return;
    touch(n);
    const LabelId label = store_.label(n);
    const auto children = store_.editChildren(n);
    hashCons_.erase(n, hashENode(label, children));
    for (EClassId& child : children)
        child = store_.findAndHalve(child);
    const std::uint32_t hash = hashENode(label, children);
    const ENodeId twin = hashCons_.find(store_, label, children, hash);
    if (!twin.valid()) {
        hashCons_.insert(n, hash);
        return;
    }
    const ENodeId survivor = std::min(n, twin);
    if (survivor == n)
        hashCons_.replace(twin, n, hash);
    subsume(std::max(n, twin));
    merge(EClassId{n.value()}, EClassId{twin.value()},
          Origin{kCongruence, lastIteration_, survivor});
}

void EGraph::subsume(ENodeId n) {
    store_.markDead(n);
    --liveCount_;
    ++deadUsers_;
    --byOp_[op(n).index()].live;
    untidy_.push_back(EClassId{n.value()});
}

void EGraph::flattenPaths() {
    // A pass over all class ids pays when enough of them changed; else paths stay short enough.
    constexpr std::size_t kFlattenShare = 64;
    if (unionsSinceFlat_ * kFlattenShare <= store_.size())
        return;
    store_.flatten();
    unionsSinceFlat_ = 0;
}

void EGraph::compactOperatorIndex() {
    for (OpIndex& index : byOp_)
        if (index.nodes.size() > 2 * index.live)
            std::erase_if(index.nodes, [this](ENodeId n) { return !live(n); });
}

Mark EGraph::mark() {
    ENGINE_ASSERT(clean(), "a search needs a rebuilt e-graph");
    tidyMembers(store_, untidy_);
    // Searches around a change walk use lists; subsumed e-nodes would come to dominate them.
    constexpr std::size_t kDeadShare = 4;
    if (deadUsers_ * kDeadShare > liveCount_) {
        store_.relinkUses();
        deadUsers_ = 0;
    }
    return changes_.begin(store_.size());
}

// ---- facts --------------------------------------------------------------------------------------

FactId EGraph::makeFact(OpId op, ParamSpan params, ChildSpan children) {
    factScratch_.clear();
    for (EClassId child : children)
        factScratch_.push_back(facts_[store_.findAndHalve(child).index()]);
    return analysis_->make(*this, op, params, factScratch_);
}

void EGraph::mergeFacts(EClassId kept, EClassId absorbed) {
    const FactId older = facts_[kept.index()];
    const FactId newer = facts_[absorbed.index()];
    if (older == newer)
        return;
    facts_.edit(kept.index()) = joinFacts(kept, older, newer);
    propagateFact(kept);
}

void EGraph::propagateFact(EClassId id) {
    store_.forEachMember(id, [this](ENodeId n) { touch(n); });
    for (UseId use = store_.firstUse(id); use.valid(); use = store_.nextUse(use)) {
        touch(store_.user(use));
        pendingFacts_.push_back(store_.user(use));
    }
}

void EGraph::repairFact(ENodeId n) {
    const FactId made = makeFact(op(n), params(n), children(n));
    const EClassId id = store_.findAndHalve(EClassId{n.value()});
    const FactId before = facts_[id.index()];
    const FactId joined = joinFacts(id, before, made);
    if (joined == before)
        return;
    facts_.edit(id.index()) = joined;
    propagateFact(id);
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
    for (std::size_t i = 0; i < store_.size(); ++i)
        if (store_.parent(EClassId{i}) == EClassId{i})
            ids.push_back(EClassId{i});
    return ids;
}

std::vector<ENodeId> EGraph::nodesWithOp(OpId op) const {
    std::vector<ENodeId> nodes;
    nodes.reserve(countWithOp(op));
    forEachWithOp(op, [&](ENodeId n) {
        nodes.push_back(n);
        return true;
    });
    return nodes;
}

Origin EGraph::origin(ENodeId n) const {
    return provenance_ == Provenance::On ? origins_[n.index()] : Origin{};
}

FactId EGraph::fact(EClassId id) const {
    return analysis_ ? facts_[find(id).index()] : FactId{};
}

std::shared_ptr<const FrozenEGraph> EGraph::view() const {
    ENGINE_ASSERT(clean(), "a view is taken of a rebuilt e-graph");
    std::shared_ptr<FrozenEGraph> v(new FrozenEGraph);
    v->language_ = language_;
    v->identity_ = identity_;
    v->store_ = store_.share();
    v->facts_ = facts_.share();
    v->origins_ = origins_.share();
    v->unions_ = unions_.share();
    v->keepsProvenance_ = keepsProvenance();
    v->enodeCount_ = liveCount_;
    v->eclassCount_ = classCount_;
    v->unionCount_ = unionCount_;
    v->conflictCount_ = conflicts_.size();
    return v;
}

std::size_t EGraph::bytes() const {
    std::size_t sum = store_.bytes() + hashCons_.bytes() + facts_.bytes() + origins_.bytes() +
                      unions_.bytes() + changes_.bytes() +
                      (pendingNodes_.capacity() + pendingFacts_.capacity()) * sizeof(ENodeId) +
                      untidy_.capacity() * sizeof(EClassId);
    for (const OpIndex& index : byOp_)
        sum += sizeof(OpIndex) + index.nodes.capacity() * sizeof(ENodeId);
    return sum;
}

} // namespace marquetry::egraph
