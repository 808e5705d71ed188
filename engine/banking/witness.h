// When a bank scheme fails, as data: find_witness.h looks for it. Thread rule: value type.
#pragma once

#include "engine/banking/pattern.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::banking {

/// A moment at which a scheme fails.
struct Witness {
    std::size_t group = 0;
    std::vector<std::size_t> lanes;      ///< ports + 1 of the group's
    std::vector<std::int64_t> iteration; ///< value of each generator of the nest
    std::vector<Address> addresses;
    std::int64_t bank = 0;
};

/// "a[i, j] and a[i, j + 2] both hit bank 1 at i = 0, j = 0".
std::string text(const Witness& witness, const AccessPattern& pattern);

/// Whether the witness speaks of the generator: a counter, or an unknown value that its lanes use.
bool concerns(const Witness& witness, const AccessPattern& pattern, std::size_t generator);

} // namespace marquetry::banking
