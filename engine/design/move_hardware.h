// The two sides of a move as hardware walks over them, and what that takes.
//
// Addresses count runs from a slot's first word on: the low bits are a run's place in its word, the
// others the word. Units: lanes, runs, bits. Complexity: linear in the loops. Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/device/resources.h"

#include <vector>

namespace marquetry::design {

struct MoveSide {
    std::optional<SlotId> slot; ///< none: the weights of a unit
    Walk walk;                  ///< in runs
    int wordBits = 1;           ///< of the address of a word
    int placeBits = 0;          ///< of the place of a run
    int rowBits = 0;            ///< of weights: which row's memory, above the word
    std::int64_t runLanes = 1;  ///< of a run, those that the slot has
    std::int64_t runs = 1;      ///< that the slot has in a word

    int addressBits() const { return wordBits + placeBits + rowBits; }
    int counterBits() const; ///< of its loops
};

/// Of a walk from the tensor's first lane on, in runs of so many lanes.
MoveSide slotSide(const Schedule& schedule, TensorId tensor, const Walk& walk, std::int64_t run);
MoveSide sourceSide(const Schedule& schedule, const MoveStep& step);
MoveSide targetSide(const Schedule& schedule, const MoveStep& step);

/// Where a step of a mover begins, in runs, and how often its outermost loop repeats.
struct MovePart {
    std::size_t step = 0; ///< index in the schedule
    std::int64_t from = 0, to = 0;
    std::int64_t rows = 1;
    bool operator==(const MovePart&) const = default;
};

/// What runs moves that are alike but for where they begin and how many rows they copy: those of a
/// layer between two slots, of its bands or of groups of frames.
struct Mover {
    MoveSide from, to; ///< with the outermost loop of the part with most rows
    std::vector<MovePart> parts;

    bool beginsApart() const; ///< parts begin in different places
    bool countsRows() const;  ///< parts have different numbers of rows
};

/// The steps of each mover, in the order of its first one. O(steps · log movers).
std::vector<std::vector<std::size_t>> movesOfMovers(const Schedule& schedule);
Mover moverOf(const Schedule& schedule, const std::vector<std::size_t>& steps);

/// LUT and FF, estimates.
device::Resources moverResources(const Schedule& schedule, const Mover& mover);

} // namespace marquetry::design
