// The part of the control shell that ends frames in which nothing moves any more.
//
// Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// What a frame can wait for: bits of `waits`, lowest first.
inline constexpr int kWaitingBits = 3;

/// aclk, aresetn; watches: a frame is under way or being ended; moves: something does in this
/// clock; limit: clocks, of 0 it never expires; clear; waits: weights, inputs, outputs that are
/// waited for. Out: expired: for a clock, behind at least so many without a move, and none in this
/// one either; waiting: `waits` then, until it is cleared.
rtl::ModulePtr watchdog(const std::string& name);

} // namespace marquetry::hdl
