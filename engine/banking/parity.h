// XOR-linear schemes: what follows from their masks (background/banking.md, "XOR-linear maps").
//
// The number of a bank is M · x over GF(2), where x are the bits of all indices and the rows of M
// are the masks. Let S be bits whose columns of M are independent and span all columns. Then x is
// known from M · x and from its bits outside S, so that those bits side by side are an offset: no
// two addresses have the same bank and the same offset. Among the sets S that the orders of the
// dimensions give, the one with the fewest words is taken, low bits first.
//
// Units: words; axis order as declared. Complexity: dims! · bits². Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

#include <optional>
#include <utility>

namespace marquetry::banking {

/// derive() for parity maps.
Scheme deriveParity(std::vector<ir::FlatMap> maps, const ir::Shape& dims);

/// Two addresses with one bank and one offset, if there are: the columns of the bits left out
/// depend on each other.
std::optional<std::pair<Address, Address>> verifyParity(const Scheme& scheme);

/// Bits of the indices of a dimension: those of its largest one.
int indexBits(std::int64_t extent);

} // namespace marquetry::banking
