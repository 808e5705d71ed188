#include "engine/control/shell_streams.h"

#include "engine/control/whole_instance.h"
#include "engine/rtl/axis_ports.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::Block;
using rtl::constant;
using rtl::Expr;
using rtl::Size;

namespace {

/// One side of a converter.
struct Side {
    Expr valid, data, last, ready;
};

struct ConverterPorts {
    Expr clock, reset, lastPart;
    Side in, out;
    Expr at; ///< the part that comes or goes next
};

ConverterPorts declareConverter(rtl::Module& m, int inBits, int outBits, int ratio) {
    ConverterPorts p;
    p.clock = m.input("aclk");
    p.reset = m.input("aresetn");
    p.in.valid = m.input("in_valid");
    p.in.data = m.input("in_data", bits(inBits));
    p.in.last = m.input("in_last");
    p.in.ready = m.output("in_ready");
    p.lastPart = m.input("last_part", bits(bitsFor(ratio)));
    p.out.valid = m.output("out_valid");
    p.out.data = m.output("out_data", bits(outBits));
    p.out.last = m.output("out_last");
    p.out.ready = m.input("out_ready");
    return p;
}

/// A stream's wires at the shell's outside.
rtl::AxisPorts sourceSide(rtl::Module& m, const Size& width) {
    return {m.input("tdata", bits(width)), m.input("tvalid"), m.input("tlast"),
            m.outputRegister("tready")};
}

Side sinkSide(rtl::Module& m, const Size& width) {
    Side side;
    side.data = m.output("tdata", bits(width));
    side.valid = m.output("tvalid");
    side.last = m.output("tlast");
    side.ready = m.input("tready");
    return side;
}

/// What a buffer of beats is wired to.
struct Held {
    struct {
        Expr clock, reset;
    } at;
    Expr put, last, data;
    Expr room, roomNext; ///< of no bits: nobody asks
    Side out;
};

void holdBeats(rtl::Module& m, const rtl::ModulePtr& buffer, const Size& width, const Held& held) {
    const Expr beat = m.wire("beat", bits(width + 1));
    wholeInstance(m, buffer, "held",
                  {{"aclk", held.at.clock},
                   {"aresetn", held.at.reset},
                   {"put", held.put},
                   {"put_data", rtl::join({held.last, held.data})},
                   {"room", held.room},
                   {"room_next", held.roomNext},
                   {"valid", held.out.valid},
                   {"data", beat},
                   {"ready", held.out.ready}},
                  {{"WIDTH", width + 1}});
    m.assign(held.out.last, beat.bit(width));
    m.assign(held.out.data, beat.slice(0, width));
}

/// Counts parts: to the next one, or back to 0.
void countParts(rtl::Module& m, const ConverterPorts& p, const Expr& moves, const Expr& end) {
    m.clocked(p.clock, [&](Block& b) {
        b.when(~p.reset, [&](Block& then) { then.set(p.at, constantLike(p.at, 0)); });
        b.orWhen(moves, [&](Block& then) {
            then.set(p.at, choose(end, constantLike(p.at, 0), p.at + 1));
        });
    });
}

} // namespace

rtl::ModulePtr beatBuffer(const std::string& name) {
    rtl::Module m(name);
    const Size width = m.parameter("WIDTH", 8);
    m.comment("Holds two beats, so that no path leads from ready to room.");
    m.comment("Cycles: 1. Resources: 2 registers of WIDTH bits.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr put = m.input("put");
    const Expr putData = m.input("put_data", bits(width));
    const Expr room = m.output("room");
    const Expr roomNext = m.output("room_next");
    const Expr valid = m.outputRegister("valid");
    const Expr data = m.outputRegister("data", bits(width));
    const Expr ready = m.input("ready");
    const Expr waiting = m.reg("waiting");
    const Expr second = m.reg("second", bits(width));
    const Expr moves = m.wire("moves", ~valid | ready);
    const Expr waitsNext = m.wire("waits_next", ~moves & (waiting | put));
    m.assign(room, ~waiting);
    m.assign(roomNext, ~reset | ~waitsNext);
    m.clocked(clock, [&](Block& b) {
        b.when(~reset, [&](Block& then) {
            then.set(valid, constant(0, 1));
            then.set(waiting, constant(0, 1));
        });
        b.otherwise([&](Block& then) {
            then.set(valid, ~moves | waiting | put);
            then.set(waiting, waitsNext);
        });
        b.when(moves, [&](Block& then) { then.set(data, choose(waiting, second, putData)); });
        b.when(~waiting, [&](Block& then) { then.set(second, putData); });
    });
    return finished(std::move(m));
}

rtl::ModulePtr beatWidener(const std::string& name, int width, int ratio) {
    rtl::Module m(name);
    m.comment(cat("Puts ", ratio, " beats of ", width, " bits into one, the first lowest."));
    m.comment("The last of a packet has zeros above it. wrong: it was not the part last_part.");
    m.comment(cat("Cycles: 0. Resources: ", (ratio - 1) * width, " register bits."));
    ConverterPorts p = declareConverter(m, width, ratio * width, ratio);
    const Expr begun = m.output("begun");
    const Expr wrong = m.output("wrong");
    p.at = m.reg("at", bits(bitsFor(ratio)));
    const Expr stored = m.reg("stored", bits((ratio - 1) * width));
    const Expr end = m.wire("end_part", p.in.last | (p.at == ratio - 1));
    const Expr takes = m.wire("takes", p.in.valid & p.in.ready);
    m.assign(p.in.ready, ~end | p.out.ready);
    m.assign(p.out.valid, p.in.valid & end);
    m.assign(p.out.last, p.in.last);
    m.assign(begun, p.at != 0);
    m.assign(wrong, takes & p.in.last & (p.at != p.lastPart));
    const auto here = [&](const Size& i) {
        const Expr mine = p.at.extended(32) == rtl::number(i);
        return p.in.data & mine.repeated(width);
    };
    m.repeat("parts", ratio - 1, [&](const Size& i) {
        const Expr part = p.out.data.slice(i * width, width);
        const Expr kept = stored.slice(i * width, width);
        m.assign(part, kept | here(i));
        m.clocked(p.clock, [&](Block& b) {
            b.when(~p.reset | (takes & end),
                   [&](Block& then) { then.set(kept, rtl::zeros(width)); });
            b.orWhen(takes, [&](Block& then) { then.set(kept, part); });
        });
    });
    m.assign(p.out.data.slice((ratio - 1) * width, width), here(ratio - 1));
    countParts(m, p, takes, end);
    return finished(std::move(m));
}

rtl::ModulePtr beatNarrower(const std::string& name, int width, int ratio) {
    rtl::Module m(name);
    m.comment(cat("Makes ", ratio, " beats of ", width, " bits of one, the lowest first;"));
    m.comment("of a packet's last one those up to the part last_part.");
    m.comment("Cycles: 0. Resources: the choice of a part.");
    ConverterPorts p = declareConverter(m, ratio * width, width, ratio);
    p.at = m.reg("at", bits(bitsFor(ratio)));
    const Expr end = m.wire(
        "end_part", p.at == choose(p.in.last, p.lastPart, constantLike(p.lastPart, ratio - 1)));
    m.assign(p.in.ready, p.out.ready & end);
    m.assign(p.out.valid, p.in.valid);
    m.assign(p.out.data, p.in.data.part(p.at, width));
    m.assign(p.out.last, p.in.last & end);
    countParts(m, p, p.in.valid & p.out.ready, end);
    return finished(std::move(m));
}

rtl::ModulePtr packetSource(const std::string& name, const rtl::ModulePtr& buffer) {
    rtl::Module m(name);
    const Size width = m.parameter("WIDTH", 8);
    m.comment("AXI4-Stream input that takes whole packets, each when it may begin.");
    m.comment("While the hardware ends something, what comes is lost.");
    m.comment("Cycles: 1. Resources: 2 registers of WIDTH bits.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr ending = m.input("ending");
    const Expr forget = m.input("forget");
    const Expr mayBegin = m.input("may_begin");
    const rtl::AxisPorts in = sourceSide(m, width);
    const Expr begins = m.output("begins");
    const Expr open = m.outputRegister("open");
    const Expr waits = m.output("waits");
    const Side out = {m.output("valid"), m.output("data", bits(width)), m.output("last"),
                      m.input("ready")};
    const Expr takes = m.wire("takes", in.tvalid & in.tready);
    const Expr openNext = m.wire("open_next", choose(takes, ~in.tlast, open));
    const Expr roomNext = m.wire("room_next", bits(1));
    holdBeats(m, buffer, width,
              {{clock, reset & ~ending}, takes, in.tlast, in.tdata, {}, roomNext, out});
    m.assign(begins, takes & ~open);
    m.assign(waits, in.tready & ~in.tvalid);
    m.clocked(clock, [&](Block& b) {
        b.when(~reset | forget, [&](Block& then) {
            then.set(in.tready, constant(0, 1));
            then.set(open, constant(0, 1));
        });
        b.otherwise([&](Block& then) {
            then.set(in.tready, roomNext & (openNext | mayBegin));
            then.set(open, openNext);
        });
    });
    return finished(std::move(m));
}

rtl::ModulePtr packetSink(const std::string& name, const rtl::ModulePtr& buffer) {
    rtl::Module m(name);
    const Size width = m.parameter("WIDTH", 8);
    m.comment("AXI4-Stream output of whole packets: one that is open when the hardware no longer");
    m.comment("runs is ended by a beat of zeros with TLAST.");
    m.comment("Cycles: 1. Resources: 2 registers of WIDTH bits.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr running = m.input("running");
    const Side in = {m.input("valid"), m.input("data", bits(width)), m.input("last"),
                     m.output("ready")};
    const Side out = sinkSide(m, width);
    const Expr clean = m.output("clean");
    const Expr filled = m.output("filled");
    const Expr ended = m.output("ended");
    const Expr waits = m.output("waits");
    const Expr open = m.reg("open");
    const Expr room = m.wire("room", bits(1));
    const Expr closes = m.wire("closes", ~running & open);
    const Expr put = m.wire("put", room & ((running & in.valid) | closes));
    const Expr putLast = m.wire("put_last", closes | in.last);
    const Expr putData = in.data & (~closes).repeated(width);
    holdBeats(m, buffer, width, {{clock, reset}, put, putLast, putData, room, {}, out});
    m.assign(in.ready, running & room);
    m.assign(clean, ~out.valid & ~open);
    m.assign(filled, put & putLast);
    m.assign(ended, out.valid & out.ready & out.last);
    m.assign(waits, out.valid & ~out.ready);
    m.clocked(clock, [&](Block& b) {
        b.when(~reset, [&](Block& then) { then.set(open, constant(0, 1)); });
        b.orWhen(put, [&](Block& then) { then.set(open, ~putLast); });
    });
    return finished(std::move(m));
}

rtl::ModulePtr eventCounter(const std::string& name) {
    rtl::Module m(name);
    const Size width = m.parameter("WIDTH", 32);
    m.comment("Counts the clocks with step since clear, modulo 2 to the power of WIDTH.");
    m.comment("Cycles: 1. Resources: a counter of WIDTH bits.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr clear = m.input("clear");
    const Expr step = m.input("step");
    const Expr count = m.outputRegister("count", bits(width));
    m.clocked(clock, [&](Block& b) {
        b.when(~reset | clear, [&](Block& then) { then.set(count, rtl::zeros(width)); });
        b.orWhen(step, [&](Block& then) {
            then.set(count, count + rtl::join({rtl::zeros(width - 1), constant(1, 1)}));
        });
    });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
