#include "engine/control/watchdog.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

rtl::ModulePtr watchdog(const std::string& name) {
    constexpr int kCountBits = 32;
    rtl::Module m(name);
    m.comment("Expires when nothing has moved in a frame for as many clocks as the limit says.");
    m.comment("Cycles: 1. Resources: a counter of 32 bits and a comparison.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr watches = m.input("watches");
    const Expr moves = m.input("moves");
    const Expr limit = m.input("limit", bits(kCountBits));
    const Expr clear = m.input("clear");
    const Expr waits = m.input("waits", bits(kWaitingBits));
    const Expr expired = m.output("expired");
    const Expr waiting = m.outputRegister("waiting", bits(kWaitingBits));
    const Expr still = m.reg("still", bits(kCountBits));
    const Expr late = m.reg("late");
    const Expr counts = m.wire("counts", watches & ~moves & ~late & (limit != 0));
    m.assign(expired, late & watches & ~moves);
    m.clocked(clock, [&](rtl::Block& b) {
        b.set(still, choose(counts, still + 1, constant(1, kCountBits)));
        b.set(late, reset & counts & (still >= limit));
        b.when(~reset | clear, [&](rtl::Block& then) {
             then.set(waiting, constant(0, kWaitingBits));
         }).orWhen(expired, [&](rtl::Block& then) { then.set(waiting, waits); });
    });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
