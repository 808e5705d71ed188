// A slot, or the weights of a unit, as runs of lanes are written to it. Thread rule: pure.
#pragma once

#include "engine/design/move_hardware.h"

namespace marquetry::hdl {

struct RunTarget {
    design::MoveSide side;
    int elementBits = 8;
    std::int64_t lanes = 8;     ///< of a word
    std::int64_t banks = 1;     ///< of the slot; of weights, rows
    std::int64_t bankLanes = 8; ///< of each of them

    bool weights() const { return !side.slot; }
    int runBits() const { return static_cast<int>(side.runLanes) * elementBits; }
};

} // namespace marquetry::hdl
