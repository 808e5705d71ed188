// The state machines of the sequencers: what runs when. The nests, addresses and tables they drive
// are written by sequencer_rtl.cpp.
//
// Thread rule: pure but for the body written to.
#pragma once

#include "engine/hdl/netlist.h"
#include "engine/hdl/plan.h"

namespace marquetry::hdl {

/// Bits of the counters of drain cycles and of the cycles until a joined step starts.
struct ControlWidths {
    int drain = 1;
    int follow = 2;
};

/// Runs the steps one after another. `computes`: some step has a nest.
void leaderControl(Body& body, const RtlPlan& plan, const ControlWidths& widths, bool computes);

/// Runs one step each time it is told to.
void followerControl(Body& body, const ControlWidths& widths);

} // namespace marquetry::hdl
