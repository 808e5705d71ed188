#include "engine/rtl/library.h"

namespace marquetry::rtl {

namespace {

struct MemoryPorts {
    Expr clock, re, raddr, q, we, waddr, wdata;
};

/// Memories of a bank from bit `low` on, of `width` bits each.
void memoryOf(Module& m, const ModulePtr& memory, const MemoryPorts& p, const Size& bank,
              const Size& low, const Size& width, const Size& depth, const Size& address) {
    m.instance(memory, "part",
               {{"aclk", p.clock},
                {"re", p.re},
                {"raddr", p.raddr},
                {"q", p.q.slice(low, width)},
                {"we", p.we.bit(bank)},
                {"waddr", p.waddr},
                {"wdata", p.wdata.slice(low, width)}},
               {{"WIDTH", width}, {"DEPTH", depth}, {"ADDRESS", address}});
}

const char* resourceOf(std::optional<RamStyle> style) {
    if (!style)
        return "LUT or block";
    return style == RamStyle::Distributed ? "LUT" : "block";
}

} // namespace

ModulePtr dualPortMemory(const std::string& name, std::optional<RamStyle> style) {
    Module m(name);
    const Size width = m.parameter("WIDTH", 32);
    const Size depth = m.parameter("DEPTH", 512);
    const Size address = m.parameter("ADDRESS", 9);
    m.comment("Memory: simple dual port, registered read of the old value.");
    m.comment(std::string("Cycles: 1 per read. Resources: ") + resourceOf(style) +
              " RAM for DEPTH words of WIDTH bits.");
    const Expr clock = m.input("aclk");
    const Expr re = m.input("re");
    const Expr raddr = m.input("raddr", bits(address));
    const Expr q = m.outputRegister("q", bits(width));
    const Expr we = m.input("we");
    const Expr waddr = m.input("waddr", bits(address));
    const Expr wdata = m.input("wdata", bits(width));
    const Memory memory = m.memory("memory", bits(width), depth, style);
    m.clocked(clock, [&](Block& b) {
        b.when(we, [&](Block& then) { then.set(memory[waddr], wdata); });
        b.when(re, [&](Block& then) { then.set(q, memory[raddr]); });
    });
    if (style)
        m.clear({q.node().net, memory.net()});
    return finished(std::move(m));
}

ModulePtr memoryBanks(const std::string& name, const ModulePtr& memory, bool hasRest) {
    Module m(name);
    const Size banks = m.parameter("BANKS", 1);
    const Size memories = m.parameter("MEMORIES", 1);
    const Size width = m.parameter("WIDTH", 32);
    const Size rest = hasRest ? m.parameter("REST", 8) : Size(0);
    const Size depth = m.parameter("DEPTH", 512);
    const Size address = m.parameter("ADDRESS", 9);
    const Size bank = memories * width + rest;
    m.comment("BANKS banks side by side, written one by one and read together. A bank is MEMORIES");
    m.comment("memories of WIDTH bits" + std::string(hasRest ? " and one of REST." : "."));
    m.comment("Cycles: 1 per read, of the old word. Resources: the memories.");
    MemoryPorts p;
    p.clock = m.input("aclk");
    p.re = m.input("re");
    p.raddr = m.input("raddr", bits(address));
    p.q = m.output("q", bits(banks * bank));
    p.we = m.input("we", bits(banks));
    p.waddr = m.input("waddr", bits(address));
    p.wdata = m.input("wdata", bits(banks * bank));
    m.repeat("bank", banks, [&](const Size& i) {
        m.repeat("column", memories, [&](const Size& j) {
            memoryOf(m, memory, p, i, i * bank + j * width, width, depth, address);
        });
        if (hasRest)
            memoryOf(m, memory, p, i, i * bank + memories * width, rest, depth, address);
    });
    return finished(std::move(m));
}

ModulePtr lastWriter(const std::string& name) {
    Module m(name);
    const Size depth = m.parameter("DEPTH", 16);
    const Size address = m.parameter("ADDRESS", 4);
    m.comment("Which of two writers wrote a word last: a bit per word, registered as the read is.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr we[] = {m.input("we0"), m.input("we1")};
    const Expr waddr[] = {m.input("waddr0", bits(address)), m.input("waddr1", bits(address))};
    const Expr re = m.input("re");
    const Expr raddr = m.input("raddr", bits(address));
    const Expr second = m.outputRegister("second");
    const Expr last = m.reg("last", bits(depth));
    m.clocked(clock, [&](Block& b) {
        b.when(~reset, [&](Block& then) { then.set(last, zeros(depth)); });
        b.otherwise([&](Block& then) {
            for (int writer : {0, 1})
                then.when(we[writer], [&](Block& writes) {
                    writes.set(last.at(waddr[writer]), constant(writer, 1));
                });
        });
        b.when(re, [&](Block& then) { then.set(second, last.at(raddr)); });
    });
    return finished(std::move(m));
}

ModulePtr delayLine(const std::string& name) {
    Module m(name);
    const Size width = m.parameter("WIDTH", 1);
    const Size clocks = m.parameter("CLOCKS", 1);
    m.comment("Delay line: q is what d was.");
    m.comment("Cycles: CLOCKS. Resources: shift registers of WIDTH bits, without a reset.");
    const Expr clock = m.input("aclk");
    const Expr d = m.input("d", bits(width));
    const Expr q = m.output("q", bits(width));
    const Expr words = m.reg("words", bits(clocks * width));
    const Expr line = m.wire("line", join({words, d}));
    m.clocked(clock, [&](Block& b) { b.set(words, line.slice(0, clocks * width)); });
    m.assign(q, line.slice(clocks * width, width));
    return finished(std::move(m));
}

ModulePtr validLine(const std::string& name) {
    Module m(name);
    const Size clocks = m.parameter("CLOCKS", 1);
    const Size counter = m.parameter("BITS", 2);
    m.comment(
        "Delay line of a bit that says what is valid: nothing is in the CLOCKS clocks after a");
    m.comment("reset, whatever the line holds from before. BITS: of a counter of CLOCKS.");
    m.comment("Cycles: CLOCKS. Resources: a shift register and a counter.");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr d = m.input("d");
    const Expr q = m.output("q");
    const Expr words = m.reg("words", bits(clocks));
    const Expr age = m.reg("age", bits(counter));
    const Expr line = m.wire("line", join({words, d}));
    const Expr fresh = m.wire("fresh", age.extended(32) == number(clocks));
    m.clocked(clock, [&](Block& b) {
        b.set(words, line.slice(0, clocks));
        b.when(~reset, [&](Block& then) { then.set(age, zeros(counter)); });
        b.orWhen(~fresh, [&](Block& then) {
            then.set(age, age + join({zeros(counter - 1), constant(1, 1)}));
        });
    });
    m.assign(q, line.slice(clocks, 1) & fresh);
    return finished(std::move(m));
}

ModulePtr bankConflict(const std::string& name) {
    Module m(name);
    const Size lanes = m.parameter("LANES", 2);
    const Size width = m.parameter("WIDTH", 8);
    const Size ports = m.parameter("PORTS", 1);
    m.comment("Whether lanes ask for more different words of one bank than it has ports.");
    const Expr asks = m.input("asks", bits(lanes));
    const Expr banks = m.input("banks", bits(lanes * width));
    const Expr words = m.input("words", bits(lanes * width));
    const Expr conflict = m.outputRegister("conflict");
    const Expr first = m.reg("first", bits(lanes));
    const Expr load = m.reg("load", bits(32));
    m.note("first: no lane before asks for this word. load: words of its bank up to it.");
    m.combinational([&](Block& b) {
        b.set(conflict, constant(0, 1));
        b.set(first, asks);
        b.set(load, constant(0, 32));
        b.repeat("i", lanes, [&](Block& outer, const Size& i) {
            const Expr bank = banks.slice(i * width, width);
            const Expr word = words.slice(i * width, width);
            outer.set(load, constant(1, 32));
            outer.repeat("j", i, [&](Block& inner, const Size& j) {
                const Expr same = asks.bit(j) & (bank == banks.slice(j * width, width));
                inner.when(same, [&](Block& meets) {
                    meets.when(word == words.slice(j * width, width),
                               [&](Block& then) { then.set(first.bit(i), constant(0, 1)); });
                    meets.when(first.bit(j), [&](Block& then) { then.set(load, load + 1); });
                });
            });
            outer.when(first.bit(i) & (load > number(ports)),
                       [&](Block& then) { then.set(conflict, constant(1, 1)); });
        });
    });
    return finished(std::move(m));
}

} // namespace marquetry::rtl
