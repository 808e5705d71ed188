// The e-graph: e-classes of congruent e-nodes, with deferred rebuilding (background/egraph.md,
// "Rebuilding").
//
// Adding and merging are cheap and leave the e-graph *dirty*; rebuild() restores full congruence
// (equal operator, parameters and child classes ⇒ one e-node) and propagates analysis facts.
// With provenance on, every e-node keeps its Origin and every effective union is logged with one.
//
// The canonical id of a merged class is the smaller (older) one. Lists are in insertion order;
// eclasses() increases. Child and parameter spans are valid until the next add, merge or rebuild.
// On a dirty e-graph lists may hold congruent duplicates and stale child ids: search and read a
// clean one. A subsumed e-node keeps the children it was subsumed with.
//
// Errors: a wrong arity, sort or id is our own mistake (ENGINE_ASSERT). Contradicting facts are
// Diagnostics in conflicts() ("analysis-conflict", once per pair of facts), never an abort.
// Complexity: add, lookup, find O(arity) expected; merge O(uses and members of the younger class);
// rebuild O(dirty users), now and then one pass over the class ids; subsumed e-nodes leave the
// lists when the next search begins. No recursion anywhere.
// Thread rule: one owner thread. Other threads read a view().
#pragma once

#include "engine/egraph/analysis.h"
#include "engine/egraph/change_log.h"
#include "engine/egraph/frozen_egraph.h"
#include "engine/egraph/hash_cons.h"
#include "engine/support/assert.h"
#include "engine/support/diagnostic.h"

#include <initializer_list>
#include <memory>
#include <set>
#include <tuple>

namespace marquetry::egraph {

/// Off: origins read as kGiven and the union log stays empty.
enum class Provenance : std::uint8_t { On, Off };

class EGraph {
public:
    /// `analysis` may be null (no facts); it must outlive the e-graph.
    explicit EGraph(std::shared_ptr<const Language> language, Analysis* analysis = nullptr,
                    Provenance provenance = Provenance::On);
    EGraph(EGraph&&) = default;
    EGraph& operator=(EGraph&&) = default;
    EGraph(const EGraph&) = delete;
    EGraph& operator=(const EGraph&) = delete;

    const Language& language() const { return *language_; }
    std::shared_ptr<const Language> languagePtr() const { return language_; }
    Analysis* analysis() const { return analysis_; }

    /// The class of the e-node, which is made with `origin` if it is new.
    EClassId add(OpId op, ParamSpan params, ChildSpan children, const Origin& origin = {});
    EClassId add(OpId op, std::initializer_list<Param> params,
                 std::initializer_list<EClassId> children, const Origin& origin = {}) {
        return add(op, ParamSpan(params.begin(), params.size()),
                   ChildSpan(children.begin(), children.size()), origin);
    }
    EClassId add(OpId op, std::initializer_list<Param> params, ChildSpan children,
                 const Origin& origin = {}) {
        return add(op, ParamSpan(params.begin(), params.size()), children, origin);
    }
    /// The same for an interned label and children that are canonical and fit it.
    EClassId addCanonical(LabelId label, ChildSpan children, const Origin& origin);
    std::optional<EClassId> lookup(OpId op, ParamSpan params, ChildSpan children) const;
    std::optional<ENodeId> lookupNode(OpId op, ParamSpan params, ChildSpan children) const;
    /// True when the classes were different. The ids are logged as given (see UnionEntry).
    bool merge(EClassId a, EClassId b, const Origin& origin = {});
    void rebuild();
    /// Congruence and facts alone: cheaper than rebuild(), and the e-graph stays dirty.
    void restoreCongruence();
    bool clean() const;

    EClassId find(EClassId id) const { return store_.find(id); }
    SortId sort(EClassId id) const;
    std::vector<EClassId> eclasses() const;
    std::vector<ENodeId> enodes(EClassId id) const { return store_.members(find(id)); }
    /// E-nodes that have the class as a child.
    std::vector<ENodeId> parents(EClassId id) const { return store_.users(find(id)); }
    std::vector<ENodeId> nodesWithOp(OpId op) const;
    std::size_t countWithOp(OpId op) const { return byOp_[op.index()].live; }

    OpId op(ENodeId n) const { return store_.op(n); }
    ParamSpan params(ENodeId n) const { return store_.params(n); }
    ChildSpan children(ENodeId n) const { return store_.children(n); }
    /// Children as inserted. Class k is named after e-node k, so following these ids (each smaller
    /// than `n`) spells the one concrete term that `n` was made for.
    ChildSpan originalChildren(ENodeId n) const { return store_.originalChildren(n); }
    EClassId eclassOf(ENodeId n) const { return find(EClassId{n.value()}); }
    Origin origin(ENodeId n) const;
    bool live(ENodeId n) const { return store_.live(n); }
    /// Invalid without an analysis.
    FactId fact(EClassId id) const;

    std::size_t enodeCount() const { return liveCount_; }     ///< live e-nodes
    std::size_t eclassCount() const { return classCount_; }   ///< canonical e-classes
    std::size_t totalEnodes() const { return store_.size(); } ///< with subsumed ones
    std::size_t unionCount() const { return unionCount_; }
    std::size_t pendingWork() const { return pendingNodes_.size() + pendingFacts_.size(); }
    std::size_t bytes() const; ///< of all that the e-graph holds, O(operators)

    bool keepsProvenance() const { return provenance_ == Provenance::On; }
    const UnionLog& unionLog() const { return unions_; }
    const Diagnostics& conflicts() const { return conflicts_; }
    bool hasConflict(EClassId id) const;

    /// A picture for readers on other threads; the e-graph must be clean. O(pages): what changes
    /// later is copied when it changes (paged_array.h).
    std::shared_ptr<const FrozenEGraph> view() const;

    // ---- for searches -------------------------------------------------------------------------

    const ENodeStore& store() const { return store_; }
    LabelId internLabel(OpId op, ParamSpan params, std::size_t arity) {
        return store_.labels().intern(op, params, arity);
    }
    ENodeId lookupCanonical(LabelId label, ChildSpan children) const {
        return hashCons_.find(store_, label, children, hashENode(label, children));
    }
    const HashCons& hashCons() const { return hashCons_; }

    /// A search begins on a clean e-graph: tidies the lists it will walk. From now on changes are
    /// newer than the mark given back.
    Mark mark();
    Mark reachable(Mark mark) const { return changes_.reachable(mark); }
    /// No mark older than this one will be asked about.
    void forgetChangesBefore(Mark mark) { changes_.forgetBefore(mark.epoch); }
    bool changedSince(ENodeId n, Mark mark) const {
        return n.value() >= mark.enodes || store_.stamp(n) >= mark.epoch;
    }
    /// All live e-nodes of an operator (while `visit` answers true), insertion order.
    template <class Visit>
    bool forEachWithOp(OpId op, Visit&& visit) const;
    /// The same as a list, insertion order; some may be subsumed.
    std::span<const ENodeId> listedWithOp(OpId op) const { return byOp_[op.index()].nodes; }
    /// Those younger than the mark.
    template <class Visit>
    bool forEachNewWithOp(OpId op, Mark mark, Visit&& visit) const;
    /// Those older than the mark that changed since: a child or the class was absorbed, or the fact
    /// of one of them changed.
    template <class Visit>
    bool forEachTouchedWithOp(OpId op, Mark mark, Visit&& visit) const;

private:
    friend std::vector<std::string> checkInvariants(const EGraph&);

    struct OpIndex {
        std::vector<ENodeId> nodes; ///< increasing; may hold subsumed ones
        std::size_t live = 0;
    };

    void assertWellFormed(OpId op, ParamSpan params, ChildSpan children) const;
    FactId makeFact(OpId op, ParamSpan params, ChildSpan children);
    EClassId insertNew(LabelId label, ChildSpan children, std::uint32_t hash, const Origin& origin);
    void touch(ENodeId n);
    void touchMembers(EClassId id);
    void mergeFacts(EClassId kept, EClassId absorbed);
    void propagateFact(EClassId id);
    FactId joinFacts(EClassId id, FactId older, FactId newer);
    void prepareRepairs(std::size_t at) const;
    void repair(ENodeId n);
    void repairFact(ENodeId n);
    void subsume(ENodeId n);
    void flattenPaths();
    void compactOperatorIndex();

    std::shared_ptr<const Language> language_;
    std::shared_ptr<const EGraphIdentity> identity_ = std::make_shared<EGraphIdentity>();
    Analysis* analysis_ = nullptr;
    Provenance provenance_;

    ENodeStore store_;
    HashCons hashCons_;
    std::vector<OpIndex> byOp_;
    PagedArray<FactId> facts_; ///< by class; empty without an analysis
    OriginLog origins_;
    UnionLog unions_;
    ChangeLog changes_;

    std::vector<ENodeId> pendingNodes_; ///< a child of theirs was absorbed
    std::vector<ENodeId> pendingFacts_; ///< a child's fact changed
    std::vector<EClassId> untidy_;      ///< classes with subsumed members
    std::vector<EClassId> childScratch_;
    std::vector<FactId> factScratch_;

    Diagnostics conflicts_;
    std::set<std::tuple<FactId, FactId>> reported_;
    std::set<EClassId> conflictClasses_;
    std::size_t liveCount_ = 0;
    std::size_t classCount_ = 0;
    std::size_t unionCount_ = 0;
    std::size_t unionsSinceFlat_ = 0;
    std::size_t deadUsers_ = 0;      ///< subsumed since the use lists were made anew
    std::int32_t lastIteration_ = 0; ///< of the last rule origin seen; stamps congruence unions
};

template <class Visit>
bool EGraph::forEachWithOp(OpId op, Visit&& visit) const {
    return forEachNewWithOp(op, Mark{}, visit);
}

template <class Visit>
bool EGraph::forEachNewWithOp(OpId op, Mark mark, Visit&& visit) const {
    const auto& nodes = byOp_[op.index()].nodes;
    for (auto at = std::ranges::lower_bound(nodes, ENodeId{mark.enodes}); at != nodes.end(); ++at)
        if (live(*at) && !visit(*at))
            return false;
    return true;
}

template <class Visit>
bool EGraph::forEachTouchedWithOp(OpId op, Mark mark, Visit&& visit) const {
    for (const auto& [n, epoch] : changes_.since(op, mark)) {
        const bool latest = store_.stamp(n) == epoch; // an e-node has one entry per epoch
        if (latest && n.value() < mark.enodes && live(n) && !visit(n))
            return false;
    }
    return true;
}

} // namespace marquetry::egraph
