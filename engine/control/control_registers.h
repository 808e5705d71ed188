// The AXI4-Lite slave of a table of registers.
//
// Ports: aclk, aresetn, s_axi_control_*, and of each field "<register>_<field>" with an ending:
// what may be written or cleared is the output "_is"; of what is triggered "_asked" is high for a
// clock; "_now" is the input that is read of what the hardware alone decides, "_event" the one that
// sets what a written 1 clears. Fields that are fixed have no port.
//
// Writes of any bytes of a word; addresses and data may come in any order and at any time. Where
// there is no register 0 is read, and nothing happens; every answer is OKAY.
// Thread rule: pure.
#pragma once

#include "engine/control/register_map.h"
#include "engine/rtl/axi_lite_ports.h"

#include <string>

namespace marquetry::hdl {

/// What the slave's ports begin with.
inline constexpr const char* kControlPrefix = "s_axi_control";

rtl::ModulePtr controlRegisters(const std::string& name, const RegisterMap& map);

} // namespace marquetry::hdl
