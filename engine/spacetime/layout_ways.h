// The ways to write a given layout of a sequence as one layer around a layout of its elements:
// those of LayoutTable::layered that are this layout, found from it. Where no layout is changed
// these are all that a search needs, however many layouts there are.
//
// Complexity: linear in the divisors of the time, times the depth. Thread rule: pure but for the
// table.
#pragma once

#include "engine/spacetime/layout_table.h"

namespace marquetry::spacetime {

/// Of `type`, a sequence. By the time of the elements, ascending.
std::vector<LayeredLayout> waysToWrite(LayoutTable& layouts, const ir::StreamType& type,
                                       LayoutId whole);

} // namespace marquetry::spacetime
