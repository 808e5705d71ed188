// Provenance: which rule application made an e-node or a union, always kept.
//
// An Origin names the rule (its index in the list of rewrites), the iteration (from 1; 0 for the
// given term) and the e-node the rule's left-hand side matched at its root. The matched e-node is
// older than whatever the match created, so following origins ends at a given e-node.
// Complexity: a chain takes O(its length). Thread rule: pure functions on values.
#pragma once

#include "engine/egraph/enode.h"

#include <vector>

namespace marquetry::egraph {

class EGraph;
class EGraphView;

using RuleId = StrongId<struct RuleTag>;

inline constexpr RuleId kGiven{std::uint32_t{0xFFFFFFFEu}};      ///< part of the initial term
inline constexpr RuleId kCongruence{std::uint32_t{0xFFFFFFFDu}}; ///< equal operator and children

struct Origin {
    RuleId rule = kGiven;
    std::int32_t iteration = 0;
    ENodeId root; ///< matched root; for kCongruence the surviving e-node; invalid for kGiven

    bool operator==(const Origin&) const = default;
};

/// One effective union: `absorbed` now answers to `kept` (kept < absorbed; canonical just before).
struct UnionEntry {
    EClassId kept;
    EClassId absorbed;
    Origin origin;
};

struct OriginStep {
    ENodeId node;
    Origin origin; ///< how `node` came to be
};

/// From `node` back to a given e-node: step 0 is `node`, step k+1 the root matched at step k.
std::vector<OriginStep> originChain(const EGraph& egraph, ENodeId node);
std::vector<OriginStep> originChain(const EGraphView& view, ENodeId node);

} // namespace marquetry::egraph
