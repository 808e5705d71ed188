// The part of the control shell that begins, counts and ends frames.
//
// Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

struct FrameControlParams {
    std::string name;
    int sources = 1;
    int sinks = 1;
    bool starts = true;  ///< the core has start and done
    bool memory = false; ///< it reads external memory
};

/// aclk, aresetn; start, abort: asked for in this clock; auto_restart; core_error; memory_error: of
/// a core that reads memory, no later than its core_error; expired: the watchdog's; a bit of each
/// source: wrong, begins, open, empty; clean: a bit of each sink; of a core that starts core_done,
/// of another ended: its frame's last beat goes, and without sources filled: it comes.
/// Out: pending: start is still to come; aborting; idle, running, ending: one of them; forget: the
/// last clock of ending; watches: a frame is under way or being ended; may_begin: a bit of each
/// source; core_start; lets: the core may run and write; clears: a first frame begins; frame_done,
/// frame_failed: in this clock; code, frames, cycles.
rtl::ModulePtr frameControl(const FrameControlParams& params);

} // namespace marquetry::hdl
