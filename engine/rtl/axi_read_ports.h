// The wires of an AXI4 master that only reads, as ports of a module and by name.
//
// Names and order as AMBA AXI4 has them (ARM IHI 0022, A2); reads have no identifiers, so they are
// answered in order. Thread rule: one builder; names are values.
#pragma once

#include "engine/rtl/scope.h"

#include <string>

namespace marquetry::rtl {

/// Bits of an address.
inline constexpr int kAxiAddressBits = 40;
/// Bits of the length of a burst, which is one less than its beats.
inline constexpr int kAxiLengthBits = 8;

template <class Wire>
struct AxiRead {
    Wire araddr, arlen, arsize, arburst, arcache, arprot, arvalid, arready;
    Wire rdata, rresp, rlast, rvalid, rready;
};

/// All wires, in their order.
template <class Wire, class Use>
void forEach(const AxiRead<Wire>& p, const Use& use) {
    for (const Wire* wire :
         {&p.araddr, &p.arlen, &p.arsize, &p.arburst, &p.arcache, &p.arprot, &p.arvalid, &p.arready,
          &p.rdata, &p.rresp, &p.rlast, &p.rvalid, &p.rready})
        use(*wire);
}

using AxiReadPorts = AxiRead<Expr>;
using AxiReadNames = AxiRead<std::string>;

/// "prefix_araddr" and so on, for beats of `dataBits`. What the master drives are plain outputs.
AxiReadPorts axiReadMaster(Module& module, const std::string& prefix, int dataBits);

AxiReadNames namesOf(const Names& names, const AxiReadPorts& ports);

} // namespace marquetry::rtl
