#include "engine/rtl/printed.h"

#include "engine/rtl/write.h"

namespace marquetry::hdl {

Netlist printed(const rtl::Names& names, rtl::Vendor vendor) {
    Netlist netlist;
    for (const rtl::ModulePtr& module : names.modules())
        netlist.modules.push_back({names.of(*module), rtl::writeVerilog(*module, names, {vendor})});
    netlist.top = netlist.modules.back().name;
    for (const rtl::NetPtr& port : names.modules().back()->ports())
        netlist.ports.push_back({names.of(*port), static_cast<int>(port->type.width.value()),
                                 port->kind == rtl::Net::Kind::Input});
    for (const rtl::Names::File& file : names.files())
        netlist.memories.push_back({file.name, *file.text});
    return netlist;
}

Netlist printed(const rtl::ModulePtr& top, rtl::Vendor vendor) {
    return printed(rtl::Names(top), vendor);
}

} // namespace marquetry::hdl
