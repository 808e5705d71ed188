#include "engine/vendor/interfaces.h"
#include "engine/vendor/quartus_parts.h"
#include "engine/vendor/tcl_text.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace marquetry::vendor {

namespace {

constexpr const char* kClock = "clock";
constexpr const char* kReset = "reset";

std::string roleOf(std::string signal) {
    std::ranges::transform(signal, signal.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return signal;
}

std::vector<ComponentPort> portsWithRoles(const std::vector<SignalPort>& signals) {
    std::vector<ComponentPort> ports;
    for (const auto& [signal, port] : signals)
        ports.push_back({port.name, roleOf(signal), port.bits, port.isInput});
    return ports;
}

ComponentInterface synchronous(const std::string& name, const std::string& type,
                               const std::string& end) {
    return {name, type, end, {{"associatedClock", kClock}, {"associatedReset", kReset}}, {}};
}

ComponentInterface avalonInterface(const ProjectStream& stream, const AvalonStream& avalon,
                                   const std::string& name) {
    const bool in = stream.isInput;
    ComponentInterface interface = synchronous(name, "avalon_streaming", in ? "end" : "start");
    interface.properties.insert(interface.properties.end(), {{"dataBitsPerSymbol", "8"},
                                                             {"firstSymbolInHighOrderBits", "true"},
                                                             {"readyLatency", "0"}});
    interface.ports = {{avalon.data, "data", stream.tdataBits, in},
                       {avalon.valid, "valid", 1, in},
                       {avalon.ready, "ready", 1, !in},
                       {avalon.startofpacket, "startofpacket", 1, in},
                       {avalon.endofpacket, "endofpacket", 1, in}};
    if (avalon.emptyBits > 0)
        interface.ports.push_back({avalon.empty, "empty", avalon.emptyBits, in});
    return interface;
}

ComponentInterface memoryInterface(const ProjectMemory& memory) {
    ComponentInterface interface = synchronous("weights", "axi4", "start");
    interface.properties.emplace_back("readIssuingCapability", std::to_string(memory.mostReads));
    if (memory.write)
        interface.properties.emplace_back("writeIssuingCapability",
                                          std::to_string(rtl::kMostWriteBursts));
    interface.ports = portsWithRoles(axiMasterSignals(memory));
    return interface;
}

ComponentInterface memoryInterface(const ProjectMemory& memory, const AvalonMemory& avalon) {
    ComponentInterface interface = synchronous("weights", "avalon", "start");
    interface.properties.emplace_back("addressUnits", "SYMBOLS");
    interface.ports = {{avalon.address, "address", rtl::kAxiAddressBits, false},
                       {avalon.read, "read", 1, false},
                       {avalon.burstcount, "burstcount", avalon.burstBits, false},
                       {avalon.waitrequest, "waitrequest", 1, true},
                       {avalon.readdata, "readdata", memory.dataBits, true},
                       {avalon.readdatavalid, "readdatavalid", 1, true},
                       {avalon.response, "response", 2, true}};
    if (avalon.write.empty())
        return interface;
    interface.ports.insert(interface.ports.end(),
                           {{avalon.write, "write", 1, false},
                            {avalon.writedata, "writedata", memory.dataBits, false},
                            {avalon.byteenable, "byteenable", memory.dataBits / 8, false},
                            {avalon.writeresponsevalid, "writeresponsevalid", 1, true}});
    return interface;
}

/// "1.2.3" of the program's version, whatever stands behind it.
std::string componentVersion(const Project& project) {
    static const std::regex kVersion("(\\d+(?:\\.\\d+){0,2}).*");
    std::smatch match;
    return std::regex_match(project.version, match, kVersion) ? match[1].str() : "1.0";
}

std::string filesetLines(const std::string& kind, const std::string& top, const Project& project,
                         const std::vector<std::string>& files) {
    std::string text = "add_fileset " + kind + " " + kind + " \"\" \"\"\n";
    text += "set_fileset_property " + kind + " TOP_LEVEL " + top + "\n";
    const auto line = [&](const std::string& path, const std::string& type) {
        text += "add_fileset_file " + path.substr(path.find_last_of('/') + 1) + " " + type +
                " PATH " + tclWord(path) + "\n";
    };
    for (const std::string& memory : project.memories)
        line("../" + memory, "OTHER");
    for (const std::string& source : project.sources)
        line("../" + source, "VERILOG");
    for (const std::string& file : files)
        line(file, "VERILOG");
    return text;
}

std::string interfaceLines(const ComponentInterface& interface) {
    std::string text =
        "\nadd_interface " + interface.name + " " + interface.type + " " + interface.end + "\n";
    for (const auto& [property, value] : interface.properties)
        text += "set_interface_property " + interface.name + " " + property + " " + value + "\n";
    for (const ComponentPort& port : interface.ports)
        text += "add_interface_port " + interface.name + " " + port.name + " " + port.role + " " +
                (port.isInput ? "Input " : "Output ") + std::to_string(port.bits) + "\n";
    return text;
}

} // namespace

std::vector<ComponentInterface> componentInterfaces(const Project& project,
                                                    const AvalonWrapper* avalon) {
    const InterfaceNames names = interfaceNames(project);
    std::vector<ComponentInterface> all = {
        {kClock, "clock", "end", {}, {{project.clock, "clk", 1, true}}},
        {kReset,
         "reset",
         "end",
         {{"associatedClock", kClock}, {"synchronousEdges", "BOTH"}},
         {{project.reset, "reset_n", 1, true}}}};
    for (std::size_t k = 0; k < project.streams.size(); ++k) {
        const ProjectStream& stream = project.streams[k];
        ComponentInterface interface = synchronous("stream_" + names.streams[k], "axi4stream",
                                                   stream.isInput ? "end" : "start");
        interface.ports = portsWithRoles(axisSignals(stream));
        all.push_back(
            avalon == nullptr ? interface : avalonInterface(stream, avalon->streams[k], interface.name));
    }
    if (project.control) {
        ComponentInterface control = synchronous("control", "axi4lite", "end");
        control.ports = portsWithRoles(axiLiteSignals(*project.control));
        ComponentInterface interrupt = synchronous("interrupt", "interrupt", "end");
        interrupt.properties.emplace_back("associatedAddressablePoint", "control");
        interrupt.ports = {{project.control->interrupt, "irq", 1, false}};
        all.insert(all.end(), {control, interrupt});
    }
    if (project.memory)
        all.push_back(avalon == nullptr ? memoryInterface(*project.memory)
                                        : memoryInterface(*project.memory, *avalon->memory));
    for (const PlainPort& port : project.plainPorts) {
        ComponentInterface conduit = synchronous("port_" + port.name, "conduit", "end");
        conduit.ports = {{port.name, "export", port.bits, port.isInput}};
        all.push_back(conduit);
    }
    return all;
}

std::string componentScript(const Project& project, const std::string& top,
                            const std::vector<std::string>& files,
                            const std::vector<ComponentInterface>& interfaces) {
    std::string text =
        tclComment(project.name + " for Platform Designer. Made by Marquetry " + project.version) +
        "\npackage require -exact qsys 16.0\n\n";
    const auto property = [&](const std::string& name, const std::string& value) {
        text += "set_module_property " + name + " " + tclWord(value) + "\n";
    };
    property("NAME", top);
    property("VERSION", componentVersion(project));
    property("DISPLAY_NAME", top);
    property("DESCRIPTION", project.name + ", made by Marquetry");
    property("GROUP", "Marquetry");
    property("EDITABLE", "false");
    property("INSTANTIATE_IN_SYSTEM_MODULE", "true");
    for (const char* kind : {"QUARTUS_SYNTH", "SIM_VERILOG"})
        text += "\n" + filesetLines(kind, top, project, files);
    for (const ComponentInterface& interface : interfaces)
        text += interfaceLines(interface);
    return text;
}

} // namespace marquetry::vendor
