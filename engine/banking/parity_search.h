// The search for XOR-linear schemes (background/banking.md, "XOR-linear maps").
//
// A matrix M over GF(2) keeps two addresses apart exactly if M · v is not 0 for the XOR v of the
// two. With two ports, of three addresses one XOR must not become 0. So only the set of these XORs
// matters, which is collected once. The columns of M are then chosen one bit of the address after
// the other, low bits first. A column decides all XORs whose highest bit is its own; each forbids
// one value. Matrices that differ by an invertible factor number the same banks in another way, so
// a column is a sum of columns before it or the next unit vector. All matrices are tried in this
// way. Complexity: exponential in the bits of an address; limited by the caller.
// Internal to the module. Thread rule: one owner.
#pragma once

#include "engine/banking/pattern.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace marquetry::banking {

class ParitySearch {
public:
    /// Called with a cost in conflict tests; false: stop.
    using Spend = std::function<bool(std::int64_t)>;

    ParitySearch(const AccessPattern& pattern, Spend spend);

    /// At most `want` conflict-free maps of 2^bits banks, those with few ones first.
    std::vector<std::vector<ir::FlatMap>> find(int bits, int want);

    /// Whether everything asked for was searched to the end.
    bool complete() const { return complete_; }

private:
    /// XORs of the first address with the others, the highest bit of all of them last.
    using Difference = std::vector<std::uint64_t>;
    struct IndexBit {
        std::size_t dim = 0;
        int place = 0;
    };

    void collect();
    bool collectFrom(const Collision& collision, const Starts& starts);
    void findBits();
    std::uint64_t packed(const Address& x) const;
    void extend(int found, int want);
    std::vector<bool> forbidden() const;
    std::vector<std::uint64_t> choices(int found) const;
    std::vector<ir::FlatMap> mapsOf() const;

    const AccessPattern& pattern_;
    Spend spend_;
    std::vector<IndexBit> bits_;                        ///< of an address, low ones first
    std::vector<std::vector<Difference>> byHighestBit_; ///< each once
    bool collected_ = false;
    bool usable_ = true; ///< all differences were collected
    bool complete_ = true;
    bool halted_ = false; ///< the search at hand

    int banksBits_ = 0;
    std::vector<std::uint64_t> columns_; ///< chosen so far
    std::vector<std::vector<ir::FlatMap>> result_;
};

} // namespace marquetry::banking
