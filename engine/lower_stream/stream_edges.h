// The AXI4-Stream edges of a stream's top as modules: an input that watches the length of frames,
// an output that buffers two beats. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// Takes the beats of frames and marks those that are too short and too long.
/// In: aclk, aresetn, tvalid, tlast, valid_slot (the step has one), in_frame (a step is taken in a
/// frame), last_step. Out: tready; cut: the frame ended early, the rest of it is zeros; here: the
/// step need not wait for this input; wrong: a frame of the wrong length.
rtl::ModulePtr inputEdge(const std::string& name, std::int64_t beats);

/// Two beats of `width` bits and TLAST: who puts one does not wait for tready in that clock.
/// In: aclk, aresetn, put, data, tready. Out: room, tdata, tvalid, tlast.
rtl::ModulePtr outputEdge(const std::string& name, std::int64_t beats, int width);

} // namespace marquetry::hdl
