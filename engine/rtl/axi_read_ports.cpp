#include "engine/rtl/axi_read_ports.h"

#include "engine/rtl/axis_ports.h"

namespace marquetry::rtl {

AxiReadPorts axiReadMaster(Module& m, const std::string& prefix, int dataBits) {
    const auto in = [&](const char* name, int width) {
        return m.input(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    const auto out = [&](const char* name, int width) {
        return m.output(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    AxiReadPorts p;
    p.araddr = out("araddr", kAxiAddressBits);
    p.arlen = out("arlen", 8);
    p.arsize = out("arsize", 3);
    p.arburst = out("arburst", 2);
    p.arcache = out("arcache", 4);
    p.arprot = out("arprot", 3);
    p.arvalid = out("arvalid", 1);
    p.arready = in("arready", 1);
    p.rdata = in("rdata", dataBits);
    p.rresp = in("rresp", 2);
    p.rlast = in("rlast", 1);
    p.rvalid = in("rvalid", 1);
    p.rready = out("rready", 1);
    return p;
}

AxiReadNames namesOf(const Names& names, const AxiReadPorts& p) {
    const auto of = [&](const Expr& net) { return nameOf(names, net); };
    return {of(p.araddr), of(p.arlen),   of(p.arsize),  of(p.arburst), of(p.arcache),
            of(p.arprot), of(p.arvalid), of(p.arready), of(p.rdata),   of(p.rresp),
            of(p.rlast),  of(p.rvalid),  of(p.rready)};
}

} // namespace marquetry::rtl
