#include "engine/control/read_guard.h"

#include "engine/control/whole_instance.h"
#include "engine/rtl/axi_read_ports.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

namespace {

/// Of one side's requests.
struct Requests {
    Expr address, valid, ready;
};

struct GuardPorts {
    Expr clock, reset, coreReset;
    Requests core, bus;
    Expr rvalid, rlast, rresp, coreValid, bad, owes;
};

GuardPorts declareGuard(rtl::Module& m) {
    GuardPorts p;
    p.clock = m.input("aclk");
    p.reset = m.input("aresetn");
    p.coreReset = m.input("core_aresetn");
    p.core = {m.input("core_araddr", bits(rtl::kAxiAddressBits)), m.input("core_arvalid"),
              m.output("core_arready")};
    p.bus = {m.output("araddr", bits(rtl::kAxiAddressBits)), m.output("arvalid"),
             m.input("arready")};
    p.rvalid = m.input("rvalid");
    p.rlast = m.input("rlast");
    p.rresp = m.input("rresp", bits(2));
    p.coreValid = m.output("core_rvalid");
    p.bad = m.output("bad");
    p.owes = m.output("owes");
    m.wire("unused_rresp", p.rresp.bit(0));
    return p;
}

} // namespace

rtl::ModulePtr readGuard(const std::string& name, const rtl::ModulePtr& buffer,
                         std::int64_t mostBursts) {
    rtl::Module m(name);
    m.comment("Keeps the rules of the bus when the core that reads is reset: requests that were");
    m.comment("offered stay, and beats that nobody waits for any more are taken.");
    m.comment("Cycles: 1 for a request. Resources: two requests, a counter.");
    const GuardPorts p = declareGuard(m);
    const Expr drains = m.reg("drains");
    const int countBits = bitsFor(mostBursts + 1);
    const Expr owed = m.reg("owed", bits(countBits));
    const Expr room = m.wire("room", bits(1));
    const Expr put = m.wire("put", p.core.valid & room & ~drains);
    m.assign(p.core.ready, room & ~drains);
    m.assign(p.coreValid, p.rvalid & ~drains);
    m.assign(p.owes, owed != 0);
    m.assign(p.bad, p.coreValid & p.coreReset & p.rresp.bit(1));
    wholeInstance(m, buffer, "requests",
                  {{"aclk", p.clock},
                   {"aresetn", p.reset},
                   {"put", put},
                   {"put_data", p.core.address},
                   {"room", room},
                   {"valid", p.bus.valid},
                   {"data", p.bus.address},
                   {"ready", p.bus.ready}},
                  {{"WIDTH", rtl::kAxiAddressBits}});
    const Expr ends = m.wire("ends", p.rvalid & p.rlast);
    m.clocked(p.clock, [&](rtl::Block& b) {
        b.when(~p.reset, [&](rtl::Block& t) {
            t.set(owed, constantLike(owed, 0));
            t.set(drains, constant(0, 1));
        });
        b.otherwise([&](rtl::Block& t) {
            t.set(owed, owed + put.extended(countBits) - ends.extended(countBits));
            t.set(drains, ~p.coreReset | (drains & (owed != 0)));
        });
    });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
