#include "engine/vendor/avalon_wrapper.h"

#include "engine/rtl/write.h"
#include "engine/support/checked_math.h"
#include "engine/vendor/avalon_commands.h"
#include "engine/vendor/wrapped_top.h"

namespace marquetry::vendor {

namespace {

/// The first byte becomes the last.
rtl::Expr swapped(const rtl::Expr& net, int bits) {
    std::vector<rtl::Expr> bytes;
    for (int low = 0; low < bits; low += 8)
        bytes.push_back(net.slice(low, 8));
    return rtl::join(bytes);
}

/// Bits that count the bytes of a beat which are not there.
int emptyBitsOf(const ProjectStream& stream) {
    int bits = 0;
    while ((8 << bits) < stream.tdataBits)
        ++bits;
    return bits;
}

struct StreamPorts {
    rtl::Expr data, valid, ready, startofpacket, endofpacket, empty;
};

class Wrapper {
public:
    explicit Wrapper(const Project& project)
        : project_(project), top_(wrappedTop(project)), m_(wrapperName(project, "_avalon")) {
        m_.comment("Around " + project.top + ": its AXI4-Streams as Avalon streaming interfaces.");
        clock_ = m_.input(project.clock);
        reset_ = m_.input(project.reset);
        connect(project.clock, clock_);
        connect(project.reset, reset_);
    }

    AvalonWrapper make() && {
        const InterfaceNames names = interfaceNames(project_);
        for (std::size_t k = 0; k < project_.streams.size(); ++k)
            project_.streams[k].isInput ? addInput(project_.streams[k], names.streams[k])
                                        : addOutput(project_.streams[k], names.streams[k]);
        if (project_.control) {
            for (const SignalPort& signal : axiLiteSignals(*project_.control))
                passOn(signal.port);
            passOn({project_.control->interrupt, 1, false});
        }
        if (project_.memory)
            addMemory(*project_.memory, names.memory);
        for (const PlainPort& port : project_.plainPorts)
            passOn(port);
        m_.instance(top_, "hardware", connections_);
        return finish();
    }

private:
    void connect(const std::string& port, const rtl::Expr& wire) {
        connections_.emplace_back(top_->port(port), wire);
    }

    void passOn(const PlainPort& port) {
        connect(port.name, port.isInput ? m_.input(port.name, typeOf(port))
                                        : m_.output(port.name, typeOf(port)));
    }

    void addInput(const ProjectStream& stream, const std::string& name) {
        StreamPorts p;
        p.data = m_.input(name + "_data", rtl::bits(stream.tdataBits));
        p.valid = m_.input(name + "_valid");
        p.ready = m_.output(name + "_ready");
        p.startofpacket = m_.input(name + "_startofpacket");
        p.endofpacket = m_.input(name + "_endofpacket");
        if (const int bits = emptyBitsOf(stream))
            p.empty = m_.input(name + "_empty", rtl::bits(bits));
        connect(stream.port.tdata, swapped(p.data, stream.tdataBits));
        connect(stream.port.tvalid, p.valid);
        connect(stream.port.tlast, p.endofpacket);
        connect(stream.port.tready, p.ready);
        // A name that tools know means it.
        m_.wire("unused_" + name,
                rtl::allOf(rtl::join({rtl::constant(0, 1), p.startofpacket, p.empty})));
        ports_.push_back(p);
    }

    void addOutput(const ProjectStream& stream, const std::string& name) {
        StreamPorts p;
        p.data = m_.output(name + "_data", rtl::bits(stream.tdataBits));
        p.valid = m_.output(name + "_valid");
        p.ready = m_.input(name + "_ready");
        p.startofpacket = m_.output(name + "_startofpacket");
        p.endofpacket = m_.output(name + "_endofpacket");
        if (const int bits = emptyBitsOf(stream)) {
            p.empty = m_.output(name + "_empty", rtl::bits(bits));
            m_.assign(p.empty, rtl::zeros(bits));
        }
        const rtl::Expr data = m_.wire(name + "_tdata", rtl::bits(stream.tdataBits));
        const rtl::Expr valid = m_.wire(name + "_tvalid", rtl::SignalType{});
        const rtl::Expr last = m_.wire(name + "_tlast", rtl::SignalType{});
        const rtl::Expr first = m_.reg(name + "_first");
        connect(stream.port.tdata, data);
        connect(stream.port.tvalid, valid);
        connect(stream.port.tlast, last);
        connect(stream.port.tready, p.ready);
        m_.assign(p.data, swapped(data, stream.tdataBits));
        m_.assign(p.valid, valid);
        m_.assign(p.endofpacket, last);
        m_.assign(p.startofpacket, first);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& then) {
                 then.set(first, rtl::constant(1, 1));
             }).orWhen(valid & p.ready, [&](rtl::Block& then) { then.set(first, last); });
        });
        ports_.push_back(p);
    }

    void addMemory(const ProjectMemory& memory, const std::string& name) {
        HostPorts p;
        p.address = m_.output(name + "_address", rtl::bits(rtl::kAxiAddressBits));
        p.read = m_.output(name + "_read");
        p.burstcount = m_.output(name + "_burstcount", rtl::bits(bitsFor(memory.burstBeats + 1)));
        p.waitrequest = m_.input(name + "_waitrequest");
        p.readdata = m_.input(name + "_readdata", rtl::bits(memory.dataBits));
        p.readdatavalid = m_.input(name + "_readdatavalid");
        p.response = m_.input(name + "_response", rtl::bits(2));
        if (memory.write)
            addReadsAndWrites(memory, name, p);
        else
            addReads(memory, name, p);
        connect(memory.port.rdata, p.readdata);
        connect(memory.port.rvalid, p.readdatavalid);
        connect(memory.port.rresp, p.response);
        leaveOpen(memory);
        memory_ = p;
    }

    /// All bursts are as long as each other.
    void addReads(const ProjectMemory& memory, const std::string& name, const HostPorts& p) {
        const rtl::Expr beat = m_.reg(name + "_beat", rtl::bits(bitsFor(memory.burstBeats)));
        const rtl::Expr last = m_.wire(name + "_last", beat == memory.burstBeats - 1);
        m_.assign(p.burstcount, constantLike(p.burstcount, memory.burstBeats));
        connect(memory.port.araddr, p.address);
        connect(memory.port.arvalid, p.read);
        connect(memory.port.arready, ~p.waitrequest);
        connect(memory.port.rlast, last);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& then) {
                 then.set(beat, constantLike(beat, 0));
             }).orWhen(p.readdatavalid, [&](rtl::Block& then) {
                then.set(beat, choose(last, constantLike(beat, 0), beat + 1));
            });
        });
    }

    void addReadsAndWrites(const ProjectMemory& memory, const std::string& name, HostPorts& p) {
        AvalonCommands commands(m_, memory, name, {clock_, reset_});
        commands.addPorts(p);
        commands.drive(p);
        for (const auto& [port, wire] : commands.connections())
            connect(port, wire);
    }

    /// What AXI4 says that Avalon takes for granted.
    void leaveOpen(const ProjectMemory& memory) {
        const auto open = [&](const std::vector<SignalPort>& signals,
                              std::initializer_list<const char*> names) {
            for (const SignalPort& signal : signals)
                for (const char* name : names)
                    if (signal.signal == name)
                        connect(signal.port.name,
                                m_.wire("unused_" + signal.port.name, typeOf(signal.port)));
        };
        if (!memory.write)
            open(axiReadSignals(memory), {"ARLEN"});
        open(axiReadSignals(memory), {"ARSIZE", "ARBURST", "ARCACHE", "ARPROT", "RREADY"});
        open(axiWriteSignals(memory),
             {"AWSIZE", "AWBURST", "AWCACHE", "AWPROT", "WLAST", "BREADY"});
    }

    AvalonWrapper finish() {
        const rtl::ModulePtr wrapper = rtl::finished(std::move(m_));
        const rtl::Names names = namesAround(project_, wrapper, top_);
        AvalonWrapper result{names.of(*wrapper), {}, {}, rtl::writeVerilog(*wrapper, names)};
        const auto of = [&](const rtl::Expr& port) { return rtl::nameOf(names, port); };
        if (memory_)
            result.memory = {of(memory_->address),    of(memory_->read),
                             of(memory_->burstcount), of(memory_->waitrequest),
                             of(memory_->readdata),   of(memory_->readdatavalid),
                             of(memory_->response),   memory_->burstcount.width()};
        if (project_.memory && project_.memory->write) {
            result.memory->write = of(memory_->write);
            result.memory->writedata = of(memory_->writedata);
            result.memory->byteenable = of(memory_->byteenable);
            result.memory->writeresponsevalid = of(memory_->writeresponsevalid);
        }
        for (std::size_t k = 0; k < ports_.size(); ++k) {
            const StreamPorts& p = ports_[k];
            const int bits = emptyBitsOf(project_.streams[k]);
            result.streams.push_back({of(p.data), of(p.valid), of(p.ready), of(p.startofpacket),
                                      of(p.endofpacket), bits > 0 ? of(p.empty) : "", bits});
        }
        return result;
    }

    const Project& project_;
    rtl::ModulePtr top_;
    rtl::Module m_;
    rtl::Expr clock_, reset_;
    rtl::Module::Connections connections_;
    std::vector<StreamPorts> ports_;
    std::optional<HostPorts> memory_;
};

} // namespace

AvalonWrapper avalonWrapper(const Project& project) {
    return Wrapper(project).make();
}

} // namespace marquetry::vendor
