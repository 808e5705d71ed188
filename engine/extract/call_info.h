// What extraction must know of the calls of a program.
//
// Units: pixels, words of the schedule's lanes, elements, bits. Thread rule: pure.
#pragma once

#include "engine/cost/call_words.h"
#include "engine/design/build_schedule.h"
#include "engine/design/held_of.h"
#include "engine/rules/lowering.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::extract {

/// What extraction must know of a call besides its term.
struct CallInfo {
    std::size_t layer = 0;
    bool pass = false;
    std::int64_t rows = 1;
    /// vectorsOf its shape; before pooling, those visited; of all frames.
    std::int64_t pixels = 1;
    /// What a result is made of. Of a lane unit, and of a pass, the words of one lane.
    cost::WindowWords window;
    bool spans = false;     ///< a unit may take several stored words at once
    std::int64_t parts = 1; ///< calls one after another: of each batch
    /// Of each of them: an activation is copied to where the unit holds weights. With one row at a
    /// time.
    std::int64_t copyCycles = 0;
    std::optional<design::HeldMatrix> held = {}; ///< that activation
    bool ownPass = false;                        ///< a pass that no other call can use
    /// Of a pass that only copies, or that is a function of rows: all it takes, and its DSP blocks.
    std::int64_t fixedCycles = 0;
    double fixedDsp = 0;
    /// Besides its unit's: to multiply the sums of an average, to write weights that it adds.
    std::int64_t besidesCycles = 0;
    design::LaneFunction laneFunction = design::LaneFunction::None; ///< of its unit
    std::int64_t weightElements = 0;                                ///< of the program
    int operandBits = 8;
    int weightBits = 8;

    /// Clocks in which a unit that takes so many stored words at once reads a result's.
    std::int64_t reductionWords(std::int64_t span) const { return window.all(span); }
    bool isFixed() const { return fixedCycles > 0; }
    bool lanewise() const { return laneFunction != design::LaneFunction::None; }
};

/// Calls of the plan as cost and schedule see them, of runs of so many frames.
std::vector<CallInfo> callInfos(const rules::Lowered& lowered, std::int64_t frames);

} // namespace marquetry::extract
