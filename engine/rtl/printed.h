// Typed netlists (engine/rtl) in the form that exports take: a text for each module.
// Thread rule: pure.
#pragma once

#include "engine/rtl/netlist.h"
#include "engine/rtl/scope.h"

namespace marquetry::hdl {

/// Every module before its users, and the files of its memories. `vendor`: whose attributes
/// memories get.
Netlist printed(const rtl::Names& names, rtl::Vendor vendor);
Netlist printed(const rtl::ModulePtr& top, rtl::Vendor vendor = rtl::Vendor::Xilinx);

} // namespace marquetry::hdl
