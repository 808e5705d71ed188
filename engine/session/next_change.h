// Changes of the settings that may be worth a try, each with the figure that it gives.
//
// A figure is what an exploration of its own finds under the changed settings, with the same
// program, pins and stops: nothing of it is estimated. Units: cycles of a run of `frames` frames,
// MHz, resources as in device/resources.h. Thread rule: value types.
#pragma once

#include "engine/session/snapshot.h"

namespace marquetry::session {

struct ChangeFigures {
    std::int64_t cycles = 0;
    std::int64_t frames = 1;
    device::Resources resources;
    double clockMhz = 0;
    design::CostModel cost = design::CostModel::Cycles;
    bool outOfTime = false; ///< a time limit ended the search: another run may find another

    double cyclesPerFrame() const {
        return static_cast<double>(cycles) / static_cast<double>(frames);
    }
    bool operator==(const ChangeFigures&) const = default;
};

struct ChangeToTry {
    std::string text; ///< "Up to 200 DSP blocks"
    Settings settings;
    bool operator==(const ChangeToTry&) const = default;
};

struct NextChange {
    ChangeToTry change;
    std::optional<ChangeFigures> then; ///< nothing: there is no design
    Diagnostics problem;               ///< why there is none
};

/// The changes of a design that was searched, as far as they have been tried.
struct NextChanges {
    Settings settings;             ///< that the design was searched with
    ChangeFigures now;             ///< its own
    std::vector<NextChange> tried; ///< the most gain first
    std::size_t toTry = 0;         ///< with those tried
    bool stopped = false;          ///< by somebody: the rest is not tried

    bool complete() const { return stopped || tried.size() == toTry; }
};

/// The best design without one rewrite rule, of a design that was searched.
struct WithoutRule {
    std::string rule;
    bool running = true;
    ChangeFigures now;                 ///< of the design that the search has found
    std::optional<ChangeFigures> then; ///< nothing while running, or when there is no design
    Diagnostics problem;               ///< why there is none
};

/// Frames a second then ÷ now, by the clocks of the devices. Nothing without a design, and between
/// cost models, whose cycles are not the same.
std::optional<double> gainOf(const ChangeFigures& now, const std::optional<ChangeFigures>& then);

} // namespace marquetry::session
