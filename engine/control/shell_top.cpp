#include "engine/control/shell_top.h"

#include "engine/control/control_registers.h"
#include "engine/control/frame_control.h"
#include "engine/control/shell_memory.h"
#include "engine/control/shell_streams.h"
#include "engine/control/shell_watch.h"
#include "engine/control/whole_instance.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::hdl {

using rtl::bits;
using rtl::Block;
using rtl::constant;
using rtl::Expr;
using rtl::ModulePtr;

namespace {

using Wires = std::map<std::string, Expr>;

class ShellTop {
public:
    ShellTop(const ShellCore& core, const ShellRequest& request, RegisterMap registers)
        : core_(core),
          request_(request),
          starts_(core.start.size() != rtl::Size(0)),
          registers_(std::move(registers)),
          m_(request.name + "_axi") {}

    ControlShell build() && {
        comment();
        ports();
        modules();
        wires();
        for (std::size_t k = 0; k < core_.sources.size(); ++k)
            source(k);
        for (std::size_t k = 0; k < core_.sinks.size(); ++k)
            sink(k);
        if (core_.memory)
            memory();
        frames();
        watch();
        slave();
        core();
        return {finished(std::move(m_)), ports_, registers_};
    }

private:
    void comment() {
        m_.comment(cat("Control shell of ", core_.module->wanted, ": AXI4-Lite registers, an"));
        m_.comment(
            "interrupt line, AXI4-Streams of whole frames; abort and start without a reset.");
        m_.comment("Cycles: a beat passes in 2 more. Resources: a slave of ");
        m_.comment(cat(registers_.registers.size(), " registers, two beats for each stream."));
    }

    void ports() {
        ports_.clock = m_.input("aclk");
        ports_.reset = m_.input("aresetn");
        ports_.control = rtl::axiLiteSlave(m_, kControlPrefix, registers_.addressBits);
        ports_.interrupt = m_.outputRegister("irq");
        for (const CoreStream& stream : core_.sources)
            ports_.sources.push_back(rtl::axisInput(m_, "s_axis_" + stream.name,
                                                    shellBits(stream, request_.streamBits)));
        for (const CoreStream& stream : core_.sinks)
            ports_.sinks.push_back(rtl::axisOutput(m_, "m_axis_" + stream.name,
                                                   shellBits(stream, request_.streamBits)));
        if (core_.memory)
            ports_.memory = rtl::axiReadMaster(m_, "m_axi", core_.memory->axi.rdata.width());
        if (core_.memory && core_.memory->write)
            ports_.writes = rtl::axiWriteMaster(m_, "m_axi", core_.memory->write->wdata.width());
        ports_.bench = m_.beside(request_.name + "_axi_tb");
    }

    void modules() {
        buffer_ = beatBuffer(request_.name + "_buffer");
        source_ = packetSource(request_.name + "_source", buffer_);
        sink_ = packetSink(request_.name + "_sink", buffer_);
        counter_ = eventCounter(request_.name + "_count");
        frames_ =
            frameControl({request_.name + "_frames", static_cast<int>(core_.sources.size()),
                          static_cast<int>(core_.sinks.size()), starts_, core_.memory.has_value()});
        slave_ = controlRegisters(request_.name + "_registers", registers_);
    }

    /// Wires for every output of the two modules that everything else hangs on.
    void wires() {
        m_.lint("lint_off UNUSEDSIGNAL");
        for (const rtl::NetPtr& port : frames_->ports())
            if (port->kind != rtl::Net::Kind::Input)
                control_[port->wanted] = m_.wire(port->wanted, bits(port->type.width));
        for (const rtl::NetPtr& port : slave_->ports())
            if (port->kind != rtl::Net::Kind::Input && !port->wanted.starts_with(kControlPrefix))
                fields_[port->wanted] = m_.wire(port->wanted, bits(port->type.width));
        for (const char* name : {"begins", "open", "empty", "wrong"})
            if (!core_.sources.empty())
                streams_[name] = m_.wire("sources_" + std::string(name), bits(sources()));
        for (const char* name : {"clean", "filled", "ended"})
            if (!core_.sinks.empty())
                streams_[name] = m_.wire("sinks_" + std::string(name), bits(sinks()));
        m_.lint("lint_on UNUSEDSIGNAL");
        const bool free = core_.sources.empty() && !starts_;
        kept_ = m_.wire("core_aresetn",
                        ports_.reset & (free ? control_.at("lets") : ~control_.at("ending")));
    }

    int sources() const { return static_cast<int>(core_.sources.size()); }
    int sinks() const { return static_cast<int>(core_.sinks.size()); }

    Expr bitOf(const char* name, std::size_t k) const {
        return streams_.at(name).bit(static_cast<std::int64_t>(k));
    }

    /// A stream inside the shell.
    struct Inner {
        Expr data, valid, last, ready;
    };

    Inner inner(const std::string& name, int width) {
        return {m_.wire(name + "_data", bits(width)), m_.wire(name + "_valid", bits(1)),
                m_.wire(name + "_last", bits(1)), m_.wire(name + "_ready", bits(1))};
    }

    /// One converter for all streams of the same widths.
    ModulePtr converter(int from, int to) {
        ModulePtr& module = converters_[{from, to}];
        if (!module)
            module =
                from < to
                    ? beatWidener(cat(request_.name, "_widen_", from, "_", to), from, to / from)
                    : beatNarrower(cat(request_.name, "_narrow_", from, "_", to), to, from / to);
        return module;
    }

    /// Beats of one stream in those of another; `beats`: of a frame where they are narrower.
    void convert(const std::string& name, const Inner& from, const Inner& to, std::int64_t beats,
                 const rtl::Module::Connections& more) {
        const int in = from.data.width();
        const int out = to.data.width();
        const int ratio = std::max(in, out) / std::min(in, out);
        rtl::Module::Connections wired = {
            {"aclk", ports_.clock},
            {"aresetn", kept_},
            {"in_valid", from.valid},
            {"in_data", from.data},
            {"in_last", from.last},
            {"in_ready", from.ready},
            {"last_part", constant((beats - 1) % ratio, bitsFor(ratio))},
            {"out_valid", to.valid},
            {"out_data", to.data},
            {"out_last", to.last},
            {"out_ready", to.ready}};
        if (in < out)
            wired.insert(wired.end(), more.begin(), more.end());
        wholeInstance(m_, converter(in, out), name, wired);
    }

    Expr stalls(const std::string& name, const Expr& waits) {
        const Expr count = m_.wire(name + "_stalls", bits(32));
        wholeInstance(m_, counter_, name + "_stall_count",
                      {{"aclk", ports_.clock},
                       {"aresetn", ports_.reset},
                       {"clear", control_.at("clears")},
                       {"step", waits},
                       {"count", count}});
        return count;
    }

    void source(std::size_t k) {
        m_.blank();
        const CoreStream& stream = core_.sources[k];
        const rtl::AxisPorts& port = ports_.sources[k];
        const int width = port.tdata.width();
        const int coreWidth = stream.port.tdata.width();
        const Inner outer = inner(stream.name, width);
        const Inner inside = width == coreWidth ? outer : inner(stream.name + "_core", coreWidth);
        const Expr waits = m_.wire(stream.name + "_waits", bits(1));
        wholeInstance(m_, source_, stream.name + "_source",
                      {{"aclk", ports_.clock},
                       {"aresetn", ports_.reset},
                       {"ending", control_.at("ending")},
                       {"forget", control_.at("forget")},
                       {"may_begin", control_.at("may_begin").bit(static_cast<std::int64_t>(k))},
                       {"tdata", port.tdata},
                       {"tvalid", port.tvalid},
                       {"tlast", port.tlast},
                       {"tready", port.tready},
                       {"begins", bitOf("begins", k)},
                       {"open", bitOf("open", k)},
                       {"waits", waits},
                       {"valid", outer.valid},
                       {"data", outer.data},
                       {"last", outer.last},
                       {"ready", outer.ready}},
                      {{"WIDTH", width}});
        Expr begun = constant(0, 1);
        if (width < coreWidth)
            begun = m_.wire(stream.name + "_begun", bits(1));
        if (width != coreWidth)
            convert(stream.name + "_converter", outer, inside,
                    ceilDiv(stream.frameBits, std::min(width, coreWidth)),
                    {{"begun", begun}, {"wrong", bitOf("wrong", k)}});
        if (width >= coreWidth)
            m_.assign(bitOf("wrong", k), constant(0, 1));
        m_.assign(bitOf("empty", k), ~outer.valid & ~begun);
        status_["stalls_" + stream.name + "_count"] = stalls(stream.name, waits);
        wireCore(stream.port, inside);
    }

    void sink(std::size_t k) {
        m_.blank();
        const CoreStream& stream = core_.sinks[k];
        const rtl::AxisPorts& port = ports_.sinks[k];
        const int width = port.tdata.width();
        const int coreWidth = stream.port.tdata.width();
        const Inner outer = inner(stream.name, width);
        const Inner inside = width == coreWidth ? outer : inner(stream.name + "_core", coreWidth);
        wireCore(stream.port, inside);
        if (width != coreWidth)
            convert(stream.name + "_converter", inside, outer,
                    ceilDiv(stream.frameBits, std::min(width, coreWidth)), {});
        const Expr waits = m_.wire(stream.name + "_waits", bits(1));
        wholeInstance(m_, sink_, stream.name + "_sink",
                      {{"aclk", ports_.clock},
                       {"aresetn", ports_.reset},
                       {"running", control_.at("lets")},
                       {"valid", outer.valid},
                       {"data", outer.data},
                       {"last", outer.last},
                       {"ready", outer.ready},
                       {"tdata", port.tdata},
                       {"tvalid", port.tvalid},
                       {"tlast", port.tlast},
                       {"tready", port.tready},
                       {"clean", bitOf("clean", k)},
                       {"filled", bitOf("filled", k)},
                       {"ended", bitOf("ended", k)},
                       {"waits", waits}},
                      {{"WIDTH", width}});
        status_["stalls_" + stream.name + "_count"] = stalls(stream.name, waits);
    }

    void wireCore(const rtl::AxisPorts& port, const Inner& wires) {
        coreWires_.emplace_back(port.tdata.node().net, wires.data);
        coreWires_.emplace_back(port.tvalid.node().net, wires.valid);
        coreWires_.emplace_back(port.tlast.node().net, wires.last);
        coreWires_.emplace_back(port.tready.node().net, wires.ready);
    }

    void memory() {
        const CoreMemory& core = *core_.memory;
        const auto joined = joinMemory(m_, core, ports_,
                                       {request_.name, buffer_, ports_.clock, ports_.reset, kept_});
        memoryError_ = joined.bad;
        memoryOwes_ = joined.owes;
        coreWires_.insert(coreWires_.end(), joined.core.begin(), joined.core.end());
        coreWaits_ = memoryWaits(core.stalls, "weights_waits");
        if (core.write) {
            memoryWaits(core.stallsLoads, "loads_waits");
            memoryWaits(core.stallsStores, "stores_waits");
        }
        status_["control_reload_weights"] = constant(0, 1);
        const Expr low = fields_.at("weights_base_low_address_is");
        const Expr high = fields_.at("weights_base_high_address_is");
        const Expr base = rtl::join({high, low, constant(0, 12)}).extended(64);
        coreWires_.emplace_back(core.base.node().net, base);
        coreWires_.emplace_back(core.reload.node().net, fields_.at("control_reload_weights_asked"));
    }

    /// The register shows the lower half of a counter of the core.
    Expr memoryWaits(const Expr& count, const std::string& name) {
        m_.lint("lint_off UNUSEDSIGNAL");
        const Expr all = m_.wire(name, bits(64));
        m_.lint("lint_on UNUSEDSIGNAL");
        status_[name + "_count"] = all.slice(0, 32);
        coreWires_.emplace_back(count.node().net, all);
        return all;
    }

    void frames() {
        m_.blank();
        expired_ = m_.wire("expired", bits(1));
        coreError_ = m_.wire("core_error", bits(1));
        if (countsWork())
            coreWork_ = m_.wire("core_work", bits(64));
        rtl::Module::Connections wired = {{"aclk", ports_.clock},
                                          {"aresetn", ports_.reset},
                                          {"start", fields_.at("control_start_asked")},
                                          {"abort", fields_.at("control_abort_asked")},
                                          {"auto_restart", fields_.at("control_auto_restart_is")},
                                          {"core_error", coreError_},
                                          {"memory_error", memoryError_},
                                          {"expired", expired_}};
        for (const auto& [name, wire] : streams_)
            if (frames_->port(name))
                wired.emplace_back(name, wire);
        if (starts_)
            wired.emplace_back("core_done", coreDone_ = m_.wire("core_done", bits(1)));
        for (const auto& [name, wire] : control_)
            wired.emplace_back(name, wire);
        wholeInstance(m_, frames_, "frames", wired);
    }

    void watch() {
        const Expr waiting =
            joinWatchdog(m_, {request_.name, ports_.clock, ports_.reset, control_.at("watches"),
                              control_.at("clears"), fields_.at("watchdog_limit_is"), expired_,
                              coreWork_, coreWaits_, memoryOwes_, ports_});
        if (core_.memory)
            status_["waiting_weights"] = waiting.bit(0);
        status_["waiting_inputs"] = waiting.bit(1);
        status_["waiting_outputs"] = waiting.bit(2);
    }

    void slave() {
        const Expr done = control_.at("frame_done");
        const Expr failed = control_.at("frame_failed");
        const Expr cycles = control_.at("cycles");
        const auto enabled = [&](const char* event) {
            return fields_.at(cat("interrupt_enable_", event, "_is"));
        };
        status_["control_start"] = control_.at("pending");
        status_["control_idle"] = control_.at("idle");
        status_["control_abort"] = control_.at("aborting");
        status_["error_code"] = control_.at("code");
        status_["frames_count"] = control_.at("frames");
        status_["cycles_low_count"] = cycles.slice(0, 32);
        status_["cycles_high_count"] = cycles.slice(32, 32);
        if (countsWork()) {
            status_["work_low_count"] = coreWork_.slice(0, 32);
            status_["work_high_count"] = coreWork_.slice(32, 32);
        }
        rtl::Module::Connections wired = {
            {"aclk", ports_.clock},
            {"aresetn", ports_.reset},
            {"control_done_event", done},
            {"interrupt_status_done_event", done & enabled("done")},
            {"interrupt_status_error_event", failed & enabled("error")}};
        for (const auto& [name, value] : status_)
            wired.emplace_back(name + "_now", value);
        for (const auto& [name, wire] : fields_)
            wired.emplace_back(name, wire);
        for (const rtl::NetPtr& port : slave_->ports())
            if (port->wanted.starts_with(kControlPrefix))
                wired.emplace_back(port, rtl::wordOf(own(port->wanted)));
        wholeInstance(m_, slave_, "registers", wired);
        m_.clocked(ports_.clock, [&](Block& b) {
            b.set(ports_.interrupt, ports_.reset & fields_.at("global_interrupt_enable_is") &
                                        (fields_.at("interrupt_status_done_is") |
                                         fields_.at("interrupt_status_error_is")));
        });
    }

    rtl::NetPtr own(const std::string& port) const { return m_.port(port); }

    void core() {
        m_.blank();
        coreWires_.emplace_back(core_.clock.node().net, ports_.clock);
        coreWires_.emplace_back(core_.reset.node().net, kept_);
        coreWires_.emplace_back(core_.error.node().net, coreError_);
        if (starts_) {
            coreWires_.emplace_back(core_.start.node().net, control_.at("core_start"));
            coreWires_.emplace_back(core_.done.node().net, coreDone_);
        }
        if (countsWork())
            coreWires_.emplace_back(core_.work.node().net, coreWork_);
        wholeInstance(m_, core_.module, "core", coreWires_);
    }

    bool countsWork() const { return core_.work.size() != rtl::Size(0); }

    const ShellCore& core_;
    const ShellRequest& request_;
    bool starts_; ///< the core has start and done
    RegisterMap registers_;
    rtl::Module m_;
    ShellPorts ports_;
    ModulePtr buffer_, source_, sink_, counter_, frames_, slave_;
    std::map<std::pair<int, int>, ModulePtr> converters_;
    Wires control_; ///< outputs of the frame control, by port
    Wires fields_;  ///< outputs of the slave, by port
    Wires streams_; ///< a bit of each stream, by input of the frame control
    Wires status_;  ///< what is read, by register and field
    Expr kept_, coreError_, coreDone_, coreWork_;
    Expr memoryError_, memoryOwes_, coreWaits_; ///< of no bits: there is no memory
    Expr expired_;
    rtl::Module::Connections coreWires_;
};

} // namespace

ControlShell shellTop(const ShellCore& core, const ShellRequest& request, RegisterMap registers) {
    return ShellTop(core, request, std::move(registers)).build();
}

} // namespace marquetry::hdl
