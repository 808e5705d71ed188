// What the code of bank schemes asks of their maps. Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

namespace marquetry::banking {

/// N · B.
inline std::int64_t modulus(const ir::FlatMap& map) {
    return map.banks * map.block;
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
