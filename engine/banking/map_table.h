// The search for vectors of flat maps with blocks above one.
//
// A table keeps for each map the set of collisions whose addresses it leaves together in one bank.
// A vector of maps is free of conflicts exactly if no collision is in the sets of all its maps, so
// the search needs set operations only. Internal to the module. Thread rule: one owner.
#pragma once

#include "engine/banking/access.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace marquetry::banking {

/// Every collision at every first address, one by one.
struct Incidents {
    std::vector<std::vector<Address>> addresses; ///< ports + 1 each
    bool complete = true;                        ///< false: too many, the table is unusable
};
Incidents incidentsOf(const AccessPattern& pattern, std::size_t most);

class MapTable {
public:
    /// Called before each map is judged with its cost in conflict tests; false: stop.
    using Spend = std::function<bool(std::int64_t)>;

    MapTable(const AccessPattern& pattern, Incidents incidents, Spend spend,
             std::size_t memoryBytes)
        : pattern_(pattern),
          incidents_(std::move(incidents)),
          spend_(std::move(spend)),
          memoryBytes_(memoryBytes) {}

    /// A conflict-free hierarchical scheme with `banks` banks and any blocks.
    std::optional<std::vector<ir::FlatMap>> hierarchical(std::int64_t banks);
    /// A conflict-free vector of 2 to n flat maps with blocks up to 8.
    std::optional<std::vector<ir::FlatMap>> vector(std::int64_t banks);

    /// Whether everything asked for was searched to the end.
    bool complete() const { return complete_; }
    bool outOfMemory() const { return outOfMemory_; }

private:
    using Bits = std::vector<std::uint64_t>;
    struct Entry {
        Bits together; ///< the incidents that stay in one bank
        ir::FlatMap map;
    };
    using Entries = std::vector<Entry>;

    Bits togetherUnder(const ir::FlatMap& map) const;
    void addMaps(Entries& entries, const std::vector<std::size_t>& dims, std::int64_t banks,
                 std::int64_t maxBlock);
    void keepLeast(Entries& entries) const;
    const Entries& flatMaps(std::int64_t banks);
    const Entries& mapsOfDim(std::size_t dim, std::int64_t banks);
    bool extendHierarchical(std::size_t dim, std::int64_t rest, const Bits& together,
                            std::vector<ir::FlatMap>& chosen);
    bool extendVector(std::int64_t rest, std::int64_t least, const Bits& together,
                      std::vector<ir::FlatMap>& chosen);

    const AccessPattern& pattern_;
    Incidents incidents_;
    Spend spend_;
    std::size_t memoryBytes_;
    std::size_t used_ = 0;
    bool complete_ = true;
    bool outOfMemory_ = false;
    std::map<std::int64_t, Entries> flat_;
    std::map<std::pair<std::size_t, std::int64_t>, Entries> byDim_;
};

} // namespace marquetry::banking
