#include "tests/control/shell_bench.h"

#include "engine/artefact/simulation.h"
#include "engine/rtl/printed.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {

namespace {

using hdl::cat;

std::string bytesOf(const SmallStream& stream, const FrameWords& words) {
    std::string bytes;
    for (const std::uint64_t word : words)
        for (int low = 0; low < stream.bits; low += 8)
            bytes += static_cast<char>(word >> low & 0xff);
    bytes.resize(static_cast<std::size_t>(stream.frameBits / 8));
    return bytes;
}

std::string literal(const std::string& bytes) {
    std::string text = "{";
    for (const char c : bytes)
        text += cat(static_cast<int>(static_cast<unsigned char>(c)), ",");
    return text + "}";
}

/// ports.h: what bench/shell.h asks of the hardware.
class PortsText {
public:
    PortsText(const ShellBench& bench, const hdl::ControlShell& shell, const rtl::Names& names)
        : bench_(bench), shell_(shell), names_(names), ports_(namesOf(names, shell.ports)) {}

    std::string text() && {
        line("#pragma once");
        line("#include \"V", ports_.top, ".h\"");
        line("#include \"verilated.h\"");
        line("#include <cstring>\nnamespace bench {");
        line("using Dut = V", ports_.top, ";");
        registers();
        streams();
        control();
        memory();
        everything();
        line("}");
        return std::move(text_);
    }

private:
    template <class... Parts>
    void line(const Parts&... parts) {
        text_ += cat(parts..., "\n");
    }

    void registers() {
        line("struct RegisterInfo { const char* name; std::uint32_t offset, reset, writable; };");
        line("inline constexpr RegisterInfo kRegisters[] = {");
        for (const hdl::ControlRegister& r : shell_.registers.registers) {
            std::uint32_t reset = 0, writable = 0;
            for (const hdl::ControlField& field : r.fields) {
                reset |= field.reset << field.low;
                if (field.access == hdl::Access::ReadWrite)
                    writable |= static_cast<std::uint32_t>(((std::uint64_t{1} << field.bits) - 1)
                                                           << field.low);
            }
            line("{\"", r.name, "\", ", r.offset, "U, ", reset, "U, ", writable, "U},");
        }
        line("};");
        line("inline constexpr std::uint32_t kAddressEnd = 1U << ", shell_.registers.addressBits,
             ";");
        const std::pair<const char*, const char*> named[] = {
            {"kControl", "control"},      {"kGlobalInterrupt", "global_interrupt"},
            {"kError", "error"},          {"kInterruptEnable", "interrupt_enable"},
            {"kFrames", "frames"},        {"kInterruptStatus", "interrupt_status"},
            {"kCyclesLow", "cycles_low"}, {"kCyclesHigh", "cycles_high"},
            {"kWatchdog", "watchdog"},    {"kWaiting", "waiting"}};
        for (const auto& [constant, name] : named)
            line("inline constexpr std::uint32_t ", constant, " = ",
                 shell_.registers.at(name).offset, ";");
    }

    void infos(const char* name, const std::vector<hdl::CoreStream>& streams,
               const std::vector<std::vector<std::string>>& frames) {
        line("inline const std::vector<StreamInfo> ", name, " = {");
        for (std::size_t k = 0; k < streams.size(); ++k) {
            line("{\"", streams[k].name, "\", ",
                 hdl::shellBits(streams[k], bench_.request.streamBits) / 8, ", ",
                 shell_.registers.at("stalls_" + streams[k].name).offset, ", {");
            for (const std::string& frame : frames[k])
                line(literal(frame), ",");
            line("}},");
        }
        line("};");
    }

    void streams() {
        line("struct StreamInfo { const char* name; std::size_t beatBytes; std::uint32_t "
             "stallRegister; std::vector<Bytes> frames; };");
        infos("kSourceInfo", bench_.core.sources, bench_.frames.sources);
        infos("kSinkInfo", bench_.core.sinks, bench_.frames.sinks);
        line("inline constexpr long kFrameCount = ", bench_.frames.sinks[0].size(), ";");
        line("inline constexpr bool kFlows = ", bench_.flowClocks > 0, ";");
        line("inline constexpr long kFlowClocks = ", bench_.flowClocks, ";");
        line("inline void driveSource(Dut& d, std::size_t k, const Beat* beat) {");
        for (std::size_t k = 0; k < ports_.sources.size(); ++k) {
            const rtl::AxisNames& p = ports_.sources[k];
            line("if (k == ", k, ") { d.", p.tvalid, " = beat != nullptr; d.", p.tlast,
                 " = beat ? beat->last : chance(50);");
            line("std::memset(&d.", p.tdata, ", 0, sizeof d.", p.tdata, "); for (std::size_t i = ",
                 "0; i < kSourceInfo[k].beatBytes; ++i) reinterpret_cast<std::uint8_t*>(&d.",
                 p.tdata, ")[i] = beat ? beat->data[i] : static_cast<std::uint8_t>(draw()); }");
        }
        line("(void)d; (void)k; (void)beat; }");
        line("inline bool sourceReady(const Dut& d, std::size_t k) {");
        for (std::size_t k = 0; k < ports_.sources.size(); ++k)
            line("if (k == ", k, ") return d.", ports_.sources[k].tready, ";");
        line("(void)d; (void)k; return false; }");
        sinks();
    }

    void sinks() {
        line("inline void driveSink(Dut& d, std::size_t k, bool ready) {");
        for (std::size_t k = 0; k < ports_.sinks.size(); ++k)
            line("if (k == ", k, ") d.", ports_.sinks[k].tready, " = ready;");
        line("}");
        for (const auto& [name, wire] : {std::pair{"sinkValid", &rtl::AxisNames::tvalid},
                                         {"sinkLast", &rtl::AxisNames::tlast}}) {
            line("inline bool ", name, "(const Dut& d, std::size_t k) {");
            for (std::size_t k = 0; k < ports_.sinks.size(); ++k)
                line("if (k == ", k, ") return d.", ports_.sinks[k].*wire, ";");
            line("return false; }");
        }
        line("inline Bytes sinkData(const Dut& d, std::size_t k) {");
        line("const void* from = nullptr;");
        for (std::size_t k = 0; k < ports_.sinks.size(); ++k)
            line("if (k == ", k, ") from = &d.", ports_.sinks[k].tdata, ";");
        line("Bytes data(kSinkInfo[k].beatBytes); std::memcpy(data.data(), from, data.size()); ",
             "return data; }");
    }

    void control() {
        const rtl::AxiLiteNames& p = ports_.control;
        line("inline void setClock(Dut& d, bool v) { d.", ports_.clock, " = v; }");
        line("inline void setReset(Dut& d, bool v) { d.", ports_.reset, " = v; }");
        line("inline bool interrupt(const Dut& d) { return d.", ports_.interrupt, "; }");
        line("inline void liteMaster(Dut& d, const LiteMaster& m) {");
        const auto any = [](const std::string& valid, const std::string& value, int bits) {
            return cat(valid, " ? ", value, " : draw() & ", (std::uint64_t{1} << bits) - 1, "U");
        };
        const int address = shell_.registers.addressBits;
        line("d.", p.awvalid, " = m.awvalid; d.", p.wvalid, " = m.wvalid; d.", p.arvalid,
             " = m.arvalid; d.", p.bready, " = m.bready; d.", p.rready, " = m.rready;");
        line("d.", p.awaddr, " = ", any("m.awvalid", "m.awaddr", address), ";");
        line("d.", p.araddr, " = ", any("m.arvalid", "m.araddr", address), ";");
        line("d.", p.wdata, " = ", any("m.wvalid", "m.wdata", 32), ";");
        line("d.", p.wstrb, " = ", any("m.wvalid", "m.wstrb", 4), ";");
        line("d.", p.awprot, " = d.", p.arprot, " = draw() & 7U; }");
        line("inline LiteSlave liteSlave(const Dut& d) { return {bool(d.", p.awready, "), bool(d.",
             p.wready, "), bool(d.", p.bvalid, "), bool(d.", p.arready, "), bool(d.", p.rvalid,
             "), d.", p.bresp, ", d.", p.rdata, ", d.", p.rresp, "}; }");
    }

    /// Nothing where there is none.
    void memory() {
        line("inline const Bytes kImage = ", literal(bench_.image), ";");
        if (!ports_.memory) {
            line("inline constexpr std::size_t kMemoryBytes = 0;");
            line("inline constexpr std::uint32_t kWeightsLow = 0, kWeightsHigh = 0;");
            line("inline ReadRequest readRequest(const Dut&) { return {}; }");
            line("inline void answerRead(Dut&, const ReadAnswer&) {}");
            writes();
            return;
        }
        const rtl::AxiReadNames& p = *ports_.memory;
        line("inline constexpr std::size_t kMemoryBytes = ", shell_.ports.memory->rdata.width() / 8,
             ";");
        line("inline constexpr std::uint32_t kWeightsLow = ",
             shell_.registers.at("weights_base_low").offset,
             ", kWeightsHigh = ", shell_.registers.at("weights_base_high").offset, ";");
        line("inline ReadRequest readRequest(const Dut& d) { return {bool(d.", p.arvalid, "), d.",
             p.araddr, ", d.", p.arlen, ", d.", p.arsize, ", d.", p.arburst, ", bool(d.", p.rready,
             ")}; }");
        line("inline void answerRead(Dut& d, const ReadAnswer& a) { d.", p.arready,
             " = a.arready; d.", p.rvalid, " = a.rvalid; d.", p.rlast, " = a.rlast; d.", p.rresp,
             " = a.rvalid ? a.rresp : draw() & 3U;");
        line("for (std::size_t i = 0; i < kMemoryBytes; ++i) reinterpret_cast<std::uint8_t*>(&d.",
             p.rdata, ")[i] = a.rvalid ? a.data[i] : static_cast<std::uint8_t>(draw()); }");
        writes();
    }

    void writes() {
        line("inline constexpr bool kWrites = ", ports_.writes ? "true" : "false", ";");
        line("inline constexpr std::size_t kWritten = ", bench_.written, ";");
        if (!ports_.writes) {
            line("inline WriteRequest writeRequest(const Dut&) { return {}; }");
            line("inline void answerWrite(Dut&, const WriteAnswer&) {}");
            return;
        }
        const rtl::AxiWriteNames& p = *ports_.writes;
        const int bytes = shell_.ports.writes->wdata.width() / 8;
        line("inline WriteRequest writeRequest(const Dut& d) { WriteRequest w;");
        line("w.awvalid = d.", p.awvalid, "; w.address = d.", p.awaddr, "; w.length = d.", p.awlen,
             "; w.size = d.", p.awsize, "; w.burst = d.", p.awburst, ";");
        line("w.wvalid = d.", p.wvalid, "; w.beat.last = d.", p.wlast, "; w.ready = d.", p.bready,
             ";");
        line("const auto* data = reinterpret_cast<const std::uint8_t*>(&d.", p.wdata, ");");
        line("const auto* lanes = reinterpret_cast<const std::uint8_t*>(&d.", p.wstrb, ");");
        line("w.beat.data.assign(data, data + ", bytes, ");");
        line("for (std::size_t i = 0; i < ", bytes,
             "; ++i) w.beat.lanes.push_back(lanes[i / 8] >> (i % 8) & 1U);");
        line("return w; }");
        line("inline void answerWrite(Dut& d, const WriteAnswer& a) { d.", p.awready,
             " = a.awready; d.", p.wready, " = a.wready; d.", p.bvalid, " = a.bvalid; d.", p.bresp,
             " = a.bvalid ? a.bresp : draw() & 3U; }");
    }

    void everything() {
        line("inline Bytes outputs(const Dut& d) { Bytes all;");
        for (const rtl::NetPtr& port : shell_.module->ports())
            if (port->kind != rtl::Net::Kind::Input)
                line("all.insert(all.end(), reinterpret_cast<const std::uint8_t*>(&d.",
                     names_.of(*port), "), reinterpret_cast<const std::uint8_t*>(&d.",
                     names_.of(*port), ") + sizeof d.", names_.of(*port), ");");
        line("return all; }");
        line("inline void shakeInputs(Dut& d) {");
        for (const rtl::NetPtr& port : shell_.module->ports()) {
            const std::string& name = names_.of(*port);
            if (port->kind != rtl::Net::Kind::Input || name == ports_.clock || name == ports_.reset)
                continue;
            const std::int64_t bits = port->type.width.value();
            if (bits > 64)
                line("for (std::size_t i = 0; i < ", bits / 8, "; ++i) reinterpret_cast<",
                     "std::uint8_t*>(&d.", name, ")[i] = static_cast<std::uint8_t>(draw());");
            else
                line("d.", name, " = draw() & ",
                     bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1, "U;");
        }
        line("}");
    }

    const ShellBench& bench_;
    const hdl::ControlShell& shell_;
    const rtl::Names& names_;
    hdl::ShellNames ports_;
    std::string text_;
};

/// The hardware's files, with what is to be wrong in them.
files::FolderFiles rtlFiles(const hdl::Netlist& netlist, const ShellBench& bench) {
    files::FolderFiles files;
    for (const hdl::Module& module : netlist.modules)
        files["rtl/" + module.name + ".v"] = module.verilog;
    for (const hdl::MemoryFile& memory : netlist.memories)
        files["rtl/" + memory.name] = memory.text;
    for (const auto& [from, to] : bench.faults) {
        int places = 0;
        for (auto& [name, text] : files)
            if (const std::size_t at = text.find(from); at != std::string::npos) {
                text.replace(at, from.size(), to);
                ++places;
            }
        EXPECT_GT(places, 0) << from;
    }
    return files;
}

} // namespace

ShellFrames framesOf(const SmallCore& small, int count, std::uint64_t seed) {
    ShellFrames frames{std::vector<std::vector<std::string>>(small.sources.size()),
                       std::vector<std::vector<std::string>>(small.sinks.size())};
    SplitMix64 rng(seed);
    for (int frame = 0; frame < count; ++frame) {
        std::vector<FrameWords> in;
        for (std::size_t k = 0; k < small.sources.size(); ++k) {
            const SmallStream& stream = small.sources[k];
            FrameWords& words = in.emplace_back();
            for (std::int64_t beat = 0; beat < stream.beats(); ++beat) {
                const std::int64_t bits =
                    std::min<std::int64_t>(stream.bits, stream.frameBits - beat * stream.bits);
                words.push_back(rng.next() >> (64 - bits));
            }
            frames.sources[k].push_back(bytesOf(stream, words));
        }
        const std::vector<FrameWords> out = small.model(in);
        for (std::size_t k = 0; k < small.sinks.size(); ++k)
            frames.sinks[k].push_back(bytesOf(small.sinks[k], out[k]));
    }
    return frames;
}

std::string saidOf(const ShellBench& bench) {
    const auto shell = hdl::controlShell(bench.core, bench.request);
    if (!shell)
        return format(shell.error());
    const rtl::Names names(shell->module);
    hdl::ExportFolder source;
    source.files = rtlFiles(hdl::printed(names, rtl::Vendor::Xilinx), bench);
    files::FolderFiles files = {{"tb/ports.h", PortsText(bench, *shell, names).text()}};
    for (const char* const name :
         {"checks.h", "axi_stream.h", "axi_lite.h", "axi_memory.h", "axi_writes.h", "shell.h",
          "frames.h", "frame_ends.h", "memory_cases.h", "watchdog_cases.h", "shell_bench.cpp"})
        files[std::string("tb/") + name] =
            *test::readText(sourceFolder() + "/tests/control/bench/" + name);
    hdl::SimulatorInput input{"tb/shell_bench.cpp", names.of(*shell->module)};
    input.clocks = bench.aborts > 100 ? 1'000'000 : 1'000;
    const auto simulation =
        hdl::Simulation::make(source, files, hdl::Simulator::Verilator, std::move(input), {});
    if (!simulation)
        return format(simulation.error());
    if (const Status built = simulation->build(hdl::Waveform::None); !built)
        return format(built.error());
    const auto said = simulation->run({cat("+seed=", bench.seed), cat("+aborts=", bench.aborts)});
    return said ? *said : format(said.error());
}

} // namespace marquetry::test
