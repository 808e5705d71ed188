#include "engine/vendor/interfaces.h"
#include "engine/vendor/quartus_parts.h"
#include "engine/vendor/software.h"
#include "engine/vendor/tcl_text.h"

#include <algorithm>

namespace marquetry::vendor {

namespace {

constexpr std::uint64_t kMemoryBytes = 0x10000;
/// Our registers have at least this much of the address space.
constexpr std::uint64_t kLeastControl = 0x1000;

/// Writes a script of qsys-script.
class Script {
public:
    void blank(const std::string& comment) { text_ += "\n" + tclComment(comment) + "\n"; }
    void line(const std::string& command) { text_ += command + "\n"; }

    void instance(const std::string& name, const std::string& kind,
                  const std::vector<std::pair<std::string, std::string>>& parameters = {}) {
        line("add_instance " + name + " " + kind);
        for (const auto& [parameter, value] : parameters)
            line("set_instance_parameter_value " + name + " " + parameter + " " + tclWord(value));
    }
    void connect(const std::string& from, const std::string& to) {
        line("add_connection " + from + " " + to);
    }
    void connectAt(const std::string& from, const std::string& to, std::uint64_t address) {
        connect(from, to);
        line("set_connection_parameter_value " + from + "/" + to + " baseAddress " +
             hexadecimal(address, 8));
    }
    void exported(const std::string& name, const std::string& type, const std::string& end,
                  const std::string& of) {
        line("add_interface " + name + " " + type + " " + end);
        line("set_interface_property " + name + " EXPORT_OF " + of);
    }
    void clockAndReset(const std::string& instance, const std::string& clock,
                       const std::string& reset) {
        connect("clock.out_clk", instance + "." + clock);
        connect("reset.out_reset", instance + "." + reset);
    }

    const std::string& text() const { return text_; }

private:
    std::string text_;
};

void addSurroundings(Script& script, const Project& project) {
    script.blank("The clock and the reset from outside, a host (JTAG) and memory.");
    script.instance("clock", "altera_clock_bridge",
                    {{"EXPLICIT_CLOCK_RATE",
                      std::to_string(static_cast<std::int64_t>(project.clockMhz * 1e6))}});
    script.instance("reset", "altera_reset_bridge",
                    {{"ACTIVE_LOW_RESET", "0"}, {"SYNCHRONOUS_EDGES", "deassert"}});
    script.connect("clock.out_clk", "reset.clk");
    script.instance("host", "altera_jtag_avalon_master");
    script.clockAndReset("host", "clk", "clk_reset");
    script.instance("memory", "altera_avalon_onchip_memory2",
                    {{"dataWidth", "64"},
                     {"memorySize", std::to_string(kMemoryBytes)},
                     {"initMemContent", "0"}});
    script.clockAndReset("memory", "clk1", "reset1");
    script.exported("clk", "clock", "sink", "clock.in_clk");
    // A bridge has its reset in the sense of its parameter.
    script.exported("reset", "reset", "sink", "reset.in_reset");
}

void addHardware(Script& script, const Project& project, const AvalonWrapper& avalon,
                 const std::vector<ComponentInterface>& interfaces) {
    script.blank("The hardware; what it has beside streams and registers leads outside.");
    script.instance("accelerator", avalon.module);
    script.clockAndReset("accelerator", "clock", "reset");
    for (const ComponentInterface& interface : interfaces)
        if (interface.type == "conduit" || interface.type == "interrupt")
            script.exported(interface.name, interface.type, "end", "accelerator." + interface.name);
    if (avalon.memory) {
        script.blank(std::string("Weights") +
                     (project.memory->write ? ", and activations behind them" : "") +
                     ": to be joined with the memory of the board, which software fills.");
        script.exported("weights", "avalon", "start", "accelerator.weights");
    }
}

/// A DMA of the stream, with its registers from `address` on.
void addDma(Script& script, const ProjectStream& stream, const ComponentInterface& interface,
            std::uint64_t address) {
    const std::string dma = "dma_" + interface.name;
    script.instance(dma, "altera_msgdma",
                    {{"MODE", stream.isInput ? "1" : "2"},
                     {"DATA_WIDTH", std::to_string(stream.tdataBits)},
                     {"DATA_FIFO_DEPTH", "64"},
                     {"DESCRIPTOR_FIFO_DEPTH", "8"},
                     {"RESPONSE_PORT", "2"},
                     {"MAX_BYTE", "67108864"},
                     {"TRANSFER_TYPE", "Full Word Accesses Only"},
                     {"PACKET_ENABLE", "1"},
                     {"BURST_ENABLE", "0"}});
    script.clockAndReset(dma, "clock", "reset_n");
    script.connectAt("host.master", dma + ".csr", address);
    script.connectAt("host.master", dma + ".descriptor_slave", address + 0x20);
    script.connectAt(dma + (stream.isInput ? ".mm_read" : ".mm_write"), "memory.s1", 0);
    if (stream.isInput)
        script.connect(dma + ".st_source", "accelerator." + interface.name);
    else
        script.connect("accelerator." + interface.name, dma + ".st_sink");
}

} // namespace

std::string systemScript(const Project& project, const AvalonWrapper& avalon) {
    const auto interfaces = componentInterfaces(project, &avalon);
    Script script;
    script.line(tclComment("A system of " + project.name +
                           " with a host, memory and DMAs, for qsys-script: an example to begin "
                           "with."));
    script.line("package require -exact qsys 16.0\n");
    script.line("create_system " + softwareName(project) + "_system");
    script.line("set_project_property DEVICE_FAMILY " + tclWord(quartusFamily(project.device)));
    script.line("set_project_property DEVICE " + tclWord(project.device.part));
    addSurroundings(script, project);
    addHardware(script, project, avalon, interfaces);
    script.blank("What the host sees: memory, registers, DMAs.");
    script.connectAt("host.master", "memory.s1", 0);
    std::uint64_t address = kMemoryBytes;
    if (project.control) {
        const auto span =
            std::max(kLeastControl, std::uint64_t{1} << project.control->registers.addressBits);
        address = (address + span - 1) / span * span;
        script.connectAt("host.master", "accelerator.control", address);
        address += span;
    }
    // Those of streams are behind the clock and the reset, in the streams' order.
    for (std::size_t k = 0; k < project.streams.size(); ++k, address += 0x40)
        addDma(script, project.streams[k], interfaces[k + 2], address);
    script.line("");
    script.line("save_system " + softwareName(project) + "_system.qsys");
    return script.text();
}

} // namespace marquetry::vendor
