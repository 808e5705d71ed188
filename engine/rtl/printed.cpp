#include "engine/rtl/printed.h"

#include "engine/rtl/write.h"

namespace marquetry::hdl {

Netlist printed(const rtl::ModulePtr& top, rtl::Vendor vendor) {
    Netlist netlist;
    const rtl::Names names(top);
    for (const rtl::ModulePtr& module : names.modules())
        netlist.modules.push_back({names.of(*module), rtl::writeVerilog(*module, names, {vendor})});
    netlist.top = netlist.modules.back().name;
    return netlist;
}

Module printedAlone(rtl::Module module, rtl::Vendor vendor) {
    return printed(finished(std::move(module)), vendor).modules.back();
}

} // namespace marquetry::hdl
