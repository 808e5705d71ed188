#include "engine/lower_stream/kernel_library.h"

#include "engine/rtl/library.h"

namespace marquetry::hdl {

namespace {

using rtl::bits;
using rtl::Expr;
using rtl::ModulePtr;
using rtl::Size;

ModulePtr banksOf(rtl::ModuleLibrary& library, bool hasRest) {
    const ModulePtr memory = library.once(
        "memory", [](const std::string& name) { return rtl::dualPortMemory(name, std::nullopt); });
    return library.once(
        std::string("memories") + (hasRest ? "_with_rest" : ""),
        [&](const std::string& name) { return rtl::memoryBanks(name, memory, hasRest); });
}

/// A module around memories: its parameters, and the ports that all of them have.
class Builder {
public:
    Builder(const std::string& name, KernelMemoryForm form)
        : m(name),
          memories(m.parameter("MEMORIES", 1)),
          width(m.parameter("WIDTH", 32)),
          rest(form.hasRest ? m.parameter("REST", 8) : Size(0)),
          depth(m.parameter("DEPTH", 512)),
          address(m.parameter("ADDRESS", 9)) {}

    void control() {
        clock = m.input("aclk");
        reset = m.input("aresetn");
        enable = m.input("enable");
    }

    void data() {
        d = m.input("d", bits(memories * width + rest));
        q = m.output("q", bits(memories * width + rest));
    }

    /// Counts modulo the words, from 0 or from `first` on.
    Expr counter(const std::string& name, const Expr& counts, const Expr& first = {}) {
        const Expr at = m.reg(name, bits(address));
        const Expr last = m.wire(name + "_is_last", at.extended(32) == rtl::number(depth - 1));
        const Expr zero = rtl::zeros(address);
        m.lint("lint_off UNUSEDSIGNAL");
        const Expr after = m.wire(name + "_after", at.extended(32) + 1);
        m.lint("lint_on UNUSEDSIGNAL");
        const Expr next = after.slice(0, address);
        m.clocked(clock, [&](rtl::Block& block) {
            if (first.size() == Size(0)) { // one synchronous reset for both
                block.when(~reset | (counts & last), [&](rtl::Block& then) { then.set(at, zero); });
                block.orWhen(counts, [&](rtl::Block& then) { then.set(at, next); });
                return;
            }
            block.when(~reset, [&](rtl::Block& then) { then.set(at, first); });
            block.orWhen(counts, [&](rtl::Block& then) { then.set(at, choose(last, zero, next)); });
        });
        return at;
    }

    ModulePtr around(const ModulePtr& banks, const Expr& readAt, const Expr& writeAt,
                     const Expr& writes) && {
        rtl::Module::Arguments sizes = {{"BANKS", 1}, {"MEMORIES", memories}, {"WIDTH", width}};
        if (!(rest == Size(0)))
            sizes.emplace_back("REST", rest);
        sizes.emplace_back("DEPTH", depth);
        sizes.emplace_back("ADDRESS", address);
        m.instance(banks, "words",
                   {{"aclk", clock},
                    {"re", enable},
                    {"raddr", readAt},
                    {"q", q},
                    {"we", writes},
                    {"waddr", writeAt},
                    {"wdata", d}},
                   sizes);
        return finished(std::move(m));
    }

    rtl::Module m;
    Size memories, width, rest, depth, address;
    Expr clock, reset, enable, d, q;
};

} // namespace

ModulePtr lineBuffer(rtl::ModuleLibrary& library, KernelMemoryForm form) {
    const ModulePtr banks = banksOf(library, form.hasRest);
    const auto make = [&](const std::string& name) {
        Builder b(name, form);
        b.m.comment("Line buffer: q is what d was, memories side by side with one address, read");
        b.m.comment("before they are written.");
        b.m.comment("Cycles: DEPTH + 1 with enable. Resources: the memories and a counter.");
        b.control();
        b.data();
        const Expr at = b.counter("at", b.enable);
        return std::move(b).around(banks, at, at, b.enable);
    };
    return library.once(std::string("line_buffer") + (form.hasRest ? "_with_rest" : ""), make);
}

ModulePtr layoutFifo(rtl::ModuleLibrary& library, KernelMemoryForm form) {
    const ModulePtr banks = banksOf(library, form.hasRest);
    const auto make = [&](const std::string& name) {
        Builder b(name, form);
        b.m.comment(
            "FIFO between layouts: what is stored in some steps is fetched in others, which");
        b.m.comment("the circuit's schedule knows: it is neither read empty nor written full.");
        b.m.comment("Cycles: 1 per read, of the old word. Resources: the memories, two counters.");
        b.control();
        const Expr stored = b.m.input("stored");
        const Expr fetched = b.m.input("fetched");
        const Expr first = form.ahead ? b.m.input("first", bits(b.address)) : Expr();
        b.data();
        const Expr writes = b.m.wire("writes", b.enable & stored);
        const Expr writeAt = b.counter("write_at", writes);
        const Expr readAt = b.counter("read_at", b.enable & fetched, first);
        return std::move(b).around(banks, readAt, writeAt, writes);
    };
    return library.once(std::string("fifo") + (form.ahead ? "_ahead" : "") +
                            (form.hasRest ? "_with_rest" : ""),
                        make);
}

} // namespace marquetry::hdl
