// The hardware that a chain of unit terms asks for, and all sets of hardware that the designs of a
// program have (M3 of background/engineir.md, "Counting designs").
//
// Thread rule: pure.
#pragma once

#include "engine/extract/count.h"

#include <set>

namespace marquetry::extract {

/// A leaf and how many of it work at once.
struct UnitUse {
    int eclass = 0;
    int node = 0;
    std::int64_t copies = 1;
    auto operator<=>(const UnitUse&) const = default;
};

/// By leaf: what a design consists of.
using UnitSet = std::vector<UnitUse>;

/// More instances than any device has; chains that ask for more are left out.
inline constexpr std::int64_t kMaxCopies = std::int64_t{1} << 40;

UnitUse unitUse(const UnitGraph& graph, const std::vector<ParentEdge>& chain);

/// Of all chains from a vertex, sorted.
std::vector<UnitUse> unitUses(const UnitGraph& graph, const ChainGraph& chains, int vertex,
                              std::stop_token stop);

/// One more call: its leaf is there at least as often as it needs it.
UnitSet withUse(UnitSet set, const UnitUse& use);

/// All sets of a program's designs; nullopt when there are more than `limit`, or when stopped.
std::optional<std::set<UnitSet>> unitSets(const std::vector<std::vector<UnitUse>>& usesByCall,
                                          std::size_t limit, std::stop_token stop);

} // namespace marquetry::extract
