#include "engine/control/write_guard.h"

#include "engine/control/whole_instance.h"
#include "engine/rtl/axi_write_ports.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;
using rtl::Expr;

namespace {

constexpr int kBurstBeatBits = rtl::kAxiLengthBits + 1;

/// One side's requests and beats.
struct WriteSide {
    Expr address, length, asks, takes;
    Expr data, strobes, valid, ready;
};

struct WriteGuardPorts {
    Expr clock, reset, coreReset;
    WriteSide core, bus;
    Expr last, bvalid, bresp, coreAnswered, bad, owes;
};

WriteSide declareWriter(rtl::Module& m, int beatBits) {
    WriteSide side;
    side.address = m.input("core_awaddr", bits(rtl::kAxiAddressBits));
    side.length = m.input("core_awlen", bits(rtl::kAxiLengthBits));
    side.asks = m.input("core_awvalid");
    side.takes = m.output("core_awready");
    side.data = m.input("core_wdata", bits(beatBits));
    side.strobes = m.input("core_wstrb", bits(beatBits / 8));
    side.valid = m.input("core_wvalid");
    side.ready = m.output("core_wready");
    return side;
}

WriteGuardPorts declareWriteGuard(rtl::Module& m, int beatBits) {
    WriteGuardPorts p;
    p.clock = m.input("aclk");
    p.reset = m.input("aresetn");
    p.coreReset = m.input("core_aresetn");
    p.core = declareWriter(m, beatBits);
    p.bus.address = m.output("awaddr", bits(rtl::kAxiAddressBits));
    p.bus.length = m.output("awlen", bits(rtl::kAxiLengthBits));
    p.bus.asks = m.output("awvalid");
    p.bus.takes = m.input("awready");
    p.bus.data = m.output("wdata", bits(beatBits));
    p.bus.strobes = m.output("wstrb", bits(beatBits / 8));
    p.last = m.output("wlast");
    p.bus.valid = m.output("wvalid");
    p.bus.ready = m.input("wready");
    p.bvalid = m.input("bvalid");
    p.bresp = m.input("bresp", bits(2));
    p.coreAnswered = m.output("core_bvalid");
    p.bad = m.output("bad");
    p.owes = m.output("owes");
    m.wire("unused_bresp", p.bresp.bit(0));
    return p;
}

class WriteGuardBuilder {
public:
    WriteGuardBuilder(const std::string& name, int beatBits, std::int64_t mostBursts)
        : m_(name), beatBits_(beatBits), mostBursts_(mostBursts) {}

    rtl::ModulePtr build(const rtl::ModulePtr& buffer) && {
        comment();
        p_ = declareWriteGuard(m_, beatBits_);
        drains_ = m_.reg("drains");
        requests(buffer);
        beats(buffer);
        bursts();
        answers();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment("Keeps the rules of the bus when the core that writes is reset: what was");
        m_.comment("offered stays, beats that are owed are sent without a byte, and answers that");
        m_.comment("nobody waits for any more are taken.");
        m_.comment("Cycles: 1 for a request, 1 for a beat. Resources: two of each, counters.");
    }

    /// A buffer that the core's reset leaves alone; whether it has room.
    Expr held(const rtl::ModulePtr& buffer, const std::string& name, const Expr& put,
              const Expr& what, const Expr& valid, const Expr& out, const Expr& ready) {
        const Expr room = m_.wire(name + "_room", bits(1));
        wholeInstance(m_, buffer, name,
                      {{"aclk", p_.clock},
                       {"aresetn", p_.reset},
                       {"put", put},
                       {"put_data", what},
                       {"room", room},
                       {"valid", valid},
                       {"data", out},
                       {"ready", ready}},
                      {{"WIDTH", what.width()}});
        return room;
    }

    /// A burst is taken when the length of another one may wait for its beats.
    void requests(const rtl::ModulePtr& buffer) {
        owed_ = m_.reg("owed", bits(bitsFor(mostBursts_ + 1)));
        left_ = m_.reg("left", bits(kBurstBeatBits));
        next_ = m_.reg("next_left", bits(kBurstBeatBits));
        asked_ = m_.wire("asked", bits(1));
        const Expr request = m_.wire("request", bits(rtl::kAxiAddressBits + rtl::kAxiLengthBits));
        const Expr room =
            held(buffer, "requests", asked_, rtl::join({p_.core.length, p_.core.address}),
                 p_.bus.asks, request, p_.bus.takes);
        m_.assign(p_.bus.address, request.slice(0, rtl::kAxiAddressBits));
        m_.assign(p_.bus.length, request.slice(rtl::kAxiAddressBits, rtl::kAxiLengthBits));
        const Expr takes =
            m_.wire("takes", room & ~drains_ & (next_ == 0) & (owed_ != mostBursts_));
        m_.assign(p_.core.takes, takes);
        m_.assign(asked_, takes & p_.core.asks);
    }

    void beats(const rtl::ModulePtr& buffer) {
        const int strobes = beatBits_ / 8;
        put_ = m_.wire("put", bits(1));
        last_ = m_.wire("last", left_ == 1);
        const Expr inForce =
            m_.wire("in_force", choose(drains_, rtl::zeros(strobes), p_.core.strobes));
        const Expr beat = m_.wire("beat", bits(beatBits_ + strobes + 1));
        const Expr room = held(buffer, "beats", put_, rtl::join({last_, inForce, p_.core.data}),
                               p_.bus.valid, beat, p_.bus.ready);
        m_.assign(p_.bus.data, beat.slice(0, beatBits_));
        m_.assign(p_.bus.strobes, beat.slice(beatBits_, strobes));
        m_.assign(p_.last, beat.bit(beatBits_ + strobes));
        const Expr owes = m_.wire("owes_beat", room & (left_ != 0));
        m_.assign(p_.core.ready, owes & ~drains_);
        m_.assign(put_, owes & (drains_ | p_.core.valid));
    }

    /// Beats that the burst under way still lacks, and those of the one behind it.
    void bursts() {
        const Expr beats = m_.wire("burst_beats", p_.core.length.extended(kBurstBeatBits) + 1);
        const Expr free = m_.wire("is_free", (left_ == 0) | (put_ & last_));
        m_.clocked(p_.clock, [&](rtl::Block& b) {
            b.when(~p_.reset, [&](rtl::Block& t) {
                t.set(left_, constantLike(left_, 0));
                t.set(next_, constantLike(next_, 0));
            });
            b.orWhen(free, [&](rtl::Block& t) {
                t.set(next_, constantLike(next_, 0));
                t.set(left_, choose(asked_, beats, next_));
            });
            b.otherwise([&](rtl::Block& t) {
                t.set(left_, left_ - put_.extended(kBurstBeatBits));
                t.set(next_, choose(asked_, beats, next_));
            });
        });
    }

    void answers() {
        const int countBits = bitsFor(mostBursts_ + 1);
        m_.assign(p_.coreAnswered, p_.bvalid & ~drains_);
        m_.assign(p_.owes, owed_ != 0);
        m_.assign(p_.bad, p_.coreAnswered & p_.coreReset & p_.bresp.bit(1));
        m_.clocked(p_.clock, [&](rtl::Block& b) {
            b.when(~p_.reset, [&](rtl::Block& t) {
                t.set(owed_, constantLike(owed_, 0));
                t.set(drains_, constant(0, 1));
            });
            b.otherwise([&](rtl::Block& t) {
                t.set(owed_, owed_ + asked_.extended(countBits) - p_.bvalid.extended(countBits));
                t.set(drains_, ~p_.coreReset | (drains_ & (owed_ != 0)));
            });
        });
    }

    rtl::Module m_;
    int beatBits_;
    std::int64_t mostBursts_;
    WriteGuardPorts p_;
    Expr drains_, owed_;
    Expr left_, next_; ///< beats
    Expr asked_, put_, last_;
};

} // namespace

rtl::ModulePtr writeGuard(const std::string& name, const rtl::ModulePtr& buffer, int beatBits,
                          std::int64_t mostBursts) {
    return WriteGuardBuilder(name, beatBits, mostBursts).build(buffer);
}

} // namespace marquetry::hdl
