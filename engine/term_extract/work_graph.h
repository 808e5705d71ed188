// The selection problem while reduce() makes it smaller: nodes are dropped and merged.
//
// A working node stands for one original node or, where classes were inlined, for several. Every
// change keeps the count of nodes that use a class; lists of using classes may hold stale entries.
// Classes keep their original numbers; pack() renumbers the live ones. Thread rule: one owner.
#pragma once

#include "engine/term_extract/selection.h"

namespace marquetry::term_extract {

struct WorkNode {
    double cost = 0;
    std::vector<ClassIndex> children; ///< increasing, distinct
    std::uint32_t origin = 0;
};

/// Of a working node: an original node, or two working nodes in one.
struct WorkOrigin {
    NodeIndex node = kNone;
    std::uint32_t first = kNone;
    std::uint32_t second = kNone;
};

class WorkGraph {
public:
    explicit WorkGraph(const SelectionProblem& problem);

    std::span<const ClassIndex> alive() const {
        return alive_;
    } ///< increasing; as of the last drop
    std::vector<WorkNode>& nodes(ClassIndex c) { return nodes_[c]; }
    const std::vector<WorkNode>& nodes(ClassIndex c) const { return nodes_[c]; }
    bool isRoot(ClassIndex c) const { return isRoot_[c] != 0; }
    void makeRoot(ClassIndex c) { isRoot_[c] = 1; }

    /// Recomputes alive() from the roots, and what inlining needs to know.
    void dropUnreachable();
    /// Inlines classes with one free node, and classes that one node alone uses, until none is
    /// left; roots with one node are paid into paid(). False when there was none.
    bool inlineClasses();
    /// Classes from which a negative node can be reached; by original class.
    std::vector<std::uint8_t> reachNegative() const;
    /// The live classes in the order of alive().
    SelectionProblem pack() const;

    double paid() const { return paid_; }
    std::vector<WorkOrigin> takeOrigins() { return std::move(origins_); }
    /// Origins of free nodes: part of every term that uses their classes.
    std::vector<std::uint32_t> takeAlways() { return std::move(always_); }

private:
    std::uint32_t addOrigin(const WorkOrigin& origin);
    void countUsers();
    void visit(ClassIndex c);
    bool isFree(ClassIndex c) const { return nodes_[c].size() == 1 && nodes_[c][0].cost == 0; }
    void inlineClass(ClassIndex c);
    void replaceIn(ClassIndex user, ClassIndex c);
    void addUses(ClassIndex user, const WorkNode& node);
    void removeUses(const WorkNode& node);

    std::vector<std::vector<WorkNode>> nodes_; ///< by original class
    std::vector<std::uint8_t> isRoot_;
    std::vector<ClassIndex> alive_;
    std::vector<std::uint32_t> useCount_;        ///< nodes that have the class as a child
    std::vector<std::vector<ClassIndex>> users_; ///< their classes, and former ones
    std::vector<ClassIndex> work_;
    std::vector<std::uint8_t> queued_;
    std::size_t childEntries_ = 0;
    std::size_t mostEntries_ = 0; ///< inlining of shared classes stops here
    double paid_ = 0;
    std::vector<WorkOrigin> origins_;
    std::vector<std::uint32_t> always_;
};

bool containsClass(const std::vector<ClassIndex>& sorted, ClassIndex c);

} // namespace marquetry::term_extract
