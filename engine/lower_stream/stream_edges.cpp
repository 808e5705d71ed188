#include "engine/lower_stream/stream_edges.h"

namespace marquetry::hdl {

using rtl::Block;
using rtl::constant;
using rtl::Expr;

namespace {

auto set(const Expr& to, std::int64_t value) {
    return [=](Block& then) { then.set(to, constant(value, to.width())); };
}

/// The next number, or 0 behind the last. A parameter decides the counter's width.
auto counted(const Expr& counter, const Expr& last) {
    return [=](Block& then) {
        const Expr one = rtl::join({rtl::zeros(counter.size() - 1), constant(1, 1)});
        then.set(counter, choose(last, rtl::zeros(counter.size()), counter + one));
    };
}

auto zeroed(std::vector<Expr> words) {
    return [words = std::move(words)](Block& then) {
        for (const Expr& word : words)
            then.set(word, rtl::zeros(word.size()));
    };
}

} // namespace

rtl::ModulePtr inputEdge(const std::string& name) {
    rtl::Module m(name);
    const rtl::Size bits = m.parameter("BITS", 8);
    m.comment(
        "AXI4-Stream input of frames; last_beat is the number of a frame's last beat, from 0.");
    m.comment("A frame that TLAST ends early is filled up with zeros (cut); one that goes on");
    m.comment("without it loses what is too much, up to TLAST (skip).");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr lastBeat = m.input("last_beat", rtl::bits(bits));
    const Expr tvalid = m.input("tvalid");
    const Expr tlast = m.input("tlast");
    const Expr validSlot = m.input("valid_slot");
    const Expr inFrame = m.input("in_frame");
    const Expr lastStep = m.input("last_step");
    const Expr tready = m.output("tready");
    const Expr cut = m.outputRegister("cut");
    const Expr here = m.output("here");
    const Expr wrong = m.output("wrong");
    const Expr skip = m.reg("skip");
    const Expr beat = m.reg("beat", rtl::bits(bits));
    const Expr wants = m.wire("wants", validSlot & ~cut);
    const Expr takes = m.wire("takes", inFrame & wants);
    const Expr last = m.wire("last", beat == lastBeat);
    m.assign(here, ~skip & (tvalid | ~wants));
    m.assign(tready, skip | takes);
    m.assign(wrong, takes & (tlast ^ last));
    m.clocked(clock, [&](Block& block) {
        block.when(~reset, zeroed({cut, skip, beat}));
        block.otherwise([&](Block& runs) {
            runs.when(takes, counted(beat, last | tlast));
            runs.when(takes & tlast & ~last, set(cut, 1)).orWhen(inFrame & lastStep, set(cut, 0));
            runs.when(takes & last & ~tlast, set(skip, 1)).orWhen(tvalid & tlast, set(skip, 0));
        });
    });
    return finished(std::move(m));
}

rtl::ModulePtr outputEdge(const std::string& name) {
    rtl::Module m(name);
    const rtl::Size width = m.parameter("WIDTH", 8);
    const rtl::Size bits = m.parameter("BITS", 8);
    m.comment(
        "AXI4-Stream output of frames; last_beat is the number of a frame's last beat, from 0.");
    m.comment("Holds two beats: whoever puts one does not wait for tready in the same clock.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr lastBeat = m.input("last_beat", rtl::bits(bits));
    const Expr put = m.input("put");
    const Expr data = m.input("data", rtl::bits(width));
    const Expr room = m.output("room");
    const Expr tdata = m.output("tdata", rtl::bits(width));
    const Expr tvalid = m.output("tvalid");
    const Expr tlast = m.output("tlast");
    const Expr tready = m.input("tready");
    const Expr beat = m.reg("beat", rtl::bits(bits));
    const Expr first = m.reg("first", rtl::bits(width + 1));
    const Expr second = m.reg("second", rtl::bits(width + 1));
    const Expr held = m.reg("held", rtl::bits(2));
    const Expr last = m.wire("last", beat == lastBeat);
    const Expr next = m.wire("next_beat", rtl::join({last, data}));
    const Expr take = m.wire("take", (held != 0) & tready);
    m.assign(room, held != 2);
    m.assign(tvalid, held != 0);
    m.assign(tlast, first.bit(width));
    m.assign(tdata, first.slice(0, width));
    m.clocked(clock, [&](Block& block) {
        block.when(~reset, zeroed({held, beat}));
        block.otherwise([&](Block& runs) {
            runs.set(held, held + put.extended(2) - take.extended(2));
            runs.when(put, counted(beat, last));
        });
        block.when(take | (held == 0),
                   [&](Block& then) { then.set(first, choose(held == 2, second, next)); });
        block.when(put, [&](Block& then) { then.set(second, next); });
    });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
