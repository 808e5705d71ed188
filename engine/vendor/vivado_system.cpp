#include "engine/vendor/boards.h"
#include "engine/vendor/interfaces.h"
#include "engine/vendor/readme.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

#include <algorithm>
#include <cstdio>

namespace marquetry::vendor {

namespace {

/// What the block of a processor calls its parts (PG082, PG201).
struct ProcessorBlock {
    const char* ip;
    const char* clock;
    const char* reset;
    const char* registerPort; ///< master
    const char* registerClock;
    const char* memoryPort; ///< slave
    const char* memoryClock;
    const char* weightPort; ///< slave, of hardware that reads weights
    const char* weightClock;
    const char* weightSetting; ///< that makes it
    const char* interrupt;
    const char* automation; ///< configuration of the board rule but for the preset
    const char* settings;   ///< before the clock's frequency
};

constexpr ProcessorBlock kZynq7000 = {
    "processing_system7",
    "FCLK_CLK0",
    "FCLK_RESET0_N",
    "M_AXI_GP0",
    "M_AXI_GP0_ACLK",
    "S_AXI_HP0",
    "S_AXI_HP0_ACLK",
    "S_AXI_HP1",
    "S_AXI_HP1_ACLK",
    "CONFIG.PCW_USE_S_AXI_HP1 1 ",
    "IRQ_F2P",
    "make_external \"FIXED_IO, DDR\" Master Disable Slave Disable",
    "CONFIG.PCW_USE_M_AXI_GP0 1 CONFIG.PCW_USE_S_AXI_HP0 1 CONFIG.PCW_USE_FABRIC_INTERRUPT 1 "
    "CONFIG.PCW_IRQ_F2P_INTR 1 CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ"};
// GP0, GP1 and GP2 are HPM0_FPD, HPM1_FPD and HPM0_LPD as masters; as slaves GP2 and GP3 are
// HP0_FPD and HP1_FPD.
constexpr ProcessorBlock kUltraScale = {
    "zynq_ultra_ps_e",
    "pl_clk0",
    "pl_resetn0",
    "M_AXI_HPM0_FPD",
    "maxihpm0_fpd_aclk",
    "S_AXI_HP0_FPD",
    "saxihp0_fpd_aclk",
    "S_AXI_HP1_FPD",
    "saxihp1_fpd_aclk",
    "CONFIG.PSU__USE__S_AXI_GP3 1 ",
    "pl_ps_irq0",
    "",
    "CONFIG.PSU__USE__M_AXI_GP0 1 CONFIG.PSU__USE__M_AXI_GP1 0 CONFIG.PSU__USE__M_AXI_GP2 0 "
    "CONFIG.PSU__USE__S_AXI_GP2 1 CONFIG.PSU__USE__IRQ0 1 "
    "CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ"};

const ProcessorBlock& blockOf(Processor processor) {
    return processor == Processor::Zynq7000 ? kZynq7000 : kUltraScale;
}

std::string hexAddress(std::uint64_t value) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(value));
    return text;
}

std::string twoDigits(std::size_t number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string projectCreated(const Project& project) {
    const Board* board = findBoard(project.board);
    std::string text = "source [file join $here package_ip.tcl]\n\n"
                       "set folder [file join $here build system]\nfile delete -force $folder\n"
                       "file mkdir $folder\n"
                       "create_project -force -part " +
                       tclWord(project.device.part) + " " + tclWord(project.name + "_system") +
                       " $folder\nset preset 0\n";
    if (board != nullptr)
        text += "\n# Files of the board say how its processor's memory and pins are set.\n"
                "set board_parts [get_board_parts -quiet -latest_file_version " +
                tclWord(board->boardPart) +
                "]\n"
                "if {[llength $board_parts] > 0} {\n"
                "    set_property board_part [lindex $board_parts end] [current_project]\n"
                "    set preset 1\n"
                "} else {\n"
                "    puts " +
                tclWord("WARNING: Vivado has no files of the board " + board->title +
                        ", so its processor keeps default settings. " + board->filesFrom) +
                "\n}\n";
    else
        text += "# No board is chosen: the processor keeps default settings.\n";
    return text + "\nset_property ip_repo_paths [list $core_folder] [current_project]\n"
                  "update_ip_catalog\n"
                  "create_bd_design system\n\n";
}

std::string systemProcedures() {
    return "# The newest version of the first of these cores that this Vivado has.\n"
           "proc marquetry_cell {name cores} {\n"
           "    foreach core $cores {\n"
           "        set found [get_ipdefs -all -filter "
           "\"VLNV =~ $core:* && UPGRADE_VERSIONS == \\\"\\\"\"]\n"
           "        if {[llength $found] > 0} {\n"
           "            set newest [lindex [lsort -dictionary $found] end]\n"
           "            set type [expr {[string match *:inline_hdl:* $newest] ? \"inline_hdl\" : "
           "\"ip\"}]\n"
           "            return [create_bd_cell -type $type -vlnv $newest $name]\n"
           "        }\n"
           "    }\n"
           "    error \"Vivado has no core [lindex $cores 0] for this device\"\n"
           "}\n\n"
           "proc marquetry_join {from to} {\n"
           "    connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $to]\n"
           "}\n\n"
           "proc marquetry_wire {from pins} {\n"
           "    foreach pin $pins {\n"
           "        connect_bd_net [get_bd_pins $from] [get_bd_pins $pin]\n"
           "    }\n"
           "}\n\n";
}

std::string cell(const std::string& name, const std::string& core) {
    return "set cell [marquetry_cell " + name + " " + core + "]\n";
}

std::string settings(const std::vector<std::pair<std::string, std::string>>& values) {
    std::string text = "set_property -dict [list";
    for (const auto& [name, value] : values)
        text += " CONFIG." + name + " " + value;
    return text + "] $cell\n";
}

std::string processorAdded(const Project& project, const ProcessorBlock& block) {
    return "# Processor: a port for registers, one to its memory, clock, reset and interrupts\n" +
           cell("processor", std::string("xilinx.com:ip:") + block.ip) +
           "apply_bd_automation -rule xilinx.com:bd_rule:" + block.ip + " -config [list " +
           block.automation + (*block.automation == '\0' ? "" : " ") +
           "apply_board_preset $preset] $cell\n"
           "set_property -dict [list " +
           (project.memory ? block.weightSetting : "") + block.settings + " " +
           plainNumber(project.clockMhz) + "] $cell\n" +
           cell("reset", "xilinx.com:ip:proc_sys_reset") + "\n";
}

std::string dmaAdded(const Project& project, const SystemDma& dma) {
    std::vector<std::pair<std::string, std::string>> values = {
        {"c_include_sg", "0"},
        {"c_sg_include_stscntrl_strm", "0"},
        {"c_sg_length_width", "26"},
        {"c_include_mm2s", dma.input >= 0 ? "1" : "0"},
        {"c_include_s2mm", dma.output >= 0 ? "1" : "0"}};
    const auto widthOf = [&](int stream) {
        return project.streams[static_cast<std::size_t>(stream)].tdataBits;
    };
    // The side of the memory has at least 32 bits, and at least the stream's.
    if (dma.input >= 0) {
        values.emplace_back("c_m_axi_mm2s_data_width",
                            std::to_string(std::max(32, widthOf(dma.input))));
        values.emplace_back("c_m_axis_mm2s_tdata_width", std::to_string(widthOf(dma.input)));
    }
    if (dma.output >= 0)
        values.emplace_back("c_m_axi_s2mm_data_width",
                            std::to_string(std::max(32, widthOf(dma.output))));
    const bool writes = dma.output >= 0;
    return cell(dma.name, "xilinx.com:ip:axi_dma") +
           (writes ? settings({{"c_m_axi_s2mm_data_width.VALUE_SRC", "USER"}}) : "") +
           settings(values);
}

std::string connects(const std::string& name, std::size_t masters, std::size_t slaves) {
    return cell(name, "xilinx.com:ip:smartconnect") +
           settings({{"NUM_SI", std::to_string(masters)}, {"NUM_MI", std::to_string(slaves)}});
}

std::string cellsAdded(const Project& project, const System& system) {
    std::string text =
        "# Our hardware, a DMA for each pair of streams, and what joins them\n" +
        cell(system.block, std::string(kCoreVendor) + ":" + kCoreLibrary + ":" + project.name);
    for (const SystemDma& dma : system.dmas)
        text += dmaAdded(project, dma);
    return text + connects("registers", 1, 1 + system.dmas.size()) +
           connects("memory", project.streams.size(), 1) +
           (project.memory ? connects("weights", 1, 1) : "") +
           // Vivado replaces it by a core without a netlist of its own.
           cell("interrupts", "{xilinx.com:ip:xlconcat xilinx.com:inline_hdl:ilconcat}") +
           settings({{"NUM_PORTS", std::to_string(system.interrupts.size())}}) + "\n";
}

std::string join(const std::string& from, const std::string& to) {
    return "marquetry_join " + from + " " + to + "\n";
}

std::string registersJoined(const System& system, const ProcessorBlock& block,
                            const std::string& control) {
    std::string text = "# Registers\n" +
                       join(std::string("processor/") + block.registerPort, "registers/S00_AXI") +
                       join("registers/M00_AXI", system.block + "/" + control);
    for (std::size_t k = 0; k < system.dmas.size(); ++k)
        text +=
            join("registers/M" + twoDigits(k + 1) + "_AXI", system.dmas[k].name + "/S_AXI_LITE");
    return text;
}

std::string streamsJoined(const System& system, const ProcessorBlock& block,
                          const std::vector<std::string>& names) {
    std::string text = "\n# Streams, and the DMAs' ways to memory\n";
    std::size_t port = 0;
    const auto memory = [&](const std::string& from) {
        text += join(from, "memory/S" + twoDigits(port++) + "_AXI");
    };
    for (const SystemDma& dma : system.dmas) {
        if (dma.input >= 0) {
            text += join(dma.name + "/M_AXIS_MM2S",
                         system.block + "/" + names[static_cast<std::size_t>(dma.input)]);
            memory(dma.name + "/M_AXI_MM2S");
        }
        if (dma.output >= 0) {
            text += join(system.block + "/" + names[static_cast<std::size_t>(dma.output)],
                         dma.name + "/S_AXIS_S2MM");
            memory(dma.name + "/M_AXI_S2MM");
        }
    }
    return text + join("memory/M00_AXI", std::string("processor/") + block.memoryPort);
}

/// The weights have a port of their own, with what is kept behind them: frames do not slow them
/// down.
std::string weightsJoined(const Project& project, const System& system,
                          const ProcessorBlock& block) {
    if (!project.memory)
        return "";
    const std::string memory = interfaceNames(project).memory;
    return std::string("\n# Weights") +
           (project.memory->write ? ", and activations that are kept behind them" : "") +
           ", by a way of their own\n" + join(system.block + "/" + memory, "weights/S00_AXI") +
           join("weights/M00_AXI", std::string("processor/") + block.weightPort);
}

std::string wire(const std::string& from, const std::vector<std::string>& pins) {
    std::string text = "marquetry_wire " + from + " {";
    for (const std::string& pin : pins)
        text += "\n    " + pin;
    return text + "\n}\n";
}

std::string clocksWired(const Project& project, const System& system, const ProcessorBlock& block) {
    std::vector<std::string> clocks = {std::string("processor/") + block.registerClock,
                                       std::string("processor/") + block.memoryClock,
                                       "reset/slowest_sync_clk",
                                       "registers/aclk",
                                       "memory/aclk",
                                       system.block + "/" + project.clock};
    std::vector<std::string> resets = {"registers/aresetn", "memory/aresetn",
                                       system.block + "/" + project.reset};
    if (project.memory) {
        clocks.insert(clocks.end(),
                      {std::string("processor/") + block.weightClock, "weights/aclk"});
        resets.push_back("weights/aresetn");
    }
    for (const SystemDma& dma : system.dmas) {
        clocks.push_back(dma.name + "/s_axi_lite_aclk");
        if (dma.input >= 0)
            clocks.push_back(dma.name + "/m_axi_mm2s_aclk");
        if (dma.output >= 0)
            clocks.push_back(dma.name + "/m_axi_s2mm_aclk");
        resets.push_back(dma.name + "/axi_resetn");
    }
    return "\n# One clock, and its reset\n" +
           wire(std::string("processor/") + block.clock, clocks) +
           wire(std::string("processor/") + block.reset, {"reset/ext_reset_in"}) +
           wire("reset/peripheral_aresetn", resets);
}

std::string interruptsWired(const System& system, const ProcessorBlock& block) {
    std::string text = "\n# Interrupts, by line\n";
    for (std::size_t k = 0; k < system.interrupts.size(); ++k)
        text +=
            "marquetry_wire " + system.interrupts[k] + " interrupts/In" + std::to_string(k) + "\n";
    return text + "marquetry_wire interrupts/dout processor/" + block.interrupt + "\n";
}

std::string assigned(std::uint64_t address, std::uint64_t bytes, const std::string& segment) {
    return "assign_bd_address -offset " + hexAddress(address) + " -range " + hexAddress(bytes) +
           " -target_address_space [get_bd_addr_spaces processor/Data] [get_bd_addr_segs " +
           segment + "]\n";
}

std::string addressesAssigned(const System& system, const std::string& control) {
    std::string text = "\n# Where drivers look for the registers; then the memory, as the "
                       "DMAs see it\n" +
                       assigned(system.controlAddress, system.windowBytes,
                                system.block + "/" + control + "/" + kRegisterBlock);
    for (const SystemDma& dma : system.dmas)
        text += assigned(dma.address, system.windowBytes, dma.name + "/S_AXI_LITE/Reg");
    return text + "assign_bd_address\n";
}

std::string wrapped() {
    return "\nregenerate_bd_layout\n"
           "validate_bd_design\n"
           "save_bd_design\n"
           "generate_target all [get_files system.bd]\n"
           "add_files -norecurse [list [make_wrapper -files [get_files system.bd] -top]]\n"
           "set_property top system_wrapper [get_filesets sources_1]\n"
           "update_compile_order -fileset sources_1\n"
           "puts \"the block design is in $folder\"\n";
}

} // namespace

std::string vivadoSystemScript(const Project& project) {
    const System system = systemOf(project);
    const ProcessorBlock& block = blockOf(system.processor);
    const InterfaceNames names = interfaceNames(project);
    return vivadoHead(project, "system.tcl",
                      "Block design: " + factsOf(system.processor).title + ", DMA and " +
                          project.top) +
           projectCreated(project) + systemProcedures() + processorAdded(project, block) +
           cellsAdded(project, system) + registersJoined(system, block, names.control) +
           streamsJoined(system, block, names.streams) + weightsJoined(project, system, block) +
           clocksWired(project, system, block) + interruptsWired(system, block) +
           addressesAssigned(system, names.control) + wrapped();
}

} // namespace marquetry::vendor
