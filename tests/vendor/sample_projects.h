// Projects of every kind for the tests of the vendors' targets, with files of their names.
//
// The Verilog is modules with the ports that the project names and nothing in them.
#pragma once

#include "engine/device/device_file.h"
#include "engine/support/folders.h"
#include "engine/vendor/interfaces.h"

#include <string>
#include <vector>

namespace marquetry::test {

inline vendor::ProjectStream sampleStream(const std::string& name, const std::string& prefix,
                                          bool isInput, int tdataBits = 64) {
    const std::string begin = prefix.empty() ? "" : prefix + "_";
    return {name,
            {begin + "tdata", begin + "tvalid", begin + "tlast", begin + "tready"},
            tdataBits,
            isInput};
}

inline rtl::AxiLiteNames sampleControlPorts(const std::string& prefix) {
    const auto p = [&](const char* name) { return prefix + "_" + name; };
    return {p("awaddr"), p("awprot"), p("awvalid"), p("awready"), p("wdata"),
            p("wstrb"),  p("wvalid"), p("wready"),  p("bresp"),   p("bvalid"),
            p("bready"), p("araddr"), p("arprot"),  p("arvalid"), p("arready"),
            p("rdata"),  p("rresp"),  p("rvalid"),  p("rready")};
}

inline vendor::Project sampleBase(const std::string& name, const std::string& device) {
    vendor::Project project;
    project.name = name;
    project.top = name + "_top";
    project.clock = "aclk";
    project.reset = "aresetn";
    project.sources = {"rtl/" + name + "_unit.v", "rtl/" + project.top + ".v"};
    project.device = *device::findDevice(device);
    project.clockMhz = 100;
    project.version = "0.1.0";
    project.command = "marquetry export " + name + ".mq --target vivado -o out";
    return project;
}

/// Gives it an AXI4-Lite slave with the registers of its streams.
inline void addControl(vendor::Project& project, const std::string& prefix = "s_axi",
                       const std::string& interrupt = "interrupt") {
    std::vector<std::string> sources, sinks;
    for (const vendor::ProjectStream& stream : project.streams)
        (stream.isInput ? sources : sinks).push_back(stream.name);
    project.control =
        vendor::ProjectControl{sampleControlPorts(prefix), interrupt,
                               hdl::registerMap(sources, sinks, {0x00010000, 0x0123456789abcdef})};
}

/// Makes it read weights from external memory.
inline void addMemory(vendor::Project& project, int dataBits = 128) {
    const auto p = [](const char* name) { return std::string("m_axi_") + name; };
    project.memory = vendor::ProjectMemory{
        {p("araddr"), p("arlen"), p("arsize"), p("arburst"), p("arcache"), p("arprot"),
         p("arvalid"), p("arready"), p("rdata"), p("rresp"), p("rlast"), p("rvalid"), p("rready")},
        dataBits,
        16,
        8,
        static_cast<double>(dataBits) / 8,
        3 * 4096 + 256,
        "memory/weights.bin"};
    if (!project.control)
        return;
    std::vector<std::string> sources, sinks;
    for (const vendor::ProjectStream& stream : project.streams)
        (stream.isInput ? sources : sinks).push_back(stream.name);
    project.control->registers =
        hdl::registerMap(sources, sinks, {0x00010000, 0x0123456789abcdef}, {true, true});
}

/// Makes it keep activations there, too.
inline void addWrites(vendor::Project& project) {
    const auto p = [](const char* name) { return std::string("m_axi_") + name; };
    project.memory->write = rtl::AxiWriteNames{
        p("awaddr"),  p("awlen"),   p("awsize"), p("awburst"), p("awcache"), p("awprot"),
        p("awvalid"), p("awready"), p("wdata"),  p("wstrb"),   p("wlast"),   p("wvalid"),
        p("wready"),  p("bresp"),   p("bvalid"), p("bready")};
    if (!project.control)
        return;
    std::vector<std::string> sources, sinks;
    for (const vendor::ProjectStream& stream : project.streams)
        (stream.isInput ? sources : sinks).push_back(stream.name);
    project.control->registers =
        hdl::registerMap(sources, sinks, {0x00010000, 0x0123456789abcdef}, {true, true, true});
}

/// A design with `--interface axi`: two inputs, one output, a memory file.
inline vendor::Project controlledProject(const std::string& device = "xc7z020",
                                         const std::string& board = "") {
    vendor::Project project = sampleBase("small_net", device);
    project.memories = {"rtl/small_net_weights.mem"};
    project.streams = {sampleStream("image", "image", true), sampleStream("bias", "bias", true, 32),
                       sampleStream("scores", "scores", false, 128)};
    addControl(project);
    project.board = board;
    return project;
}

/// The same with weights in external memory.
inline vendor::Project weightsProject(const std::string& device = "xc7z020",
                                      const std::string& board = "") {
    vendor::Project project = controlledProject(device, board);
    addMemory(project);
    return project;
}

/// The same, with activations behind the weights.
inline vendor::Project keepingProject(const std::string& device = "xc7z020",
                                      const std::string& board = "") {
    vendor::Project project = weightsProject(device, board);
    addWrites(project);
    return project;
}

/// A stream with its plain ports.
inline vendor::Project plainProject(const std::string& device = "xc7k160t") {
    vendor::Project project = sampleBase("edges", device);
    project.streams = {sampleStream("in", "in", true, 8), sampleStream("out", "out", false, 24)};
    project.plainPorts = {{"error", 1, false}};
    return project;
}

/// A banked memory: lanes are ports, no stream.
inline vendor::Project memoryProject(const std::string& device = "lfe5u-85f") {
    vendor::Project project = sampleBase("banked", device);
    project.plainPorts = {{"write_enable", 1, true},
                          {"write_address", 10, true},
                          {"write_data", 16, true},
                          {"read_data", 32, false}};
    return project;
}

/// Names that are words of scripts and tools, one stream named like another but for its case, a
/// stream without a prefix, and a command line that scripts must not act on.
inline vendor::Project oddProject(const std::string& device = "zu3eg") {
    vendor::Project project = sampleBase("list", device);
    project.top = "exit_x";
    project.sources = {"rtl/exit_x.v"};
    project.streams = {sampleStream("set", "set", true), sampleStream("Set", "Set_1", true),
                       sampleStream("control", "", false, 512)};
    addControl(project, "s_axi_1", "irq_1");
    project.clockMhz = 333.333;
    project.version = "0.1.0 \"[exit 5]\" $x {";
    project.command = "marquetry export 'a b.mq' -o 'x\n[exit 6]; $y {\"\\'\nputs oops\\";
    return project;
}

inline std::vector<vendor::Project> sampleProjects() {
    return {controlledProject(), plainProject(),   memoryProject(),
            oddProject(),        weightsProject(), keepingProject()};
}

/// What an export holds beside the files of its target.
inline files::FolderFiles sampleFiles(const vendor::Project& project) {
    files::FolderFiles files;
    for (const std::string& source : project.sources) {
        const std::string module = source.substr(4, source.size() - 6);
        std::string ports;
        if (module == project.top)
            for (const vendor::PlainPort& port : vendor::portsOf(project))
                ports += std::string(ports.empty() ? "" : ",") + "\n    " +
                         (port.isInput ? "input" : "output") + " wire " +
                         (port.bits == 1 ? "" : "[" + std::to_string(port.bits - 1) + ":0] ") +
                         port.name;
        files[source] = "module " + module + " (" + ports + ");\nendmodule\n";
    }
    for (const std::string& memory : project.memories)
        files[memory] = "00\n01\n";
    return files;
}

} // namespace marquetry::test
