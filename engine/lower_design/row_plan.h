// What the hardware of a function of rows is made of, before any text.
//
// Thread rule: pure.
#pragma once

#include "engine/design/row_step.h"
#include "engine/lower_design/run_target.h"

#include <string>

namespace marquetry::hdl {

/// The second tensor of a function of elements.
struct RowOther {
    design::MoveSide from;
    std::int64_t lanes = 8; ///< of a word that is read
    int bits = 8;           ///< of an element there
    int operandBits = 8;
    bool isSigned = true;
    int entryBits = 0; ///< of a table: of the number of an entry
};

struct RowPlan {
    std::vector<design::RowPart> parts; ///< one for each of its steps
    design::Queue queue = design::Queue::Calls;
    std::string layer;
    std::string name;   ///< identifier, no other's in any case of letters
    std::string module; ///< asked for
    cost::RowShape shape;
    std::vector<std::int64_t> waits; ///< behind each pass
    std::int64_t gap = 0;            ///< behind all passes of a row that is not the last one
    design::MoveSide from;           ///< its walk is of one pass
    std::int64_t rowRuns = 1;        ///< from a row to the next, in runs
    std::int64_t sourceLanes = 8;    ///< of a word that is read
    int sourceBits = 8;              ///< of an element there
    bool operandSigned = true;
    std::optional<RowOther> other; ///< of elements: a tensor that is read along
    std::size_t unit = 0;          ///< whose packed weights hold the constants
    std::size_t constantsFrom = 0; ///< among them
    bool constantsSigned = true;
    RunTarget to;
    bool resultSigned = false;
    std::int64_t cycles = 0;

    /// Runs of a pass.
    std::int64_t runs() const { return shape.runs(); }
    /// Elements of the last of them.
    std::int64_t rest() const { return shape.columns - (runs() - 1) * shape.run; }
    std::vector<std::size_t> steps() const;
    /// Not all of its steps begin in the same place.
    bool beginsApart() const;
};

/// Of the steps of a unit of rows.
RowPlan planRows(const design::Schedule& schedule, const std::vector<std::size_t>& steps);

} // namespace marquetry::hdl
