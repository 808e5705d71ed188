// The AXI4-Stream edges of a stream's top as modules: an input that watches the length of frames,
// an output that buffers two beats. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// BITS ≥ 2 of a counter of beats. Takes the beats of frames and marks those that are too short and
/// too long. In: aclk, aresetn, last_beat (the number of a frame's last one, a constant), tvalid,
/// tlast, valid_slot (the step has one), in_frame (a step is taken in a frame), last_step. Out:
/// tready; cut: the frame ended early, the rest of it is zeros; here: the step need not wait for
/// this input; wrong: a frame of the wrong length.
rtl::ModulePtr inputEdge(const std::string& name);

/// WIDTH of a beat, BITS ≥ 2 of a counter of beats. Two beats and TLAST: who puts one does not wait
/// for tready in that clock. In: aclk, aresetn, last_beat, put, data, tready. Out: room, tdata,
/// tvalid, tlast.
rtl::ModulePtr outputEdge(const std::string& name);

} // namespace marquetry::hdl
