// The wires with which an AXI4 master writes, beside those with which it reads (axi_read_ports.h).
//
// Names and order as AMBA AXI4 has them (ARM IHI 0022, A2); writes have no identifiers, so they are
// answered in order. Thread rule: one builder; names are values.
#pragma once

#include "engine/rtl/axi_read_ports.h"

namespace marquetry::rtl {

/// Bursts that a master of ours has written and that are not answered, at most.
inline constexpr int kMostWriteBursts = 8;

template <class Wire>
struct AxiWrite {
    Wire awaddr, awlen, awsize, awburst, awcache, awprot, awvalid, awready;
    Wire wdata, wstrb, wlast, wvalid, wready;
    Wire bresp, bvalid, bready;
};

/// All wires, in their order.
template <class Wire, class Use>
void forEach(const AxiWrite<Wire>& p, const Use& use) {
    for (const Wire* wire :
         {&p.awaddr, &p.awlen, &p.awsize, &p.awburst, &p.awcache, &p.awprot, &p.awvalid, &p.awready,
          &p.wdata, &p.wstrb, &p.wlast, &p.wvalid, &p.wready, &p.bresp, &p.bvalid, &p.bready})
        use(*wire);
}

using AxiWritePorts = AxiWrite<Expr>;
using AxiWriteNames = AxiWrite<std::string>;

/// "prefix_awaddr" and so on, for beats of `dataBits`. What the master drives are plain outputs.
AxiWritePorts axiWriteMaster(Module& module, const std::string& prefix, int dataBits);

AxiWriteNames namesOf(const Names& names, const AxiWritePorts& ports);

} // namespace marquetry::rtl
