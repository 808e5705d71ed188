// The figures of a comparison: a number for each design, whatever its parts are. Thread rule: pure.
#pragma once

#include "engine/design/compare.h"

namespace marquetry::design {

/// Those that neither design says are left out. Figures of runs are beside those of frames.
std::vector<ComparedFigure> comparedFigures(const ComparedDesign& a, const ComparedDesign& b);

/// What the blocks of a design's block RAM are called: "RAMB36"; "block RAM" where it is not known.
std::string ramKindOf(const Ledger& ledger);

} // namespace marquetry::design
