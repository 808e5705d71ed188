// Modules to Verilog-2001 text. Same module, same bytes. Thread rule: pure.
#pragma once

#include "engine/hdl/netlist.h"

#include <string>

namespace marquetry::hdl {

std::string writeVerilog(const Module& module);

} // namespace marquetry::hdl
