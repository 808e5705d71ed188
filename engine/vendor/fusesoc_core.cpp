#include "engine/vendor/fusesoc_core.h"

#include "engine/vendor/open_tools.h"
#include "engine/vendor/readme.h"
#include "engine/vendor/software.h"

#include <regex>

namespace marquetry::vendor {

namespace {

/// "1.2.3" of the program's version, whatever stands behind it.
std::string versionOf(const Project& project) {
    static const std::regex kVersion("(\\d+(?:\\.\\d+){0,2}).*");
    std::smatch match;
    return std::regex_match(project.version, match, kVersion) ? match[1].str() : "0";
}

std::string filesets(const Project& project, const PinHarness& harness) {
    const std::string name = softwareName(project);
    const bool ice40 = project.device.family == "ice40";
    std::string text = "filesets:\n  rtl:\n    files:\n";
    for (const std::string& source : project.sources)
        text += "      - " + source + "\n";
    text += "    file_type: verilogSource-2005\n";
    if (!project.memories.empty()) {
        // Tools read them from the folder they run in.
        text += "  memories:\n    files:\n";
        for (const std::string& memory : project.memories)
            text += "      - " + memory +
                    ": {copyto: " + memory.substr(memory.find_last_of('/') + 1) + "}\n";
        text += "    file_type: user\n";
    }
    text += "  pins:\n    files:\n      - open/" + harness.module +
            ".v: {file_type: verilogSource-2005}\n";
    text +=
        "      - open/" + name + (ice40 ? ".pcf: {file_type: PCF}\n" : ".lpf: {file_type: LPF}\n");
    return text;
}

std::string flow(const Project& project, const PinHarness& harness, const std::string& sets) {
    const bool ice40 = project.device.family == "ice40";
    const NextpnrDevice device = nextpnrDevice(project.device);
    const std::string tool = ice40 ? "icestorm" : "trellis";
    std::string text = "  " + tool + ":\n    default_tool: " + tool + "\n    filesets: [" + sets +
                       ", pins]\n    tools:\n      " + tool + ":\n";
    text += "        nextpnr_options: [" + device.size + ", --package, " + device.package;
    text += ice40 ? ", --pcf-allow-unconstrained"
                  : ", --speed, \"" + device.speed + "\", --lpf-allow-unconstrained";
    text += ", --freq, \"" + plainNumber(project.clockMhz) + "\"]\n";
    if (ice40)
        text += "        pnr: next\n";
    text += "    parameters: [KEEP_PRODUCT_REGISTERS]\n";
    return text + "    toplevel: " + harness.module + "\n";
}

} // namespace

std::string fusesocCore(const Project& project, const PinHarness& harness) {
    const std::string sets = project.memories.empty() ? "rtl" : "rtl, memories";
    std::string text = "CAPI=2:\n";
    text += "name: marquetry:generated:" + softwareName(project) + ":" + versionOf(project) + "\n";
    text += "description: \"" + plainText(project.name) + ", made by Marquetry " +
            plainText(project.version) + "\"\n\n";
    text += filesets(project, harness) + "\n";
    text += "parameters:\n  KEEP_PRODUCT_REGISTERS:\n    datatype: bool\n    default: true\n"
            "    paramtype: vlogdefine\n\n";
    text +=
        "targets:\n  default:\n    filesets: [" + sets + "]\n    toplevel: " + project.top + "\n";
    text += "  lint:\n    default_tool: verilator\n    filesets: [" + sets +
            "]\n    tools:\n      verilator:\n        mode: lint-only\n        verilator_options: "
            "[-Wall]\n    toplevel: " +
            project.top + "\n";
    return text + flow(project, harness, sets);
}

} // namespace marquetry::vendor
