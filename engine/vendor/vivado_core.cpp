#include "engine/vendor/interfaces.h"
#include "engine/vendor/ip_xact.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

namespace marquetry::vendor {

namespace {

std::string coreProcedures() {
    return R"(# Adds an interface of the bus xilinx.com:BUS:1.0; `ports` are pairs of the bus's name and ours.
proc marquetry_interface {core name bus mode ports} {
    set interface [ipx::add_bus_interface $name $core]
    set_property bus_type_vlnv xilinx.com:${bus}:1.0 $interface
    set_property abstraction_type_vlnv xilinx.com:${bus}_rtl:1.0 $interface
    set_property interface_mode $mode $interface
    foreach {logical physical} $ports {
        set_property physical_name $physical [ipx::add_port_map $logical $interface]
    }
    return $interface
}

proc marquetry_parameter {interface name value} {
    set_property value $value [ipx::add_bus_parameter $name $interface]
}

)";
}

std::string pairs(const std::vector<SignalPort>& signals) {
    std::vector<std::string> words;
    for (const SignalPort& signal : signals) {
        words.push_back(signal.signal);
        words.push_back(signal.port.name);
    }
    return tclList(words);
}

std::string interfaceAdded(const std::string& name, const std::string& bus, bool slave,
                           const std::string& ports) {
    return "set interface [marquetry_interface $core " + tclWord(name) + " " + bus + " " +
           (slave ? "slave" : "master") + " " + ports + "]\n";
}

std::string interfaceParameter(const std::string& name, const std::string& value) {
    return "marquetry_parameter $interface " + name + " " + tclWord(value) + "\n";
}

std::string registersAdded(const hdl::RegisterMap& map) {
    std::string text;
    for (const hdl::ControlRegister& r : map.registers) {
        text += "set register [ipx::add_register " + tclWord(r.name) + " $block]\n" +
                "set_property address_offset " + std::to_string(r.offset) + " $register\n" +
                "set_property size 32 $register\nset_property access " + accessOf(r) +
                " $register\nset_property description " + tclWord(r.text) + " $register\n";
        for (const hdl::ControlField& f : r.fields)
            text += "set field [ipx::add_field " + tclWord(f.name) + " $register]\n" +
                    "set_property bit_offset " + std::to_string(f.low) + " $field\n" +
                    "set_property bit_width " + std::to_string(f.bits) + " $field\n" +
                    "set_property access " + accessOf(f) + " $field\n" +
                    "set_property description " + tclWord(f.text) + " $field\n";
    }
    return text;
}

std::string controlAdded(const Project& project, const std::string& name) {
    const ProjectControl& control = *project.control;
    return "\n# Control, and the interrupt\n" +
           interfaceAdded(name, "interface:aximm", true, pairs(axiLiteSignals(control))) +
           interfaceParameter("PROTOCOL", "AXI4LITE") + "set map [ipx::add_memory_map " +
           tclWord(name) + " $core]\n" + "set_property slave_memory_map_ref " + tclWord(name) +
           " $interface\n" + "set block [ipx::add_address_block " + kRegisterBlock + " $map]\n" +
           "set_property usage register $block\nset_property width 32 $block\n" +
           "set_property range " + std::to_string(1U << control.registers.addressBits) +
           " $block\n" + registersAdded(control.registers) +
           interfaceAdded(control.interrupt, "signal:interrupt", false,
                          tclList({"INTERRUPT", control.interrupt})) +
           interfaceParameter("SENSITIVITY", "LEVEL_HIGH");
}

std::string memoryAdded(const ProjectMemory& memory, const std::string& name) {
    std::string text =
        std::string("\n# The memory that weights are read from") +
        (memory.write ? ", and that keeps activations\n" : "\n") +
        interfaceAdded(name, "interface:aximm", false, pairs(axiMasterSignals(memory)));
    for (const auto& [parameter, value] : memoryParameters(memory))
        text += interfaceParameter(parameter, value);
    return text + "set space [ipx::add_address_space " + tclWord(name) + " $core]\n" +
           "set_property range " + std::to_string(std::uint64_t{1} << rtl::kAxiAddressBits) +
           " $space\nset_property width " + std::to_string(memory.dataBits) + " $space\n" +
           "set_property master_address_space_ref " + tclWord(name) + " $interface\n";
}

std::string interfacesAdded(const Project& project) {
    const InterfaceNames names = interfaceNames(project);
    std::string text = project.streams.empty() ? "" : "\n# AXI4-Streams\n";
    for (std::size_t k = 0; k < project.streams.size(); ++k)
        text += interfaceAdded(names.streams[k], "interface:axis", project.streams[k].isInput,
                               pairs(axisSignals(project.streams[k])));
    if (project.control)
        text += controlAdded(project, names.control);
    if (project.memory)
        text += memoryAdded(*project.memory, names.memory);
    const std::string timed = associatedInterfaces(project);
    return text + "\n# Clock and reset, and what belongs to them\n" +
           interfaceAdded(project.reset, "signal:reset", true, tclList({"RST", project.reset})) +
           interfaceParameter("POLARITY", "ACTIVE_LOW") +
           interfaceAdded(project.clock, "signal:clock", true, tclList({"CLK", project.clock})) +
           (timed.empty() ? "" : interfaceParameter("ASSOCIATED_BUSIF", timed)) +
           interfaceParameter("ASSOCIATED_RESET", project.reset);
}

std::string coreNamed(const Project& project) {
    return "set core [ipx::current_core]\n"
           "set_property name " +
           tclWord(project.name) + " $core\nset_property version " + kCoreVersion +
           " $core\nset_property display_name " + tclWord(project.name) +
           " $core\nset_property description " + tclWord(coreDescription(project)) +
           " $core\n\n"
           "# What Vivado guesses from names is put aside: all interfaces are said here.\n"
           "ipx::remove_all_bus_interface $core\n"
           "foreach map [ipx::get_memory_maps -quiet -of_objects $core] {\n"
           "    ipx::remove_memory_map [get_property NAME $map] $core\n"
           "}\n";
}

} // namespace

std::string vivadoCoreScript(const Project& project) {
    std::vector<std::string> files = project.sources;
    files.insert(files.end(), project.memories.begin(), project.memories.end());
    return vivadoHead(project, "package_ip.tcl",
                      "Packages " + project.top + " as an IP core, in vivado/build/core") +
           coreProcedures() +
           "set core_folder [file join $here build core]\n"
           "file delete -force $core_folder\n"
           "file mkdir $core_folder\n"
           "create_project -force -part " +
           tclWord(project.device.part) + " " + tclWord(project.name + "_core") +
           " [file join $here build core_project]\n"
           "add_files -fileset sources_1 -norecurse " +
           vivadoFileList(files) + "\nset_property top " + tclWord(project.top) +
           " [get_filesets sources_1]\n"
           "update_compile_order -fileset sources_1\n"
           "ipx::package_project -root_dir $core_folder -vendor " +
           kCoreVendor + " -library " + kCoreLibrary +
           " -taxonomy /UserIP -import_files -set_current true\n" + coreNamed(project) +
           interfacesAdded(project) +
           "\nipx::create_xgui_files $core\n"
           "ipx::update_checksums $core\n"
           "ipx::check_integrity $core\n"
           "ipx::save_core $core\n"
           "close_project\n"
           "puts \"the core is in $core_folder\"\n";
}

} // namespace marquetry::vendor
