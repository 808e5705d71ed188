#include "engine/vendor/open_tools.h"

#include "engine/vendor/fusesoc_core.h"
#include "engine/vendor/pin_harness.h"
#include "engine/vendor/readme.h"
#include "engine/vendor/software.h"

#include <algorithm>
#include <cctype>
#include <regex>

namespace marquetry::vendor {

namespace {

std::string lowerCase(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return text;
}

/// "iCE40UP5K-SG48"
NextpnrDevice ice40Device(const std::string& part) {
    static const std::regex kPart("ice40(lp384|lp1k|lp4k|lp8k|hx1k|hx4k|hx8k|up3k|up5k|u1k|u2k|u4k)"
                                  "-([a-z0-9]+)");
    std::smatch match;
    const std::string lower = lowerCase(part);
    if (!std::regex_match(lower, match, kPart))
        return {};
    return {"--" + match[1].str(), match[2].str(), ""};
}

/// "LFE5U-85F-6BG381C": size, speed, package; with "M" and "M5G" for those with transceivers.
NextpnrDevice ecp5Device(const std::string& part) {
    static const std::regex kPart("lfe5(u|um|um5g)-(12|25|45|85)f-([678])(bg|mg|tg)(\\d+)[ci]?");
    std::smatch match;
    const std::string lower = lowerCase(part);
    if (!std::regex_match(lower, match, kPart))
        return {};
    const std::string kind = match[1].str() == "u" ? "" : match[1].str() + "-";
    const std::string package = match[4].str() == "bg"   ? "CABGA"
                                : match[4].str() == "mg" ? "CSFBGA"
                                                         : "TQFP";
    return {"--" + kind + match[2].str() + "k", package + match[5].str(), match[3].str()};
}

std::string joined(const std::vector<std::string>& words, const std::string& between) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

TemplateValues valuesOf(const Project& project, const PinHarness& harness) {
    const std::string name = softwareName(project);
    const NextpnrDevice device = nextpnrDevice(project.device);
    std::vector<std::string> memories = project.memories;
    return {{"NAME", name},
            {"DEVICE_NAME", plainText(project.device.name)},
            {"VERSION", plainText(project.version)},
            {"TOP", harness.module},
            {"CLOCK", harness.clock},
            {"FREQUENCY", plainNumber(project.clockMhz)},
            {"SOURCES", joined(project.sources, " \\\n\t")},
            {"MEMORIES", joined(memories, " \\\n\t")},
            {"SIZE", device.size},
            {"PACKAGE", device.package},
            {"SPEED", device.speed}};
}

Readme openReadme(const Project& project, bool ice40) {
    const std::string name = softwareName(project);
    const std::string constraints = "open/" + name + (ice40 ? ".pcf" : ".lpf");
    Readme readme;
    readme.tools = "Yosys and nextpnr";
    readme.commands = {"make", "make report"};
    readme.remarks = {
        "`make` needs `yosys`, " +
            std::string(ice40 ? "`nextpnr-ice40` and `icepack`" : "`nextpnr-ecp5` and `ecppack`") +
            "; what they write is in `build/`. A clock that is not met is an error, but with "
            "`make ALLOW_SLOW=1`.",
        "It builds `open/" + name +
            "_pins.v`, which puts shift registers around the hardware because chips have fewer "
            "pins than it has ports. The clock that is reported is that of the hardware between "
            "registers beside it, without pins; the area has a register for each port's bit more.",
        "For a design of your own: `make TOP=your_top USER_SOURCES=your_top.v CONSTRAINTS=" +
            std::string(ice40 ? "your.pcf" : "your.lpf") + "`; `" + constraints +
            "` has the clock alone.",
        "`" + name + ".core` is for FuseSoC: `fusesoc --cores-root=. run --target=lint`."};
    if (ice40)
        readme.remarks.push_back(
            "`KEEP_PRODUCT_REGISTERS` must stay defined: without it `synth_ice40 -dsp` merges "
            "registers of two products that are summed, and the result is wrong.");
    return readme;
}

} // namespace

NextpnrDevice nextpnrDevice(const device::Device& device) {
    return device.family == "ice40" ? ice40Device(device.part) : ecp5Device(device.part);
}

OpenFlow openFlow(const Project& project) {
    const bool ice40 = project.device.family == "ice40";
    return {ice40 ? std::vector<std::string>{"yosys", "nextpnr-ice40", "icepack"}
                  : std::vector<std::string>{"yosys", "nextpnr-ecp5", "ecppack"},
            "build/" + pinHarness(project).module + (ice40 ? ".bin" : ".bit"), "build/report.json",
            project.clockMhz};
}

files::FolderFiles openFiles(const Project& project) {
    const bool ice40 = project.device.family == "ice40";
    const std::string name = softwareName(project);
    const PinHarness harness = pinHarness(project);
    const TemplateValues values = valuesOf(project, harness);
    files::FolderFiles files;
    files["Makefile"] = filledTemplate(ice40 ? "ice40.mk" : "ecp5.mk", values);
    files["open/" + harness.module + ".v"] = harness.verilog;
    files["open/" + name + (ice40 ? ".pcf" : ".lpf")] =
        filledTemplate(ice40 ? "ice40.pcf" : "ecp5.lpf", values);
    files[name + ".core"] = fusesocCore(project, harness);
    files["README.md"] = readmeText(project, openReadme(project, ice40));
    return files;
}

} // namespace marquetry::vendor
