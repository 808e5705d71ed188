// What stands between a core that reads external memory and the bus, so that the core can be reset
// at any clock.
//
// AXI4 knows no way back: a request that is offered stays until it is taken, and every beat that
// was asked for comes. Requests therefore wait in a buffer that a reset of the core leaves alone;
// beats that were asked for before the reset are taken and lost, and until the last of them has
// come no new request is taken from the core. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <string>

namespace marquetry::hdl {

/// What requests of a core have in common.
enum class ReadLengths {
    One, ///< their length; no more of them wait than the guard counts
    Any, ///< nothing: the guard has core_arlen and arlen, too, and takes no more than it counts
};

/// aclk, aresetn of the bus, core_aresetn; core_araddr, core_arvalid, core_arready; araddr,
/// arvalid, arready; rvalid, rlast, rresp; core_rvalid: a beat for the core; bad: it is answered
/// with an error; owes: an answer is still to come. At most `mostBursts` are asked for and not
/// answered. `buffer`: a beatBuffer.
rtl::ModulePtr readGuard(const std::string& name, const rtl::ModulePtr& buffer,
                         std::int64_t mostBursts, ReadLengths lengths = ReadLengths::One);

} // namespace marquetry::hdl
