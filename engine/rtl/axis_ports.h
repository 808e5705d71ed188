// The wires of an AXI4-Stream as ports of a module, and what a netlist has named them.
//
// Thread rule: one builder; names are values.
#pragma once

#include "engine/rtl/scope.h"

#include <memory>
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

/// What every top with AXI4-Streams has beside these.
struct TopPorts {
    Expr clock, reset, error;
    std::shared_ptr<const Named> bench; ///< a module beside the netlist
};
struct TopNames {
    std::string top, bench;
    std::string clock, reset, error;
};

TopNames topNames(const Names& names, const TopPorts& ports);

} // namespace marquetry::rtl
