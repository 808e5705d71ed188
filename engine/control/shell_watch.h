// What the shell's watchdog sees.
//
// A move is a beat at a stream, from memory or to it, an answer to what was written, and a clock in
// which the core counts work and does not wait for weights. Of a core that counts none only beats
// are seen. Thread rule: one builder.
#pragma once

#include "engine/control/control_shell.h"

#include <string>

namespace marquetry::hdl {

struct WatchJoints {
    std::string name; ///< of the request: the beginning of modules' names
    rtl::Expr clock, reset, watches, clear, limit;
    rtl::Expr expired;     ///< a wire, to be driven
    rtl::Expr work, waits; ///< counters of the core; of no bits: it has none
    rtl::Expr owes;        ///< the memory an answer; of no bits: there is none
    const ShellPorts& ports;
};

/// What the last frame waited for that expired: bits for weights, inputs, outputs.
rtl::Expr joinWatchdog(rtl::Module& m, const WatchJoints& joints);

} // namespace marquetry::hdl
