// Typed netlists (engine/rtl) in the form that exports take: a text for each module.
// Thread rule: pure.
#pragma once

#include "engine/rtl/module.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

/// Every module before its users. `vendor`: whose attributes memories get.
Netlist printed(const rtl::ModulePtr& top, rtl::Vendor vendor);

/// A module without instances.
Module printedAlone(rtl::Module module, rtl::Vendor vendor = rtl::Vendor::Xilinx);

} // namespace marquetry::hdl
