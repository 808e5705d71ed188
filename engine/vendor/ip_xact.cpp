#include "engine/vendor/ip_xact.h"

#include "engine/vendor/interfaces.h"
#include "engine/vendor/vivado_scripts.h"
#include "engine/vendor/vivado_xml.h"

#include <algorithm>

namespace marquetry::vendor {

namespace {

constexpr const char* kSynthesis = "xilinx_anylanguagesynthesis";
constexpr const char* kSimulation = "xilinx_anylanguagebehavioralsimulation";
constexpr const char* kWindowView = "xilinx_xpgui";

std::string accessName(bool reads, bool writes) {
    return reads && writes ? "read-write" : reads ? "read-only" : "write-only";
}

bool writable(const hdl::ControlField& field) {
    return field.access != hdl::Access::Read;
}

/// vendor:library:name of a bus's definition.
struct CoreBus {
    const char* library;
    const char* name;
};
constexpr CoreBus kClockBus = {"signal", "clock"};
constexpr CoreBus kResetBus = {"signal", "reset"};
constexpr CoreBus kInterruptBus = {"signal", "interrupt"};
constexpr CoreBus kStreamBus = {"interface", "axis"};
constexpr CoreBus kMemoryBus = {"interface", "aximm"};

using Values = std::vector<std::pair<std::string, std::string>>;

struct CoreInterface {
    std::string name;
    CoreBus bus;
    bool isSlave = true;
    std::string space; ///< a slave's memory map, a master's addresses; empty: none
    std::vector<SignalPort> ports;
    Values parameters;
};

std::vector<CoreInterface> streamInterfaces(const Project& project,
                                            const std::vector<std::string>& names) {
    std::vector<CoreInterface> all;
    for (std::size_t k = 0; k < project.streams.size(); ++k) {
        const ProjectStream& stream = project.streams[k];
        const Values parameters = {{"TDATA_NUM_BYTES", std::to_string((stream.tdataBits + 7) / 8)},
                                   {"HAS_TLAST", "1"},
                                   {"HAS_TREADY", "1"}};
        all.push_back({names[k], kStreamBus, stream.isInput, "", axisSignals(stream), parameters});
    }
    return all;
}

CoreInterface signalInterface(const std::string& port, CoreBus bus, const std::string& signal,
                              bool isSlave, Values parameters) {
    return {port, bus, isSlave, "", {{signal, {port, 1, isSlave}}}, std::move(parameters)};
}

std::vector<CoreInterface> interfacesOf(const Project& project) {
    const InterfaceNames names = interfaceNames(project);
    std::vector<CoreInterface> all = streamInterfaces(project, names.streams);
    if (project.control) {
        all.push_back({names.control,
                       kMemoryBus,
                       true,
                       names.control,
                       axiLiteSignals(*project.control),
                       {{"PROTOCOL", "AXI4LITE"}, {"DATA_WIDTH", "32"}}});
        all.push_back(signalInterface(project.control->interrupt, kInterruptBus, "INTERRUPT", false,
                                      {{"SENSITIVITY", "LEVEL_HIGH"}}));
    }
    if (project.memory)
        all.push_back({names.memory, kMemoryBus, false, names.memory,
                       axiMasterSignals(*project.memory), memoryParameters(*project.memory)});
    all.push_back(
        signalInterface(project.reset, kResetBus, "RST", true, {{"POLARITY", "ACTIVE_LOW"}}));
    Values timed = {{"ASSOCIATED_RESET", project.reset}};
    if (const std::string interfaces = associatedInterfaces(project); !interfaces.empty())
        timed.insert(timed.begin(), {"ASSOCIATED_BUSIF", interfaces});
    all.push_back(signalInterface(project.clock, kClockBus, "CLK", true, std::move(timed)));
    return all;
}

void writeParameters(XmlWriter& xml, const CoreInterface& interface) {
    xml.open("parameters");
    for (const auto& [name, value] : interface.parameters) {
        xml.open("parameter");
        xml.leaf("name", name);
        xml.leaf("value", value, {{"id", "BUSIFPARAM_VALUE." + interface.name + "." + name}});
        xml.close();
    }
    xml.close();
}

void writePortMaps(XmlWriter& xml, const std::vector<SignalPort>& ports) {
    xml.open("portMaps");
    for (const SignalPort& port : ports) {
        xml.open("portMap");
        xml.open("logicalPort");
        xml.leaf("name", port.signal);
        xml.close();
        xml.open("physicalPort");
        xml.leaf("name", port.port.name);
        xml.close();
        xml.close();
    }
    xml.close();
}

void writeInterface(XmlWriter& xml, const CoreInterface& interface) {
    const auto typed = [&](const std::string& suffix) {
        return XmlWriter::Attributes{{"vendor", "xilinx.com"},
                                     {"library", interface.bus.library},
                                     {"name", interface.bus.name + suffix},
                                     {"version", "1.0"}};
    };
    xml.open("busInterface");
    xml.leaf("name", interface.name);
    xml.empty("busType", typed(""));
    xml.empty("abstractionType", typed("_rtl"));
    const std::string mode = interface.isSlave ? "slave" : "master";
    if (interface.space.empty()) {
        xml.empty(mode);
    } else {
        const char* const ref = interface.isSlave ? "memoryMapRef" : "addressSpaceRef";
        xml.open(mode);
        xml.empty(ref, {{ref, interface.space}});
        xml.close();
    }
    writePortMaps(xml, interface.ports);
    writeParameters(xml, interface);
    xml.close();
}

void writeField(XmlWriter& xml, const hdl::ControlField& field) {
    xml.open("field");
    xml.leaf("name", field.name);
    xml.leaf("description", field.text);
    xml.leaf("bitOffset", std::to_string(field.low));
    xml.leaf("bitWidth", std::to_string(field.bits), {{"format", "long"}});
    // What the hardware changes by itself.
    xml.leaf("volatile", field.access == hdl::Access::ReadWrite ? "false" : "true");
    xml.leaf("access", accessOf(field));
    if (field.access == hdl::Access::ClearByOne)
        xml.leaf("modifiedWriteValue", "oneToClear");
    else if (field.access == hdl::Access::Trigger)
        xml.leaf("modifiedWriteValue", "oneToSet");
    xml.close();
}

std::uint32_t resetOf(const hdl::ControlRegister& control) {
    std::uint32_t value = 0;
    for (const hdl::ControlField& field : control.fields)
        value |= field.reset << field.low;
    return value;
}

void writeRegister(XmlWriter& xml, const hdl::ControlRegister& control) {
    xml.open("register");
    xml.leaf("name", control.name);
    xml.leaf("description", control.text);
    xml.leaf("addressOffset", std::to_string(control.offset));
    xml.leaf("size", "32", {{"format", "long"}});
    xml.leaf("access", accessOf(control));
    xml.open("reset");
    xml.leaf("value", std::to_string(resetOf(control)), {{"format", "long"}});
    xml.close();
    for (const hdl::ControlField& field : control.fields)
        writeField(xml, field);
    xml.close();
}

void writeAddressSpace(XmlWriter& xml, const Project& project) {
    if (!project.memory)
        return;
    xml.open("addressSpaces");
    xml.open("addressSpace");
    xml.leaf("name", interfaceNames(project).memory);
    xml.leaf("range", std::to_string(std::uint64_t{1} << rtl::kAxiAddressBits),
             {{"format", "long"}});
    xml.leaf("width", std::to_string(project.memory->dataBits), {{"format", "long"}});
    xml.close();
    xml.close();
}

void writeMemoryMap(XmlWriter& xml, const Project& project) {
    if (!project.control)
        return;
    const hdl::RegisterMap& map = project.control->registers;
    xml.open("memoryMaps");
    xml.open("memoryMap");
    xml.leaf("name", interfaceNames(project).control);
    xml.open("addressBlock");
    xml.leaf("name", kRegisterBlock);
    xml.leaf("baseAddress", "0", {{"format", "long"}});
    xml.leaf("range", std::to_string(std::uint64_t{1} << map.addressBits), {{"format", "long"}});
    xml.leaf("width", "32", {{"format", "long"}});
    xml.leaf("usage", "register");
    xml.leaf("access", "read-write");
    for (const hdl::ControlRegister& control : map.registers)
        writeRegister(xml, control);
    xml.close();
    xml.close();
    xml.close();
}

void writeView(XmlWriter& xml, const std::string& name, const std::string& title,
               const std::string& environment, const std::string& top) {
    xml.open("view");
    xml.leaf("name", name);
    xml.leaf("displayName", title);
    xml.leaf("envIdentifier", environment);
    if (!top.empty()) {
        xml.leaf("language", "Verilog");
        xml.leaf("modelName", top);
    }
    xml.open("fileSetRef");
    xml.leaf("localName", name + "_view_fileset");
    xml.close();
    xml.close();
}

void writePort(XmlWriter& xml, const PlainPort& port) {
    xml.open("port");
    xml.leaf("name", port.name);
    xml.open("wire");
    xml.leaf("direction", port.isInput ? "in" : "out");
    if (port.bits > 1) {
        xml.open("vector");
        xml.leaf("left", std::to_string(port.bits - 1), {{"format", "long"}});
        xml.leaf("right", "0", {{"format", "long"}});
        xml.close();
    }
    xml.open("wireTypeDefs");
    xml.open("wireTypeDef");
    xml.leaf("typeName", "wire");
    for (const char* view : {kSynthesis, kSimulation})
        xml.leaf("viewNameRef", view);
    xml.close();
    xml.close();
    xml.close();
    xml.close();
}

void writeModel(XmlWriter& xml, const Project& project) {
    xml.open("model");
    xml.open("views");
    writeView(xml, kSynthesis, "Synthesis", ":vivado.xilinx.com:synthesis", project.top);
    writeView(xml, kSimulation, "Simulation", ":vivado.xilinx.com:simulation", project.top);
    writeView(xml, kWindowView, "UI Layout", ":vivado.xilinx.com:xgui.ui", "");
    xml.close();
    xml.open("ports");
    for (const PlainPort& port : portsOf(project))
        writePort(xml, port);
    xml.close();
    xml.close();
}

void writeFile(XmlWriter& xml, const std::string& path,
               const std::vector<std::pair<std::string, std::string>>& types) {
    xml.open("file");
    xml.leaf("name", path);
    for (const auto& [element, type] : types)
        xml.leaf(element, type);
    xml.close();
}

void writeFileSets(XmlWriter& xml, const Project& project) {
    xml.open("fileSets");
    for (const char* view : {kSynthesis, kSimulation}) {
        xml.open("fileSet");
        xml.leaf("name", std::string(view) + "_view_fileset");
        for (const std::string& memory : project.memories)
            writeFile(xml, memory, {{"userFileType", "mem"}});
        for (const std::string& source : project.sources)
            writeFile(xml, source, {{"fileType", "verilogSource"}});
        xml.close();
    }
    xml.open("fileSet");
    xml.leaf("name", std::string(kWindowView) + "_view_fileset");
    writeFile(xml, coreWindowPath(project),
              {{"fileType", "tclSource"}, {"userFileType", "XGUI_VERSION_2"}});
    xml.close();
    xml.close();
}

void writeComponentName(XmlWriter& xml, const Project& project) {
    xml.open("parameters");
    xml.open("parameter");
    xml.leaf("name", "Component_Name");
    xml.leaf("value", project.name + "_v1_0",
             {{"resolve", "user"}, {"id", "PARAM_VALUE.Component_Name"}, {"order", "1"}});
    xml.close();
    xml.close();
}

std::vector<std::string> familiesOf(const Project& project) {
    if (project.device.family == "xc7")
        return {"artix7", "kintex7", "spartan7", "virtex7", "zynq"};
    return {"artixuplus", "kintexuplus", "virtexuplus", "zynquplus"};
}

void writeExtensions(XmlWriter& xml, const Project& project) {
    xml.open("vendorExtensions");
    xml.open("xilinx:coreExtensions");
    xml.open("xilinx:supportedFamilies");
    for (const std::string& family : familiesOf(project))
        xml.leaf("xilinx:family", family, {{"xilinx:lifeCycle", "Production"}});
    xml.close();
    xml.open("xilinx:taxonomies");
    xml.leaf("xilinx:taxonomy", "/UserIP");
    xml.close();
    xml.leaf("xilinx:displayName", project.name);
    xml.leaf("xilinx:coreRevision", "1");
    xml.close();
    xml.open("xilinx:packagingInfo");
    xml.leaf("xilinx:xilinxVersion", "2020.2");
    xml.close();
    xml.close();
}

} // namespace

std::string accessOf(const hdl::ControlField& field) {
    return accessName(true, writable(field));
}

std::string accessOf(const hdl::ControlRegister& control) {
    return accessName(true, std::ranges::any_of(control.fields, writable));
}

std::string associatedInterfaces(const Project& project) {
    const InterfaceNames names = interfaceNames(project);
    std::string all = names.control;
    if (project.memory)
        all += (all.empty() ? "" : ":") + names.memory;
    for (const std::string& stream : names.streams)
        all += (all.empty() ? "" : ":") + stream;
    return all;
}

std::vector<std::pair<std::string, std::string>> memoryParameters(const ProjectMemory& memory) {
    Values values = {{"PROTOCOL", "AXI4"},
                     {"DATA_WIDTH", std::to_string(memory.dataBits)},
                     {"ADDR_WIDTH", std::to_string(rtl::kAxiAddressBits)},
                     {"READ_WRITE_MODE", memory.write ? "READ_WRITE" : "READ_ONLY"},
                     {"MAX_BURST_LENGTH", std::to_string(memory.burstBeats)},
                     {"NUM_READ_OUTSTANDING", std::to_string(memory.mostReads)},
                     {"SUPPORTS_NARROW_BURST", "0"}};
    if (memory.write)
        values.emplace_back("NUM_WRITE_OUTSTANDING", std::to_string(rtl::kMostWriteBursts));
    return values;
}

std::string coreDescription(const Project& project) {
    return project.top + ", written by Marquetry " + project.version;
}

std::string coreWindowPath(const Project& project) {
    return "xgui/" + project.name + "_v1_0.tcl";
}

std::string coreWindow() {
    return "# The window of the core's parameters: it has none but its name.\n"
           "proc init_gui { IPINST } {\n"
           "    ipgui::add_param $IPINST -name \"Component_Name\"\n"
           "}\n";
}

std::string ipXact(const Project& project) {
    XmlWriter xml("spirit");
    xml.open("component",
             {{"xmlns:xilinx", "http://www.xilinx.com"},
              {"xmlns:spirit", "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"},
              {"xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"}});
    xml.leaf("vendor", kCoreVendor);
    xml.leaf("library", kCoreLibrary);
    xml.leaf("name", project.name);
    xml.leaf("version", kCoreVersion);
    xml.open("busInterfaces");
    for (const CoreInterface& interface : interfacesOf(project))
        writeInterface(xml, interface);
    xml.close();
    writeAddressSpace(xml, project);
    writeMemoryMap(xml, project);
    writeModel(xml, project);
    writeFileSets(xml, project);
    xml.leaf("description", coreDescription(project));
    writeComponentName(xml, project);
    writeExtensions(xml, project);
    xml.close();
    return xml.text();
}

} // namespace marquetry::vendor
