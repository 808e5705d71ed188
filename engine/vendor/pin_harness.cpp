#include "engine/vendor/pin_harness.h"

#include "engine/rtl/write.h"
#include "engine/support/assert.h"
#include "engine/vendor/wrapped_top.h"

namespace marquetry::vendor {

namespace {

struct Wires {
    rtl::Module::Connections connections;
    std::vector<rtl::Expr> made;
};

/// Inputs of the top are bits of `held`, from the lowest on.
Wires wiresOf(rtl::Module& m, const Project& project, const rtl::ModulePtr& top,
              const rtl::Expr& held) {
    Wires wires;
    int next = 0;
    for (const PlainPort& port : portsOf(project)) {
        if (port.name == project.clock || port.name == project.reset)
            continue;
        rtl::Expr wire;
        if (port.isInput) {
            wire = held.slice(next, port.bits);
            next += port.bits;
        } else {
            wire = m.wire("made_" + port.name, typeOf(port));
            wires.made.push_back(wire);
        }
        wires.connections.emplace_back(top->port(port.name), wire);
    }
    return wires;
}

int bitsOf(const Project& project, bool inputs) {
    int bits = 0;
    for (const PlainPort& port : portsOf(project))
        if (port.isInput == inputs && port.name != project.clock && port.name != project.reset)
            bits += port.bits;
    return bits;
}

} // namespace

PinHarness pinHarness(const Project& project) {
    const int in = bitsOf(project, true), out = bitsOf(project, false);
    ENGINE_ASSERT(in > 0 && out > 0, "a top has inputs and outputs");
    const rtl::ModulePtr top = wrappedTop(project);
    rtl::Module m(wrapperName(project, "_pins"));
    m.comment("Around " + project.top +
              ", for its area and clock alone: what its ports have to do "
              "with each other here means nothing.");
    const rtl::Expr clock = m.input(project.clock);
    const rtl::Expr reset = m.input(project.reset);
    const rtl::Expr shiftIn = m.input("shift_in");
    const rtl::Expr shiftOut = m.outputRegister("shift_out");
    const rtl::Expr heldReset = m.reg("held_reset");
    const rtl::Expr held = m.reg("held_in", rtl::bits(in));
    const rtl::Expr folded = m.reg("held_out", rtl::bits(out));
    Wires wires = wiresOf(m, project, top, held);
    const rtl::Expr made = m.wire("made", rtl::join(wires.made).asUnsigned());
    wires.connections.emplace_back(top->port(project.clock), clock);
    wires.connections.emplace_back(top->port(project.reset), heldReset);
    m.instance(top, "hardware", wires.connections);
    m.clocked(clock, [&](rtl::Block& b) {
        b.set(heldReset, reset);
        b.set(held, rtl::join({held.slice(0, in - 1), shiftIn}));
        b.set(folded, rtl::join({folded.slice(0, out - 1), held.bit(in - 1)}) ^ made);
        b.set(shiftOut, folded.bit(out - 1));
    });
    const rtl::ModulePtr harness = rtl::finished(std::move(m));
    const rtl::Names names = namesAround(project, harness, top);
    return {names.of(*harness), names.of(*harness->port(project.clock)),
            rtl::writeVerilog(*harness, names)};
}

} // namespace marquetry::vendor
