// The e-graph: e-classes of congruent e-nodes, with deferred rebuilding (egg, POPL'21 §3).
//
// Adding and merging are cheap and leave the e-graph *dirty*; rebuild() restores full congruence
// (equal operator, parameters and child classes ⇒ one e-node) and propagates analysis facts.
// Every e-node keeps its Origin; every effective union is logged with one.
//
// The canonical id of a merged class is the smaller (older) one. Lists are in insertion order;
// eclasses() increases. Spans are valid until the next add, merge or rebuild. On a dirty e-graph
// lists may hold congruent duplicates and stale child ids: search and read a clean one. A subsumed
// e-node keeps the children it was subsumed with.
//
// Errors: a wrong arity, sort or id is our own mistake (ENGINE_ASSERT). Contradicting facts are
// Diagnostics in conflicts() ("analysis-conflict", once per pair of facts), never an abort.
// Complexity: add, lookup, find O(arity) expected; merge O(size of the smaller lists); rebuild
// O(dirty parents · log) plus one pass over the class ids. No recursion anywhere.
// Thread rule: one owner thread. Other threads read a view().
#pragma once

#include "engine/egraph/analysis.h"
#include "engine/egraph/egraph_view.h"
#include "engine/egraph/enode_store.h"
#include "engine/egraph/provenance.h"
#include "engine/egraph/union_find.h"
#include "engine/support/diagnostic.h"

#include <initializer_list>
#include <memory>
#include <set>
#include <tuple>

namespace marquetry::egraph {

class EGraph {
public:
    /// `analysis` may be null (no facts); it must outlive the e-graph.
    explicit EGraph(std::shared_ptr<const Language> language, Analysis* analysis = nullptr);
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
    std::optional<EClassId> lookup(OpId op, ParamSpan params, ChildSpan children) const;
    std::optional<ENodeId> lookupNode(OpId op, ParamSpan params, ChildSpan children) const;
    /// True when the classes were different.
    bool merge(EClassId a, EClassId b, const Origin& origin = {});
    void rebuild();
    bool clean() const;

    EClassId find(EClassId id) const { return unionFind_.find(id); }
    SortId sort(EClassId id) const;
    std::vector<EClassId> eclasses() const;
    std::span<const ENodeId> enodes(EClassId id) const;
    std::span<const ENodeId> parents(EClassId id) const;
    std::span<const ENodeId> nodesWithOp(OpId op) const;

    OpId op(ENodeId n) const { return store_.op(n); }
    ParamSpan params(ENodeId n) const { return store_.params(n); }
    ChildSpan children(ENodeId n) const { return store_.children(n); }
    EClassId eclassOf(ENodeId n) const { return find(EClassId{n.value()}); }
    const Origin& origin(ENodeId n) const { return origins_[n.index()]; }
    bool live(ENodeId n) const { return subsumed_[n.index()] == 0; }
    /// Invalid without an analysis.
    FactId fact(EClassId id) const;

    std::size_t enodeCount() const { return liveCount_; }     ///< live e-nodes
    std::size_t eclassCount() const { return classCount_; }   ///< canonical e-classes
    std::size_t totalEnodes() const { return store_.size(); } ///< with subsumed ones
    std::size_t unionCount() const { return unions_.size(); }
    std::size_t pendingWork() const { return pendingParents_.size() + pendingFacts_.size(); }
    std::size_t bytes() const; ///< estimate, O(1)

    const std::vector<UnionEntry>& unionLog() const { return unions_; }
    const Diagnostics& conflicts() const { return conflicts_; }
    bool hasConflict(EClassId id) const;

    /// A self-contained copy for readers on other threads; the e-graph must be clean. O(size).
    std::shared_ptr<const EGraphView> view() const;

private:
    friend std::vector<std::string> checkInvariants(const EGraph&);

    void assertWellFormed(OpId op, ParamSpan params, ChildSpan children) const;
    FactId makeFact(OpId op, ParamSpan params, ChildSpan children);
    EClassId insertNew(OpId op, ParamSpan params, const Origin& origin);
    void mergeFacts(EClassId kept, EClassId absorbed);
    FactId joinFacts(EClassId id, FactId older, FactId newer);
    void repair(ENodeId n);
    void repairFact(ENodeId n);
    void subsume(ENodeId n);
    void tidyLists();

    std::shared_ptr<const Language> language_;
    Analysis* analysis_ = nullptr;

    ENodeStore store_;
    HashCons hashCons_;
    std::vector<Origin> origins_;
    std::vector<std::uint8_t> subsumed_;
    std::vector<std::vector<ENodeId>> byOp_;

    UnionFind unionFind_; ///< class k was made for e-node k
    std::vector<std::vector<ENodeId>> classNodes_;
    std::vector<std::vector<ENodeId>> classParents_;
    std::vector<FactId> facts_; ///< empty without an analysis

    std::vector<ENodeId> pendingParents_; ///< a child of theirs was absorbed
    std::vector<ENodeId> pendingFacts_;   ///< a child's fact changed
    std::vector<EClassId> untidy_;        ///< lists to sort and prune at rebuild
    std::vector<std::uint8_t> untidyOp_;
    std::vector<EClassId> childScratch_;
    std::vector<Param> paramScratch_;
    std::vector<FactId> factScratch_;

    std::vector<UnionEntry> unions_;
    Diagnostics conflicts_;
    std::set<std::tuple<FactId, FactId>> reported_;
    std::set<EClassId> conflictClasses_;
    std::size_t liveCount_ = 0;
    std::size_t classCount_ = 0;
    std::size_t parentEntries_ = 0;
    std::int32_t lastIteration_ = 0; ///< of the last rule origin seen; stamps congruence unions
};

} // namespace marquetry::egraph
