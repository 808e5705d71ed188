#include "engine/vendor/interfaces.h"

#include <cctype>
#include <set>

namespace marquetry::vendor {

namespace {

std::string lowered(std::string text) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Names given so far, without case.
class Given {
public:
    std::string fresh(const std::string& wanted) {
        std::string name = wanted;
        for (int k = 1; !lower_.insert(lowered(name)).second; ++k)
            name = wanted + "_" + std::to_string(k);
        return name;
    }

private:
    std::set<std::string> lower_;
};

/// "x" of "x_suffix"; else `otherwise`.
std::string before(const std::string& port, const std::string& suffix,
                   const std::string& otherwise) {
    const std::string end = "_" + suffix;
    const auto at = lowered(port).rfind(end);
    return at == std::string::npos || at == 0 ? otherwise : port.substr(0, at);
}

} // namespace

std::vector<SignalPort> axisSignals(const ProjectStream& stream) {
    const bool in = stream.isInput;
    return {{"TDATA", {stream.port.tdata, stream.tdataBits, in}},
            {"TLAST", {stream.port.tlast, 1, in}},
            {"TVALID", {stream.port.tvalid, 1, in}},
            {"TREADY", {stream.port.tready, 1, !in}}};
}

std::vector<SignalPort> axiLiteSignals(const ProjectControl& control) {
    const rtl::AxiLiteNames& p = control.port;
    const int address = control.registers.addressBits;
    return {{"AWADDR", {p.awaddr, address, true}}, {"AWPROT", {p.awprot, 3, true}},
            {"AWVALID", {p.awvalid, 1, true}},     {"AWREADY", {p.awready, 1, false}},
            {"WDATA", {p.wdata, 32, true}},        {"WSTRB", {p.wstrb, 4, true}},
            {"WVALID", {p.wvalid, 1, true}},       {"WREADY", {p.wready, 1, false}},
            {"BRESP", {p.bresp, 2, false}},        {"BVALID", {p.bvalid, 1, false}},
            {"BREADY", {p.bready, 1, true}},       {"ARADDR", {p.araddr, address, true}},
            {"ARPROT", {p.arprot, 3, true}},       {"ARVALID", {p.arvalid, 1, true}},
            {"ARREADY", {p.arready, 1, false}},    {"RDATA", {p.rdata, 32, false}},
            {"RRESP", {p.rresp, 2, false}},        {"RVALID", {p.rvalid, 1, false}},
            {"RREADY", {p.rready, 1, true}}};
}

std::vector<SignalPort> axiReadSignals(const ProjectMemory& memory) {
    const rtl::AxiReadNames& p = memory.port;
    return {{"ARADDR", {p.araddr, rtl::kAxiAddressBits, false}},
            {"ARLEN", {p.arlen, 8, false}},
            {"ARSIZE", {p.arsize, 3, false}},
            {"ARBURST", {p.arburst, 2, false}},
            {"ARCACHE", {p.arcache, 4, false}},
            {"ARPROT", {p.arprot, 3, false}},
            {"ARVALID", {p.arvalid, 1, false}},
            {"ARREADY", {p.arready, 1, true}},
            {"RDATA", {p.rdata, memory.dataBits, true}},
            {"RRESP", {p.rresp, 2, true}},
            {"RLAST", {p.rlast, 1, true}},
            {"RVALID", {p.rvalid, 1, true}},
            {"RREADY", {p.rready, 1, false}}};
}

std::vector<SignalPort> axiWriteSignals(const ProjectMemory& memory) {
    if (!memory.write)
        return {};
    const rtl::AxiWriteNames& p = *memory.write;
    return {{"AWADDR", {p.awaddr, rtl::kAxiAddressBits, false}},
            {"AWLEN", {p.awlen, 8, false}},
            {"AWSIZE", {p.awsize, 3, false}},
            {"AWBURST", {p.awburst, 2, false}},
            {"AWCACHE", {p.awcache, 4, false}},
            {"AWPROT", {p.awprot, 3, false}},
            {"AWVALID", {p.awvalid, 1, false}},
            {"AWREADY", {p.awready, 1, true}},
            {"WDATA", {p.wdata, memory.dataBits, false}},
            {"WSTRB", {p.wstrb, memory.dataBits / 8, false}},
            {"WLAST", {p.wlast, 1, false}},
            {"WVALID", {p.wvalid, 1, false}},
            {"WREADY", {p.wready, 1, true}},
            {"BRESP", {p.bresp, 2, true}},
            {"BVALID", {p.bvalid, 1, true}},
            {"BREADY", {p.bready, 1, false}}};
}

std::vector<SignalPort> axiMasterSignals(const ProjectMemory& memory) {
    std::vector<SignalPort> signals = axiWriteSignals(memory);
    const std::vector<SignalPort> reads = axiReadSignals(memory);
    signals.insert(signals.end(), reads.begin(), reads.end());
    return signals;
}

std::vector<PlainPort> portsOf(const Project& project) {
    std::vector<PlainPort> ports = {{project.clock, 1, true}, {project.reset, 1, true}};
    for (const ProjectStream& stream : project.streams)
        for (const SignalPort& signal : axisSignals(stream))
            ports.push_back(signal.port);
    if (project.control) {
        for (const SignalPort& signal : axiLiteSignals(*project.control))
            ports.push_back(signal.port);
        ports.push_back({project.control->interrupt, 1, false});
    }
    if (project.memory)
        for (const SignalPort& signal : axiMasterSignals(*project.memory))
            ports.push_back(signal.port);
    ports.insert(ports.end(), project.plainPorts.begin(), project.plainPorts.end());
    return ports;
}

InterfaceNames interfaceNames(const Project& project) {
    Given given;
    // Clock, reset and interrupt are interfaces too, of the names of their ports.
    given.fresh(project.clock);
    given.fresh(project.reset);
    InterfaceNames names;
    if (project.control) {
        given.fresh(project.control->interrupt);
        names.control = given.fresh(before(project.control->port.awaddr, "awaddr", "s_axi"));
    }
    if (project.memory)
        names.memory = given.fresh(before(project.memory->port.araddr, "araddr", "m_axi"));
    for (const ProjectStream& stream : project.streams)
        names.streams.push_back(
            given.fresh(before(stream.port.tdata, "tdata", stream.isInput ? "s_axis" : "m_axis")));
    return names;
}

} // namespace marquetry::vendor
