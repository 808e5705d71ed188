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
    Expr length{}; ///< of no bits: all have the same
};

struct GuardPorts {
    Expr clock, reset, coreReset;
    Requests core, bus;
    Expr rvalid, rlast, rresp, coreValid, bad, owes;
};

GuardPorts declareGuard(rtl::Module& m, ReadLengths lengths) {
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
    if (lengths == ReadLengths::Any) {
        p.core.length = m.input("core_arlen", bits(rtl::kAxiLengthBits));
        p.bus.length = m.output("arlen", bits(rtl::kAxiLengthBits));
    }
    return p;
}

/// Requests wait in it; whether it has room.
void holdRequests(rtl::Module& m, const rtl::ModulePtr& buffer, const GuardPorts& p,
                  const Expr& put, const Expr& room) {
    const bool whole = p.core.length.size() == rtl::Size(0);
    const Expr held =
        whole ? p.bus.address : m.wire("request", bits(rtl::kAxiAddressBits + rtl::kAxiLengthBits));
    wholeInstance(
        m, buffer, "requests",
        {{"aclk", p.clock},
         {"aresetn", p.reset},
         {"put", put},
         {"put_data", whole ? p.core.address : rtl::join({p.core.length, p.core.address})},
         {"room", room},
         {"valid", p.bus.valid},
         {"data", held},
         {"ready", p.bus.ready}},
        {{"WIDTH", held.width()}});
    if (whole)
        return;
    m.assign(p.bus.address, held.slice(0, rtl::kAxiAddressBits));
    m.assign(p.bus.length, held.slice(rtl::kAxiAddressBits, rtl::kAxiLengthBits));
}

} // namespace

rtl::ModulePtr readGuard(const std::string& name, const rtl::ModulePtr& buffer,
                         std::int64_t mostBursts, ReadLengths lengths) {
    rtl::Module m(name);
    m.comment("Keeps the rules of the bus when the core that reads is reset: requests that were");
    m.comment("offered stay, and beats that nobody waits for any more are taken.");
    m.comment("Cycles: 1 for a request. Resources: two requests, a counter.");
    const GuardPorts p = declareGuard(m, lengths);
    const Expr drains = m.reg("drains");
    const int countBits = bitsFor(mostBursts + 1);
    const Expr owed = m.reg("owed", bits(countBits));
    const Expr room = m.wire("room", bits(1));
    // Short bursts may be more than the core's queue has room for whole ones.
    const Expr takes =
        lengths == ReadLengths::One ? room : m.wire("takes", room & (owed != mostBursts));
    const Expr put = m.wire("put", p.core.valid & takes & ~drains);
    m.assign(p.core.ready, takes & ~drains);
    m.assign(p.coreValid, p.rvalid & ~drains);
    m.assign(p.owes, owed != 0);
    m.assign(p.bad, p.coreValid & p.coreReset & p.rresp.bit(1));
    holdRequests(m, buffer, p, put, room);
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
