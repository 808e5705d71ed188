// The wires of an AXI4-Lite slave of 32-bit words, as ports of a module and by name.
//
// Names and order as AMBA AXI4-Lite has them (ARM IHI 0022, B1).
// Thread rule: one builder; names are values.
#pragma once

#include "engine/rtl/scope.h"

#include <string>

namespace marquetry::rtl {

template <class Wire>
struct AxiLite {
    Wire awaddr, awprot, awvalid, awready;
    Wire wdata, wstrb, wvalid, wready;
    Wire bresp, bvalid, bready;
    Wire araddr, arprot, arvalid, arready;
    Wire rdata, rresp, rvalid, rready;
};

/// All wires, in their order.
template <class Wire, class Use>
void forEach(const AxiLite<Wire>& p, const Use& use) {
    for (const Wire* wire :
         {&p.awaddr, &p.awprot, &p.awvalid, &p.awready, &p.wdata, &p.wstrb, &p.wvalid, &p.wready,
          &p.bresp, &p.bvalid, &p.bready, &p.araddr, &p.arprot, &p.arvalid, &p.arready, &p.rdata,
          &p.rresp, &p.rvalid, &p.rready})
        use(*wire);
}

using AxiLitePorts = AxiLite<Expr>;
using AxiLiteNames = AxiLite<std::string>;

/// "prefix_awaddr" and so on. What the slave drives are plain outputs.
AxiLitePorts axiLiteSlave(Module& module, const std::string& prefix, int addressBits);

AxiLiteNames namesOf(const Names& names, const AxiLitePorts& ports);

} // namespace marquetry::rtl
