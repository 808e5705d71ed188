// What the hardware of a move is made of, before any text.
//
// Thread rule: pure.
#pragma once

#include "engine/lower_design/run_target.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

struct MovePlan {
    std::string layer;
    std::string name;           ///< identifier, no other move's in any case of letters
    std::string module;         ///< asked for
    std::string source, target; ///< names of tensors
    design::MoveSide from;
    RunTarget to;
    std::size_t unit = 0;         ///< whose weights are written, if no slot is
    std::int64_t run = 1;         ///< lanes that are copied at once
    std::int64_t sourceLanes = 8; ///< of a word that is read
    std::int64_t cycles = 0;      ///< of all parts
    /// Steps in which it copies.
    std::vector<design::MovePart> parts;
    bool beginsApart = false;                   ///< not all of them begin in the same place
    bool countsRows = false;                    ///< not all of them copy as many rows
    design::Queue queue = design::Queue::Calls; ///< in which they run

    std::vector<std::size_t> steps() const;
};

/// Of the steps of a mover.
MovePlan planMove(const design::Schedule& schedule, const std::vector<std::size_t>& steps);

} // namespace marquetry::hdl
