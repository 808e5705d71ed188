// A core with start and done that keeps its frame in external memory, behind a page of weights that
// it does not read: what a control shell is to have at its write channels.
#include "tests/control/small_cores.h"

namespace marquetry::test {

namespace {

using rtl::bits;
using rtl::Block;
using rtl::constant;
using rtl::Expr;

/// Words of 64 bits of a frame, in bursts of 13 and of 3 beats by turns.
constexpr std::int64_t kWords = 80;
constexpr std::int64_t kLong = 13, kTogether = 16;
constexpr int kCountBits = 8;

enum Phase : std::int64_t { kIdle, kTake, kWrite, kRead, kGive };

class KeepingBuilder {
public:
    KeepingBuilder() : m_("keeping_top") {}

    SmallCore build() && {
        ports();
        registers();
        streams();
        writes();
        reads();
        run();
        made_.core.module = finished(std::move(m_));
        made_.sources.push_back({"x", 64, 64 * kWords});
        made_.sinks.push_back({"y", 64, 64 * kWords});
        made_.model = [](const std::vector<FrameWords>& in) { return in; };
        return std::move(made_);
    }

private:
    hdl::ShellCore& core() { return made_.core; }
    Expr in(std::int64_t phase) const { return phase_ == phase; }
    Expr counter(const char* name) {
        counters_.push_back(m_.reg(name, bits(kCountBits)));
        return counters_.back();
    }

    void ports() {
        core().clock = m_.input("aclk");
        core().reset = m_.input("aresetn");
        core().start = m_.input("start");
        core().done = m_.outputRegister("done");
        core().error = m_.outputRegister("error");
        core().sources.push_back({"x", rtl::axisInput(m_, "s_axis_x", 64), 64 * kWords});
        core().sinks.push_back({"y", rtl::axisOutput(m_, "m_axis_y", 64), 64 * kWords});
        hdl::CoreMemory memory;
        memory.axi = rtl::axiReadMaster(m_, "m_axi", 64);
        memory.base = m_.input("weights_base", bits(64));
        memory.reload = m_.input("reload_weights");
        memory.stalls = m_.output("stalls", bits(64));
        memory.mostBursts = 4;
        memory.write = rtl::axiWriteMaster(m_, "m_axi", 64);
        memory.stallsLoads = m_.output("stalls_loads", bits(64));
        memory.stallsStores = m_.output("stalls_stores", bits(64));
        for (const rtl::Expr& count : {memory.stalls, memory.stallsLoads, memory.stallsStores})
            m_.assign(count, rtl::zeros(64));
        // A name that tools know means it.
        m_.wire("unused_ports",
                rtl::allOf(rtl::join({constant(0, 1), memory.axi.rlast, memory.axi.rresp.bit(0),
                                      memory.write->bresp.bit(0), memory.base.slice(40, 24),
                                      memory.reload})));
        core().memory = memory;
    }

    void registers() {
        phase_ = m_.reg("phase", bits(3));
        at_ = counter("at");
        asked_ = counter("asked");
        sent_ = counter("sent");
        owed_ = counter("owed");
        asks_ = m_.reg("asks_to_write");
        readAsks_ = m_.reg("asks_to_read");
    }

    void streams() {
        const rtl::AxisPorts& x = core().sources[0].port;
        const rtl::AxisPorts& y = core().sinks[0].port;
        words_.emplace(m_.memory("words", bits(64), std::int64_t{1} << kCountBits));
        last_ = m_.wire("is_last", at_ == kWords - 1);
        m_.assign(x.tready, in(kTake));
        m_.assign(y.tvalid, in(kGive));
        m_.assign(y.tlast, last_);
        m_.assign(y.tdata, (*words_)[at_]);
        takes_ = m_.wire("takes", in(kTake)&x.tvalid);
        gives_ = m_.wire("gives", in(kGive)&y.tready);
    }

    /// `asked_` counts the beats of bursts that were asked for: those of the next one.
    Expr length() const {
        return choose((asked_ & constant(kTogether - 1, kCountBits)) == 0,
                      constant(kLong, kCountBits), constant(kTogether - kLong, kCountBits));
    }
    const hdl::CoreMemory& memory() const { return *made_.core.memory; }

    void writes() {
        const rtl::AxiWritePorts& p = *memory().write;
        length_ = m_.wire("next_beats", length());
        const Expr place = m_.wire("place", bits(rtl::kAxiAddressBits));
        const Expr offset = rtl::join({asked_, constant(0, 3)});
        const Expr base = memory().base.slice(0, rtl::kAxiAddressBits);
        m_.assign(place, base + offset.extended(rtl::kAxiAddressBits) + 4096);
        place_ = place;
        m_.assign(p.awaddr, place);
        m_.assign(p.awlen, length_ - 1);
        m_.assign(p.awsize, constant(3, 3));
        m_.assign(p.awburst, constant(1, 2));
        m_.assign(p.awcache, constant(3, 4));
        m_.assign(p.awprot, constant(0, 3));
        m_.assign(p.awvalid, asks_);
        m_.assign(p.wdata, (*words_)[sent_]);
        m_.assign(p.wstrb, constant(255, 8));
        m_.assign(p.wlast, constant(0, 1)); // which beat is the last one is known to the guard
        const Expr puts = m_.wire("puts", in(kWrite) & (sent_ != asked_));
        m_.assign(p.wvalid, puts);
        m_.assign(p.bready, constant(1, 1));
        put_ = m_.wire("is_put", puts & p.wready);
        asksTaken_ = m_.wire("asked_to_write", asks_ & p.awready);
    }

    void reads() {
        const rtl::AxiReadPorts& p = memory().axi;
        m_.assign(p.araddr, place_);
        m_.assign(p.arlen, length_ - 1);
        m_.assign(p.arsize, constant(3, 3));
        m_.assign(p.arburst, constant(1, 2));
        m_.assign(p.arcache, constant(3, 4));
        m_.assign(p.arprot, constant(0, 3));
        m_.assign(p.arvalid, readAsks_);
        m_.assign(p.rready, constant(1, 1));
        readTaken_ = m_.wire("asked_to_read", readAsks_ & p.arready);
    }

    void begin(Block& then, std::int64_t phase) {
        then.set(phase_, constantLike(phase_, phase));
        for (const Expr& count : counters_)
            then.set(count, constantLike(count, 0));
        then.set(asks_, constant(0, 1));
        then.set(readAsks_, constant(0, 1));
    }

    void run() {
        const rtl::AxisPorts& x = core().sources[0].port;
        const rtl::AxiWritePorts& w = *memory().write;
        const rtl::AxiReadPorts& r = memory().axi;
        const Expr more = m_.wire("has_more", asked_ != kWords);
        const Expr bad =
            m_.wire("is_bad", (takes_ & (x.tlast ^ last_)) | (r.rvalid & r.rresp.bit(1)) |
                                  (w.bvalid & w.bresp.bit(1)));
        const Expr wrote =
            m_.wire("wrote_all", in(kWrite) & ~more & (sent_ == kWords) & ~asks_ & (owed_ == 0));
        const Expr readAll = m_.wire("read_all", in(kRead)&r.rvalid & last_);
        m_.clocked(core().clock, [&](Block& b) {
            b.when(takes_, [&](Block& then) { then.set((*words_)[at_], x.tdata); });
            b.orWhen(in(kRead)&r.rvalid, [&](Block& then) { then.set((*words_)[at_], r.rdata); });
        });
        m_.clocked(core().clock, [&](Block& b) {
            b.when(~core().reset | (in(kIdle)&core().start), [&](Block& then) {
                then.set(core().error, constant(0, 1));
                then.set(core().done, constant(0, 1));
            });
            b.otherwise([&](Block& then) {
                then.when(bad, [&](Block& t) { t.set(core().error, constant(1, 1)); });
                then.when(gives_ & last_, [&](Block& t) { t.set(core().done, constant(1, 1)); });
            });
        });
        m_.clocked(core().clock, [&](Block& b) {
            b.when(~core().reset, [&](Block& then) { begin(then, kIdle); });
            b.orWhen(in(kIdle)&core().start, [&](Block& t) { begin(t, kTake); });
            b.orWhen(takes_ & last_, [&](Block& then) { begin(then, kWrite); });
            b.orWhen(wrote, [&](Block& then) { begin(then, kRead); });
            b.orWhen(readAll, [&](Block& then) { begin(then, kGive); });
            b.orWhen(gives_ & last_, [&](Block& then) { begin(then, kIdle); });
            b.otherwise([&](Block& then) { goOn(then, more); });
        });
    }

    void goOn(Block& b, const Expr& more) {
        const Expr moves = takes_ | gives_ | (in(kRead)&memory().axi.rvalid);
        b.set(at_, at_ + moves.extended(kCountBits));
        b.set(sent_, sent_ + put_.extended(kCountBits));
        b.set(owed_, owed_ + asksTaken_.extended(kCountBits) -
                         memory().write->bvalid.extended(kCountBits));
        b.set(asked_, choose(asksTaken_ | readTaken_, asked_ + length_, asked_));
        b.set(asks_, ~asksTaken_ & (asks_ | (in(kWrite)&more & (owed_ < 4))));
        b.set(readAsks_, ~readTaken_ & (readAsks_ | (in(kRead)&more)));
    }

    SmallCore made_;
    rtl::Module m_;
    std::vector<Expr> counters_;
    Expr phase_, at_, asked_, sent_, owed_, asks_, readAsks_; ///< registers
    std::optional<rtl::Memory> words_;
    Expr last_, takes_, gives_, length_, place_, put_, asksTaken_, readTaken_;
};

} // namespace

SmallCore keepingCore() {
    return KeepingBuilder().build();
}

} // namespace marquetry::test
