#include "engine/control/shell_memory.h"

#include "engine/control/read_guard.h"
#include "engine/control/whole_instance.h"
#include "engine/control/write_guard.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

namespace {

class Joiner {
public:
    Joiner(rtl::Module& m, const CoreMemory& core, const MemoryJoints& joints)
        : m_(m), core_(core), joints_(joints) {}

    ShellMemory join(const ShellPorts& ports) && {
        const bool writes = core_.write.has_value();
        m_.blank();
        ShellMemory read;
        read.bad = m_.wire(writes ? "read_error" : "memory_error", bits(1));
        read.owes = m_.wire(writes ? "read_owes" : "memory_owes", bits(1));
        joinReads(*ports.memory, read);
        if (!writes) {
            read.core = std::move(wired_);
            return read;
        }
        ShellMemory write;
        write.bad = m_.wire("write_error", bits(1));
        write.owes = m_.wire("write_owes", bits(1));
        joinWrites(*ports.writes, write);
        return {m_.wire("memory_error", read.bad | write.bad),
                m_.wire("memory_owes", read.owes | write.owes), std::move(wired_)};
    }

private:
    void wired(const Expr& port, const Expr& wire) { wired_.emplace_back(port.node().net, wire); }

    /// A wire to a port of the core's, or from it.
    Expr wireTo(const Expr& port, const char* name) {
        const Expr wire = m_.wire(name, bits(port.width()));
        wired(port, wire);
        return wire;
    }

    void joinReads(const rtl::AxiReadPorts& bus, const ShellMemory& said) {
        const rtl::AxiReadPorts& core = core_.axi;
        const Expr address = wireTo(core.araddr, "memory_address");
        const Expr asks = wireTo(core.arvalid, "memory_asks");
        const Expr takes = wireTo(core.arready, "memory_takes");
        const Expr comes = wireTo(core.rvalid, "memory_comes");
        rtl::Module::Connections guard = {{"aclk", joints_.clock},
                                          {"aresetn", joints_.reset},
                                          {"core_aresetn", joints_.coreReset},
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
                                          {"bad", said.bad},
                                          {"owes", said.owes}};
        if (core_.write) {
            guard.emplace_back("core_arlen", wireTo(core.arlen, "memory_length"));
            guard.emplace_back("arlen", bus.arlen);
        } else {
            wired(core.arlen, bus.arlen);
        }
        wholeInstance(m_,
                      readGuard(joints_.name + "_read_guard", joints_.buffer, core_.mostBursts,
                                core_.write ? ReadLengths::Any : ReadLengths::One),
                      "memory", guard);
        m_.assign(bus.rready, constant(1, 1));
        // What the core and the bus say to each other without the guard.
        for (const auto wire :
             {&rtl::AxiReadPorts::arsize, &rtl::AxiReadPorts::arburst, &rtl::AxiReadPorts::arcache,
              &rtl::AxiReadPorts::arprot, &rtl::AxiReadPorts::rdata, &rtl::AxiReadPorts::rresp,
              &rtl::AxiReadPorts::rlast})
            wired(core.*wire, bus.*wire);
    }

    void joinWrites(const rtl::AxiWritePorts& bus, const ShellMemory& said) {
        const rtl::AxiWritePorts& core = *core_.write;
        wholeInstance(m_,
                      writeGuard(joints_.name + "_write_guard", joints_.buffer, core.wdata.width(),
                                 rtl::kMostWriteBursts),
                      "writes",
                      {{"aclk", joints_.clock},
                       {"aresetn", joints_.reset},
                       {"core_aresetn", joints_.coreReset},
                       {"core_awaddr", wireTo(core.awaddr, "write_address")},
                       {"core_awlen", wireTo(core.awlen, "write_length")},
                       {"core_awvalid", wireTo(core.awvalid, "write_asks")},
                       {"core_awready", wireTo(core.awready, "write_takes")},
                       {"core_wdata", wireTo(core.wdata, "write_data")},
                       {"core_wstrb", wireTo(core.wstrb, "write_strobes")},
                       {"core_wvalid", wireTo(core.wvalid, "write_puts")},
                       {"core_wready", wireTo(core.wready, "write_moves")},
                       {"awaddr", bus.awaddr},
                       {"awlen", bus.awlen},
                       {"awvalid", bus.awvalid},
                       {"awready", bus.awready},
                       {"wdata", bus.wdata},
                       {"wstrb", bus.wstrb},
                       {"wlast", bus.wlast},
                       {"wvalid", bus.wvalid},
                       {"wready", bus.wready},
                       {"bvalid", bus.bvalid},
                       {"bresp", bus.bresp},
                       {"core_bvalid", wireTo(core.bvalid, "write_ends")},
                       {"bad", said.bad},
                       {"owes", said.owes}});
        m_.assign(bus.bready, constant(1, 1));
        for (const auto wire : {&rtl::AxiWritePorts::awsize, &rtl::AxiWritePorts::awburst,
                                &rtl::AxiWritePorts::awcache, &rtl::AxiWritePorts::awprot,
                                &rtl::AxiWritePorts::bresp})
            wired(core.*wire, bus.*wire);
    }

    rtl::Module& m_;
    const CoreMemory& core_;
    const MemoryJoints& joints_;
    rtl::Module::Connections wired_;
};

} // namespace

ShellMemory joinMemory(rtl::Module& m, const CoreMemory& core, const ShellPorts& ports,
                       const MemoryJoints& joints) {
    return Joiner(m, core, joints).join(ports);
}

} // namespace marquetry::hdl
