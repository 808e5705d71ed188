#include "engine/vendor/quartus.h"

#include "engine/vendor/interfaces.h"
#include "engine/vendor/quartus_parts.h"
#include "engine/vendor/readme.h"
#include "engine/vendor/software.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

namespace marquetry::vendor {

namespace {

std::string projectFile(const Project& project) {
    return tclComment("Made by Marquetry " + project.version) +
           "\nQUARTUS_VERSION = \"16.0\"\nPROJECT_REVISION = \"" + softwareName(project) + "\"\n";
}

class Settings {
public:
    explicit Settings(const std::string& comment) : text_(tclComment(comment) + "\n") {}
    void global(const std::string& name, const std::string& value) {
        text_ += "set_global_assignment -name " + name + " " + tclWord(value) + "\n";
    }
    void virtualPin(const PlainPort& port) {
        text_ += "set_instance_assignment -name VIRTUAL_PIN ON -to " + port.name +
                 (port.bits > 1 ? "[*]" : "") + "\n"; // as Quartus writes it
    }
    void blank(const std::string& comment) { text_ += "\n" + tclComment(comment) + "\n"; }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string settingsFile(const Project& project) {
    Settings settings(project.name + " by itself. Made by Marquetry " + project.version);
    settings.global("FAMILY", quartusFamily(project.device));
    settings.global("DEVICE", project.device.part);
    settings.global("TOP_LEVEL_ENTITY", project.top);
    settings.global("PROJECT_OUTPUT_DIRECTORY", "output_files");
    settings.global("NUM_PARALLEL_PROCESSORS", "ALL");
    settings.global("VERILOG_INPUT_VERSION", "VERILOG_2001");
    for (const std::string& source : project.sources)
        settings.global("VERILOG_FILE", "../" + source);
    if (!project.memories.empty())
        settings.blank("Where $readmemh finds the memories' files.");
    if (!project.memories.empty())
        settings.global("SEARCH_PATH", "../rtl");
    for (const std::string& memory : project.memories)
        settings.global("MISC_FILE", "../" + memory);
    settings.global("SDC_FILE", softwareName(project) + ".sdc");
    settings.blank("The hardware by itself has more ports than the chip has pins: all but the "
                   "clock are registers of the fabric.");
    for (const PlainPort& port : portsOf(project))
        if (port.name != project.clock)
            settings.virtualPin(port);
    return settings.text();
}

Readme quartusReadme(const Project& project, bool system) {
    const std::string name = softwareName(project);
    Readme readme;
    readme.tools = "Intel Quartus Prime";
    readme.commands = {"cd quartus && quartus_sh --flow compile " + name};
    if (system)
        readme.commands.push_back("cd quartus && qsys-script --script=system.tcl "
                                  "--quartus-project=" +
                                  name + " --search-path='.,$'");
    readme.remarks = {
        "The first builds the hardware by itself, its ports as virtual pins: area and clock are "
        "in `quartus/output_files`.",
        "`quartus/" + name + "_hw.tcl` is the component for Platform Designer."};
    if (system)
        readme.remarks.push_back(
            "The second makes `" + name +
            "_system.qsys`: a JTAG host, memory and a DMA for each stream around it; replace the "
            "host by a processor of yours. `quartus/" +
            name +
            "_avalon_hw.tcl` has its streams as Avalon interfaces. Quartus Prime Standard knows no "
            "`--quartus-project`.");
    if (project.memory)
        readme.remarks.push_back("`weights` reads " + project.memory->image +
                                 (project.memory->write ? " and keeps activations behind it" : "") +
                                 ", as a master of AXI4, or of Avalon in `quartus/" + name +
                                 "_avalon_hw.tcl`: join it with the memory of your board.");
    readme.remarks.emplace_back("None of this has been run in Quartus: commands, options and "
                                "names were checked against its reference alone.");
    return readme;
}

} // namespace

std::string quartusFamily(const device::Device& device) {
    for (const auto& [prefix, family] : {std::pair("10AX", "Arria 10"),
                                         {"10AS", "Arria 10"},
                                         {"10CX", "Cyclone 10 GX"},
                                         {"5C", "Cyclone V"},
                                         {"5A", "Arria V"},
                                         {"5S", "Stratix V"},
                                         {"1S", "Stratix 10"}})
        if (device.part.starts_with(prefix))
            return family;
    return "Arria 10";
}

files::FolderFiles quartusFiles(const Project& project) {
    const std::string name = softwareName(project), begin = "quartus/" + name;
    const bool system = !project.streams.empty();
    files::FolderFiles files;
    files[begin + ".qpf"] = projectFile(project);
    files[begin + ".qsf"] = settingsFile(project);
    files[begin + ".sdc"] = vivadoConstraints(project) + "\nderive_clock_uncertainty\n";
    files[begin + "_hw.tcl"] =
        componentScript(project, project.top, {}, componentInterfaces(project, nullptr));
    if (system) {
        const AvalonWrapper avalon = avalonWrapper(project);
        const std::string file = avalon.module + ".v";
        files["quartus/" + file] = avalon.verilog;
        files[begin + "_avalon_hw.tcl"] =
            componentScript(project, avalon.module, {file}, componentInterfaces(project, &avalon));
        files["quartus/system.tcl"] = systemScript(project, avalon);
    }
    files["README.md"] = readmeText(project, quartusReadme(project, system));
    return files;
}

} // namespace marquetry::vendor
