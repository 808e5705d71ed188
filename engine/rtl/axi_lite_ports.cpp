#include "engine/rtl/axi_lite_ports.h"

#include "engine/rtl/axis_ports.h"

namespace marquetry::rtl {

AxiLitePorts axiLiteSlave(Module& m, const std::string& prefix, int addressBits) {
    const auto in = [&](const char* name, int width) {
        return m.input(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    const auto out = [&](const char* name, int width) {
        return m.output(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    AxiLitePorts p;
    p.awaddr = in("awaddr", addressBits);
    p.awprot = in("awprot", 3);
    p.awvalid = in("awvalid", 1);
    p.awready = out("awready", 1);
    p.wdata = in("wdata", 32);
    p.wstrb = in("wstrb", 4);
    p.wvalid = in("wvalid", 1);
    p.wready = out("wready", 1);
    p.bresp = out("bresp", 2);
    p.bvalid = out("bvalid", 1);
    p.bready = in("bready", 1);
    p.araddr = in("araddr", addressBits);
    p.arprot = in("arprot", 3);
    p.arvalid = in("arvalid", 1);
    p.arready = out("arready", 1);
    p.rdata = out("rdata", 32);
    p.rresp = out("rresp", 2);
    p.rvalid = out("rvalid", 1);
    p.rready = in("rready", 1);
    return p;
}

AxiLiteNames namesOf(const Names& names, const AxiLitePorts& p) {
    const auto of = [&](const Expr& net) { return nameOf(names, net); };
    return {of(p.awaddr), of(p.awprot), of(p.awvalid), of(p.awready), of(p.wdata),
            of(p.wstrb),  of(p.wvalid), of(p.wready),  of(p.bresp),   of(p.bvalid),
            of(p.bready), of(p.araddr), of(p.arprot),  of(p.arvalid), of(p.arready),
            of(p.rdata),  of(p.rresp),  of(p.rvalid),  of(p.rready)};
}

} // namespace marquetry::rtl
