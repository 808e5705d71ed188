// What stands between a core that writes external memory and the bus, so that the core can be reset
// at any clock.
//
// A burst that was asked for stays, and all its beats are to be sent, whatever became of the core.
// Requests and beats therefore wait in buffers that a reset of the core leaves alone. Beats that
// the core still owed when it was reset are sent by the guard with no byte in force; answers to
// bursts of before the reset are taken and lost, and until the last of them has come no new burst
// is taken from the core. Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"

#include <cstdint>
#include <string>

namespace marquetry::hdl {

/// aclk, aresetn of the bus, core_aresetn; core_awaddr, core_awlen, core_awvalid, core_awready;
/// core_wdata, core_wstrb, core_wvalid, core_wready; awaddr, awlen, awvalid, awready; wdata, wstrb,
/// wlast, wvalid, wready; bvalid, bresp; core_bvalid: an answer for the core; bad: it is an error;
/// owes: an answer is still to come. At most `mostBursts` are asked for and not answered. A beat is
/// taken behind its request, and has `beatBits`. `buffer`: a beatBuffer.
rtl::ModulePtr writeGuard(const std::string& name, const rtl::ModulePtr& buffer, int beatBits,
                          std::int64_t mostBursts);

} // namespace marquetry::hdl
