// E-nodes and the language they are written in (background/egraph.md, "E-nodes").
//
// An e-node is an operator, integer parameters and child e-classes. A Language is a table of
// operators; each has a result sort, the sorts of its children and a number of parameters. The
// engine gives operators and sorts no other meaning. Children and parameters may be "variadic":
// the last child sort repeats zero or more times, `params` becomes a minimum.
//
// ENodeId: dense, insertion order, never reused. An e-node that became congruent to an older one
// is *subsumed*: kept for provenance, left out of every list and count.
// Errors: a malformed operator is our own mistake (ENGINE_ASSERT).
// Complexity: all look-ups O(1), find by name O(log n).
// Thread rule: immutable once handed to an e-graph; then free to read from any thread.
#pragma once

#include "engine/support/strong_id.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::egraph {

using EClassId = StrongId<struct EClassTag>;
using ENodeId = StrongId<struct ENodeTag>;
using OpId = StrongId<struct OpTag>;
using SortId = StrongId<struct SortTag>;
using FactId = StrongId<struct FactTag>;
using Param = std::int64_t;

using ParamSpan = std::span<const Param>;
using ChildSpan = std::span<const EClassId>;

struct OpSpec {
    std::string name;
    SortId result;
    std::vector<SortId> children;
    std::size_t params = 0;
    bool variadicChildren = false; ///< the last sort of `children` repeats 0 … n times
    bool variadicParams = false;   ///< `params` is then the least number
};

class Language {
public:
    SortId addSort(std::string name);
    OpId addOp(OpSpec spec);

    std::size_t opCount() const { return ops_.size(); }
    std::size_t sortCount() const { return sorts_.size(); }
    const OpSpec& op(OpId id) const { return ops_[id.index()]; }
    const std::string& name(OpId id) const { return ops_[id.index()].name; }
    const std::string& sortName(SortId id) const { return sorts_[id.index()]; }
    SortId result(OpId id) const { return ops_[id.index()].result; }

    std::optional<OpId> findOp(std::string_view name) const;
    std::optional<SortId> findSort(std::string_view name) const;

    bool acceptsParamCount(OpId id, std::size_t count) const;
    bool acceptsChildCount(OpId id, std::size_t count) const;
    /// Sort of child `position`; the position must be one the operator accepts.
    SortId childSort(OpId id, std::size_t position) const;

private:
    std::vector<OpSpec> ops_;
    std::vector<std::string> sorts_;
    std::map<std::string, OpId, std::less<>> opByName_;
    std::map<std::string, SortId, std::less<>> sortByName_;
};

} // namespace marquetry::egraph
