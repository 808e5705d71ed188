// Which words of a datapath are stored for lines, and which are computed again from others.
//
// Cells that compute the same at different times are one cell (datapath.h), so every word that is
// used again a line later would be stored for a line: what it is made of may be stored as well, or
// have fewer bits. Here each cell is either stored, so that all its users take one word at
// different ages, or there is one copy of it for each group of users that are near in time. The
// second moves its lines to its operands, which share them with others. Which cells are stored is
// what weighs least by a count of LUTs: operators, registers and block RAMs, lines of one length
// side by side. It is found by a local search from both ends, everything stored and nothing.
//
// Cells of loops, of FIFOs and of phases are there once. The result is never heavier than
// what rematerialise.h makes of the datapath. Widths are those of
// word_widths.h. Complexity: a count of all uses for each cell that is tried, at most
// kCountedCells in all. Deterministic. Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"

#include <stop_token>

namespace marquetry::datapath {

/// Cells that are looked at by all counts together, at most.
inline constexpr std::int64_t kCountedCells = 4'000'000;

/// When `stop` fires, the lightest of those known by then.
void placeStores(Datapath& datapath, const std::stop_token& stop = {});

} // namespace marquetry::datapath
