// Two designs of one program as a comparison.
//
// Layers, loads and stores are those of the ledgers, so their cycles add up to those of the design.
// Where one design has no ledger, the layers of both are their calls. They are matched by name, and
// those that share a name in their order. Units are equal when their function and shape, rows in
// parallel, lanes, results that leave in a clock, and multipliers are. Buffers are matched as
// layers are (compare_buffers.h).
//
// Errors: compare-programs (they are not of one program; the notes say what differs).
// Complexity: linear in calls and buffers, quadratic in units. Thread rule: pure.
#pragma once

#include "engine/design/comparison.h"
#include "engine/design/design.h"
#include "engine/design/ledger.h"
#include "engine/support/result.h"

#include <optional>
#include <string>

namespace marquetry::design {

struct ComparedDesign {
    std::string name; ///< what the user calls it
    const Design& design;
    const Ledger& ledger; ///< of the design; it may have no rows
    /// Cycles of a run that no design within its rules, widths and limits goes below; none: not
    /// known.
    std::optional<double> bound = {};
};

Result<Comparison> compareDesigns(const ComparedDesign& a, const ComparedDesign& b);

/// "10 093 cycles, 32 DSP, 15.5 RAMB36 on xc7z020 at 150 MHz, within 32 of 220 DSP"
std::string designInWords(const Design& design, const Ledger& ledger);

} // namespace marquetry::design
