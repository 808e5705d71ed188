// What follows from the maps of a bank scheme, and whether it keeps all words apart
// (background/banking.md, "Bank maps", "Offsets"). Units: words; axis order as declared. Thread
// rule: pure.
#pragma once

#include "engine/banking/scheme.h"

#include <optional>
#include <utility>

namespace marquetry::banking {

/// Fills in everything that follows from the maps: the box with the fewest words. Complexity:
/// dims! boxes.
Scheme derive(std::vector<ir::FlatMap> maps, const ir::Shape& dims);

/// The same banks with `copies` copies, at least those it has; nobody reads the additional ones.
Scheme withCopies(Scheme scheme, std::int64_t copies);

/// Two addresses of one box with one bank and one offset, if there are: A3's condition, decided by
/// enumeration of the box, or by its chain of subgroups when it is larger than 2^16 addresses.
std::optional<std::pair<Address, Address>> verify(const Scheme& scheme);

} // namespace marquetry::banking
