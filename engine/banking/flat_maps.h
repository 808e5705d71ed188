// What the code of bank schemes asks of their maps. Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

#include <span>

namespace marquetry::banking {

/// N · B.
inline std::int64_t modulus(const ir::FlatMap& map) {
    return map.banks * map.block;
}

/// The number of the bank that x is in.
inline std::int64_t bankOf(std::span<const ir::FlatMap> maps, const Address& x) {
    std::int64_t bank = 0;
    for (const ir::FlatMap& map : maps)
        bank = bank * map.banks + map.bankOf(map.sum(x));
    return bank;
}

/// Whether the maps are those of an XOR-linear scheme.
inline bool isParity(std::span<const ir::FlatMap> maps) {
    return !maps.empty() && maps[0].form == ir::MapForm::Parity;
}

/// The bits of x that are not in the mask, moved together.
inline std::int64_t withoutBits(std::int64_t x, std::int64_t mask) {
    std::int64_t rest = 0;
    int place = 0;
    for (int bit = 0; x >> bit != 0; ++bit) {
        if ((mask >> bit & 1) == 0)
            rest |= (x >> bit & 1) << place++;
    }
    return rest;
}

/// One map per dimension that looks at no other: each has its own period.
inline bool looksAtOwnDimensions(const std::vector<ir::FlatMap>& maps, std::size_t rank) {
    if (maps.size() != rank)
        return false;
    for (std::size_t m = 0; m < rank; ++m) {
        for (std::size_t d = 0; d < rank; ++d) {
            if (d != m && maps[m].alpha[d] != 0)
                return false;
        }
    }
    return true;
}

} // namespace marquetry::banking
