// Pins on the banks of one array, as data: what a user fixes without writing a directive into the
// file (background/banking.md, "Directives"). Every field is free until it is set; the whole scheme
// or any part of it may be set. Thread rule: value type.
#pragma once

#include "engine/banking/scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::banking {

struct SchemePins {
    std::vector<ir::FlatMap> maps; ///< the whole scheme; empty: free
    std::optional<Kind> kind;
    std::int64_t banks = 0;  ///< N of one copy; 0: free
    std::int64_t block = 0;  ///< B of every map; 0: free
    Address alpha;           ///< of a flat map, one per dimension; empty: free
    std::int64_t copies = 0; ///< 0: free
    bool operator==(const SchemePins&) const = default;

    bool free() const { return *this == SchemePins(); }
};

bool meets(const Scheme& scheme, const SchemePins& pins);

/// "flat, N = 9, alpha = (3, 2)"; empty when everything is free.
std::string text(const SchemePins& pins);

} // namespace marquetry::banking
