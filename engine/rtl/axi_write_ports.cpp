#include "engine/rtl/axi_write_ports.h"

#include "engine/rtl/axis_ports.h"

namespace marquetry::rtl {

AxiWritePorts axiWriteMaster(Module& m, const std::string& prefix, int dataBits) {
    const auto in = [&](const char* name, int width) {
        return m.input(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    const auto out = [&](const char* name, int width) {
        return m.output(prefix + "_" + name, width == 1 ? SignalType{} : bits(width));
    };
    AxiWritePorts p;
    p.awaddr = out("awaddr", kAxiAddressBits);
    p.awlen = out("awlen", 8);
    p.awsize = out("awsize", 3);
    p.awburst = out("awburst", 2);
    p.awcache = out("awcache", 4);
    p.awprot = out("awprot", 3);
    p.awvalid = out("awvalid", 1);
    p.awready = in("awready", 1);
    p.wdata = out("wdata", dataBits);
    p.wstrb = out("wstrb", dataBits / 8);
    p.wlast = out("wlast", 1);
    p.wvalid = out("wvalid", 1);
    p.wready = in("wready", 1);
    p.bresp = in("bresp", 2);
    p.bvalid = in("bvalid", 1);
    p.bready = out("bready", 1);
    return p;
}

AxiWriteNames namesOf(const Names& names, const AxiWritePorts& p) {
    const auto of = [&](const Expr& net) { return nameOf(names, net); };
    return {of(p.awaddr),  of(p.awlen),   of(p.awsize), of(p.awburst), of(p.awcache), of(p.awprot),
            of(p.awvalid), of(p.awready), of(p.wdata),  of(p.wstrb),   of(p.wlast),   of(p.wvalid),
            of(p.wready),  of(p.bresp),   of(p.bvalid), of(p.bready)};
}

} // namespace marquetry::rtl
