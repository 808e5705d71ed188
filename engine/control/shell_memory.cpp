#include "engine/control/shell_memory.h"

#include "engine/control/read_guard.h"
#include "engine/control/whole_instance.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

namespace {

/// What the core and the bus say to each other without the guard.
void passOn(const rtl::AxiReadPorts& core, const rtl::AxiReadPorts& bus,
            rtl::Module::Connections& connections) {
    for (const auto wire :
         {&rtl::AxiReadPorts::arlen, &rtl::AxiReadPorts::arsize, &rtl::AxiReadPorts::arburst,
          &rtl::AxiReadPorts::arcache, &rtl::AxiReadPorts::arprot, &rtl::AxiReadPorts::rdata,
          &rtl::AxiReadPorts::rresp, &rtl::AxiReadPorts::rlast})
        connections.emplace_back((core.*wire).node().net, bus.*wire);
}

} // namespace

ShellMemory joinMemory(rtl::Module& m, const CoreMemory& core, const rtl::AxiReadPorts& bus,
                       const MemoryJoints& joints) {
    ShellMemory made;
    m.blank();
    made.bad = m.wire("memory_error", bits(1));
    made.owes = m.wire("memory_owes", bits(1));
    const Expr address = m.wire("memory_address", bits(rtl::kAxiAddressBits));
    const Expr asks = m.wire("memory_asks", bits(1));
    const Expr takes = m.wire("memory_takes", bits(1));
    const Expr comes = m.wire("memory_comes", bits(1));
    wholeInstance(m, readGuard(joints.name + "_read_guard", joints.buffer, core.mostBursts),
                  "memory",
                  {{"aclk", joints.clock},
                   {"aresetn", joints.reset},
                   {"core_aresetn", joints.coreReset},
                   {"core_araddr", address},
                   {"core_arvalid", asks},
                   {"core_arready", takes},
                   {"araddr", bus.araddr},
                   {"arvalid", bus.arvalid},
                   {"arready", bus.arready},
                   {"rvalid", bus.rvalid},
                   {"rlast", bus.rlast},
                   {"rresp", bus.rresp},
                   {"core_rvalid", comes},
                   {"bad", made.bad},
                   {"owes", made.owes}});
    m.assign(bus.rready, constant(1, 1));
    const auto wired = [&](const Expr& port, const Expr& wire) {
        made.core.emplace_back(port.node().net, wire);
    };
    wired(core.axi.araddr, address);
    wired(core.axi.arvalid, asks);
    wired(core.axi.arready, takes);
    wired(core.axi.rvalid, comes);
    passOn(core.axi, bus, made.core);
    return made;
}

} // namespace marquetry::hdl
