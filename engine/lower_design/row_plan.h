// What the hardware of a function of rows is made of, before any text.
//
// Thread rule: pure.
#pragma once

#include "engine/cost/row_timing.h"
#include "engine/lower_design/run_target.h"

#include <string>

namespace marquetry::hdl {

struct RowPlan {
    std::size_t step = 0; ///< index in the schedule
    std::string layer;
    std::string name;   ///< identifier, no other's in any case of letters
    std::string module; ///< asked for
    cost::RowShape shape;
    std::vector<std::int64_t> waits;
    design::MoveSide from;        ///< its walk is of one pass
    std::int64_t rowRuns = 1;     ///< from a row to the next, in runs
    std::int64_t sourceLanes = 8; ///< of a word that is read
    int sourceBits = 8;           ///< of an element there
    bool operandSigned = true;
    RunTarget to;
    bool resultSigned = false;
    std::int64_t cycles = 0;

    /// Runs of a pass.
    std::int64_t runs() const { return (shape.columns + shape.run - 1) / shape.run; }
    /// Elements of the last of them.
    std::int64_t rest() const { return shape.columns - (runs() - 1) * shape.run; }
};

RowPlan planRows(const design::Schedule& schedule, std::size_t step);

} // namespace marquetry::hdl
