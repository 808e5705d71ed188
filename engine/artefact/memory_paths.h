// The paths between registers of a banked memory: what clocks are estimated by
// (engine/cost/clock_estimate.h).
//
// They are read off the netlist: counters through tables and sums to the addresses of banks, what
// is written, what is read through the crossbar. A signal is one bit of a word. It is taken to be
// mapped as far as inputs fit into one LUT, and beyond that as a tree in which what comes late is
// near the end; a longer comparison is a carry chain as a sum is. What synthesis finds beyond that
// is not known here. Outside of the ports are registers.
//
// `family`: whose LUTs, and by whose delays the later of two signals is told. Errors: none; of a
// family without cells there are no paths. Complexity: linear in the netlist's text times the
// inputs of its widest choice. Thread rule: pure.
#pragma once

#include "engine/cost/clock_estimate.h"
#include "engine/lower_memory/banked_memory.h"
#include "engine/rtl/module.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

/// The longest to each register, port of a bank and output. `module`: memoryModule(memory).
std::vector<cost::ClockPath> memoryPaths(const BankedMemory& memory, const rtl::Module& module,
                                         const std::string& family);

} // namespace marquetry::hdl
