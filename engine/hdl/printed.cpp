#include "engine/hdl/printed.h"

#include "engine/rtl/write.h"

namespace marquetry::hdl {

namespace {

Direction directionOf(const rtl::Net& port) {
    if (port.kind == rtl::Net::Kind::Input)
        return Direction::Input;
    return port.isRegister() ? Direction::OutputReg : Direction::Output;
}

} // namespace

Netlist printed(const rtl::ModulePtr& top, rtl::Vendor vendor) {
    Netlist netlist;
    const rtl::Names names(top);
    for (const rtl::ModulePtr& module : names.modules()) {
        Module text;
        text.name = names.of(*module);
        for (const rtl::NetPtr& port : module->ports()) {
            const rtl::Size width = port->type.width.with({});
            text.ports.push_back(
                {directionOf(*port), static_cast<int>(width.value()), names.of(*port)});
        }
        text.verilog = rtl::writeVerilog(*module, names, {vendor});
        netlist.modules.push_back(std::move(text));
    }
    netlist.top = netlist.modules.back().name;
    return netlist;
}

Module printedAlone(rtl::Module module, rtl::Vendor vendor) {
    return printed(finished(std::move(module)), vendor).modules.back();
}

} // namespace marquetry::hdl
