// The two sides of a move as hardware walks over them, and what that takes.
//
// Addresses count runs from a slot's first word on: the low bits are a run's place in its word, the
// others the word. Units: lanes, runs, bits. Complexity: linear in the loops. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/resources.h"

namespace marquetry::design {

struct MoveSide {
    SlotId slot;
    Walk walk;                 ///< in runs
    int wordBits = 1;          ///< of the address of a word
    int placeBits = 0;         ///< of the place of a run
    std::int64_t runLanes = 1; ///< of a run, those that the slot has
    std::int64_t runs = 1;     ///< that the slot has in a word

    int addressBits() const { return wordBits + placeBits; }
    int counterBits() const; ///< of its loops
};

MoveSide sourceSide(const Schedule& schedule, const MoveStep& step);
MoveSide targetSide(const Schedule& schedule, const MoveStep& step);

/// LUT and FF, estimates.
device::Resources moveResources(const Schedule& schedule, const MoveStep& step);

} // namespace marquetry::design
