// The wires of an AXI4-Stream as ports of a module, and what a netlist has named them.
//
// Thread rule: one builder; names are values.
#pragma once

#include "engine/rtl/scope.h"

#include <string>

namespace marquetry::rtl {

struct AxisPorts {
    Expr tdata, tvalid, tlast, tready;
};

/// "tdata" and so on, or with a prefix "prefix_tdata", in this order.
AxisPorts axisInput(Module& module, const std::string& prefix, int tdataBits);
AxisPorts axisOutput(Module& module, const std::string& prefix, int tdataBits);
/// All but tready are registers of the module.
AxisPorts axisOutputRegisters(Module& module, const std::string& prefix, int tdataBits);

struct AxisNames {
    std::string tdata, tvalid, tlast, tready;
};

AxisNames namesOf(const Names& names, const AxisPorts& ports);

/// Of a port or another net that an expression is.
const std::string& nameOf(const Names& names, const Expr& net);

} // namespace marquetry::rtl
