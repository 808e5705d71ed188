// Projects for Vivado: every script runs to its end under stand-ins of the tool's commands.
#include "engine/vendor/boards.h"
#include "engine/vendor/targets.h"
#include "tests/vendor/vivado_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<vendor::Project> buildable() {
    std::vector<vendor::Project> all = {controlledProject(),
                                        controlledProject("xc7z020", "pynq-z2"),
                                        controlledProject("zu7ev", "zcu104"),
                                        controlledProject("zu3eg"),
                                        weightsProject(),
                                        weightsProject("xc7z020", "pynq-z2"),
                                        weightsProject("zu7ev", "zcu104"),
                                        weightsProject("zu3eg"),
                                        weightsProject("xcu250"),
                                        keepingProject("xc7z020", "pynq-z2"),
                                        keepingProject("zu3eg"),
                                        keepingProject("xcu250"),
                                        controlledProject("xc7k160t"),
                                        plainProject(),
                                        plainProject("xcu250"),
                                        memoryProject("xc7k160t"),
                                        oddProject()};
    return all;
}

TEST_F(VivadoTest, EveryScriptOfEveryProjectEnds) {
    int k = 0;
    for (const vendor::Project& project : buildable()) {
        SCOPED_TRACE(project.name + " for " + project.device.id + " " + project.board);
        expectAllEnd(exported(project, "export" + std::to_string(k++)));
    }
}

TEST_F(VivadoTest, MadeProjectsCanBeMadeAgain) {
    const std::string script =
        exported(controlledProject("xc7z020", "pynq-z2")) + "/vivado/project.tcl";
    expectEnds(script);
    expectEnds(script);
}

TEST_F(VivadoTest, BoardProjectsLeaveTheirResults) {
    for (const char* layout : {"new", "old"}) {
        SCOPED_TRACE(layout);
        const std::string folder =
            exported(controlledProject("zu7ev", "zcu104"), std::string("export_") + layout);
        Environment environment = {{"STUB_BOARDS", "xilinx.com:zcu104:part0:1.1"}};
        if (std::string(layout) == "old")
            environment["STUB_OLD"] = "1";
        expectEnds(folder + "/vivado/project.tcl", environment);
        for (const char* suffix : {".bit", ".hwh", ".xsa"})
            EXPECT_TRUE(std::filesystem::exists(folder + "/vivado/build/small_net" + suffix))
                << suffix;
    }
}

TEST_F(VivadoTest, BoardFilesGiveThePreset) {
    const std::string script =
        exported(controlledProject("xc7z020", "pynq-z2")) + "/vivado/system.tcl";
    EXPECT_THAT(run(script).output, HasSubstr("WARNING: Vivado has no files of the board"));
    const ProcessResult with = run(script, {{"STUB_BOARDS", "tul.com.tw:pynq-z2:part0:1.0"}});
    EXPECT_EQ(with.exitCode, 0) << with.output;
    EXPECT_THAT(with.output, Not(HasSubstr("WARNING")));
}

TEST_F(VivadoTest, InterruptsAreJoinedInNewVivados) {
    const std::string script = exported(controlledProject()) + "/vivado/system.tcl";
    expectEnds(script, {{"STUB_INLINE", "1"}});
}

TEST_F(VivadoTest, FailedRunsEndTheScript) {
    const std::string board = exported(controlledProject("xc7z020", "pynq-z2"), "board");
    const std::string bare = exported(plainProject(), "bare");
    for (const std::string& folder : {board, bare})
        for (const char* failing : {"synth_1", "impl_1"}) {
            const ProcessResult result =
                run(folder + "/vivado/project.tcl", {{"STUB_FAILS", failing}});
            EXPECT_EQ(result.exitCode, 1);
            EXPECT_THAT(result.output, HasSubstr(std::string(failing) + " has failed"));
        }
    expectEnds(board + "/vivado/project.tcl");
    // What a run before has left is not taken for this one's.
    const ProcessResult without = run(board + "/vivado/project.tcl", {{"STUB_NO_HANDOFF", "1"}});
    EXPECT_EQ(without.exitCode, 1);
    EXPECT_THAT(without.output, HasSubstr("no description of the system"));
    EXPECT_FALSE(std::filesystem::exists(board + "/vivado/build/small_net.hwh"));
}

TEST_F(VivadoTest, ClocksThatAreNotMetAreSaid) {
    const std::string folder = exported(plainProject());
    for (const char* script : {"project", "build", "estimate"}) {
        const std::string file = folder + "/vivado/" + script + ".tcl";
        EXPECT_THAT(run(file, {{"STUB_SLACK", "-0.5"}}).output, HasSubstr("is not met"));
        EXPECT_THAT(run(file).output, Not(HasSubstr("is not met")));
    }
}

TEST_F(VivadoTest, ProjectsAreMadeWithoutARunWhenAsked) {
    for (const auto& [name, project] : {std::pair("board", controlledProject("xc7z020", "pynq-z2")),
                                        std::pair("bare", plainProject())}) {
        const ProcessResult result =
            run(exported(project, name) + "/vivado/project.tcl", {}, {"create"});
        EXPECT_EQ(result.exitCode, 0) << result.output;
        EXPECT_THAT(result.output, HasSubstr("called create_project"));
        EXPECT_THAT(result.output, Not(HasSubstr("called launch_runs")));
    }
}

TEST_F(VivadoTest, BitstreamsAreWrittenWhereThereArePins) {
    const std::string folder = exported(plainProject());
    const std::string script = folder + "/vivado/build.tcl";
    EXPECT_THAT(run(script).output, Not(HasSubstr("called write_bitstream")));
    ASSERT_TRUE(writeText(folder + "/vivado/pins.xdc",
                          readText(folder + "/vivado/constraints.xdc").value_or("") +
                              "set_property -dict {PACKAGE_PIN A1 IOSTANDARD LVCMOS18} "
                              "[get_ports aclk]\n")
                    .has_value());
    const ProcessResult pins = run(script);
    EXPECT_EQ(pins.exitCode, 0) << pins.output;
    EXPECT_THAT(pins.output, HasSubstr("called write_bitstream"));
}

struct Damage {
    const char* script;
    const char* from;
    const char* to;
    const char* error;
};

const std::vector<Damage> kDamages = {
    {"build.tcl", "route_design\n", "rout_design\n", "no command 'rout_design'"},
    {"build.tcl", "-mode out_of_context", "-moode out_of_context", "no option '-moode'"},
    {"build.tcl", "-mode out_of_context", "-mode", "needs a value"},
    {"build.tcl", "-mode out_of_context", "-mode inside", "is none of"},
    {"build.tcl", "small_net_unit.v", "small_nets_unit.v", "no file"},
    {"build.tcl", "read_mem ", "list ", "is read and no file of the project"},
    {"build.tcl", "-max_paths 10", "-max_paths ten", "is no integer"},
    {"build.tcl", "place_design", "place_design now", "takes 0 to 0 arguments"},
    {"build.tcl", "place_design", "", "the design is at"},
    {"estimate.tcl", "-part xc7z020clg400-1", "-part xc7z020", "no part"},
    {"estimate.tcl", "-part xc7z020clg400-1", "", "no part"},
    {"build.tcl", "opt_design", "exit", "a script ends at its end"},
    {"build.tcl", "opt_design", "if {1} {", "missing close-brace"},
    {"project.tcl", "wait_on_run impl_1", "wait_on_run impl_2", "no object"},
    {"project.tcl", "launch_runs impl_1", "list", "was not launched"},
    {"project.tcl", "write_bitstream", "write_stream", "is none of"},
    {"project.tcl", "-fixed", "-fix", "no option '-fix'"},
    {"package_ip.tcl", "TLAST scores_tlast", "TLATS scores_tlast", "has no TLAST"},
    {"package_ip.tcl", "TDATA image_tdata", "TDATA imagine_tdata", "no port"},
    {"package_ip.tcl", "TDATA image_tdata", "TDATA image_tvalid", "of two interfaces"},
    {"package_ip.tcl", "interface:axis slave", "interface:axis master", "is no"},
    {"package_ip.tcl", "slave_memory_map_ref s_axi", "slave_memory_map_ref axi", "no object"},
    {"package_ip.tcl", "ASSOCIATED_RESET aresetn", "ASSOCIATED_RESET areset", "areset"},
    {"package_ip.tcl", "ipx::check_integrity $core", "", "not checked"},
    {"package_ip.tcl", "address_offset 16 ", "address_offset 18 ", "is at 18"},
    {"package_ip.tcl", "ipx::remove_all_bus_interface $core", "", "guessed"},
    {"system.tcl", "registers/aresetn", "registers/areset", "has no 'areset'"},
    {"system.tcl", "registers/aresetn", "", "nothing drives registers/aresetn"},
    {"system.tcl", "dma_0/M_AXIS_MM2S", "dma_0/M_AXI_MM2S", "connect_bd_intf_net"},
    {"system.tcl", "memory/S01_AXI", "memory/S00_AXI", "is joined"},
    {"system.tcl", "CONFIG.NUM_SI 3", "CONFIG.NUM_SI 4", "memory/S03_AXI is open"},
    {"system.tcl", "CONFIG.c_include_sg", "CONFIG.c_include_gather", "has no 'CONFIG.c_inc"},
    {"system.tcl", "0x40010000", "0x40000000", "overlaps"},
    {"system.tcl", "xilinx.com:ip:axi_dma", "xilinx.com:ip:axi_mda", "has no core"},
    {"system.tcl", "\nassign_bd_address\n", "\n", "DMAs see no memory"},
    {"system.tcl", "validate_bd_design", "", "no object"},
    {"constraints.xdc", "image_tdata[*]", "image_data[*]", "no port"},
    {"constraints.xdc", "create_clock", "create_clocks", "create_clocks"},
    {"constraints.xdc", "-period 10.000", "-period 0", "period"},
    {"constraints.xdc", "set_false_path -to", "set_false_path -at", "no option '-at'"},
    {"constraints.xdc", "set_false_path -to [get_ports {interrupt}]", "", "has no delay"},
    {"constraints.xdc", "create_clock", "if {1} {}\ncreate_clock", "if"},
};

TEST_F(VivadoTest, BrokenScriptsFail) {
    int k = 0;
    for (const Damage& damage : kDamages) {
        SCOPED_TRACE(std::string(damage.script) + ": " + damage.from + " → " + damage.to);
        const std::string folder =
            exported(controlledProject("xc7z020", "pynq-z2"), "damaged" + std::to_string(k++));
        const std::string memory = folder + "/rtl/small_net_unit.v";
        patch(memory, "endmodule", "initial $readmemh(\"small_net_weights.mem\", m);\nendmodule");
        const std::string script = damage.script;
        const std::string ran = script.ends_with(".tcl") ? script : "build.tcl";
        EXPECT_EQ(run(folder + "/vivado/" + ran).exitCode, 0);
        patch(folder + "/vivado/" + script, damage.from, damage.to);
        const ProcessResult result = run(folder + "/vivado/" + ran);
        EXPECT_EQ(result.exitCode, 1) << result.output;
        EXPECT_THAT(result.output, HasSubstr(damage.error));
        EXPECT_THAT(result.output, Not(HasSubstr("script ended")));
    }
}

const std::vector<Damage> kWeightDamages = {
    {"package_ip.tcl", "ARLEN m_axi_arlen", "ARLEM m_axi_arlen", "has no ARLEN"},
    {"package_ip.tcl", "RLAST m_axi_rlast", "RLAST m_axi_rready", "is no input"},
    {"package_ip.tcl", "READ_WRITE_MODE READ_ONLY", "READ_WRITE_MODE WRITE_ONLY", "READ_ONLY"},
    {"package_ip.tcl", "master_address_space_ref m_axi", "master_address_space_ref m", "no object"},
    {"package_ip.tcl", "range 1099511627776", "range 4294967296", "4294967296 bytes"},
    {"system.tcl", "CONFIG.PCW_USE_S_AXI_HP1 1 ", "", "has no 'S_AXI_HP1'"},
    {"system.tcl", "accelerator/m_axi weights/S00_AXI", "accelerator/m_axi memory/S00_AXI",
     "is joined"},
    {"system.tcl", "    weights/aresetn\n", "", "nothing drives weights/aresetn"},
    {"constraints.xdc", "m_axi_rdata[*]", "m_axi_data[*]", "no port"},
};

TEST_F(VivadoTest, BrokenWaysToTheWeightsFail) {
    int k = 0;
    for (const Damage& damage : kWeightDamages) {
        SCOPED_TRACE(std::string(damage.script) + ": " + damage.from + " → " + damage.to);
        const std::string folder = exported(weightsProject(), "weights" + std::to_string(k++));
        const std::string script = damage.script;
        patch(folder + "/vivado/" + script, damage.from, damage.to);
        const ProcessResult result =
            run(folder + "/vivado/" + (script.ends_with(".tcl") ? script : "build.tcl"));
        EXPECT_EQ(result.exitCode, 1) << result.output;
        EXPECT_THAT(result.output, HasSubstr(damage.error));
    }
}

const std::vector<Damage> kWriteDamages = {
    {"package_ip.tcl", "AWLEN m_axi_awlen", "AWLEM m_axi_awlen", "has no AWLEN"},
    {"package_ip.tcl", "WREADY m_axi_wready", "WREADY m_axi_wvalid", "is no input"},
    {"package_ip.tcl", "READ_WRITE_MODE READ_WRITE", "READ_WRITE_MODE READ_ONLY", "READ_WRITE"},
    {"package_ip.tcl", "BRESP m_axi_bresp", "BRESP m_axi_rresp", "of two interfaces"},
    {"constraints.xdc", "m_axi_wstrb[*]", "m_axi_strb[*]", "no port"},
};

TEST_F(VivadoTest, BrokenWaysToTheActivationsFail) {
    int k = 0;
    for (const Damage& damage : kWriteDamages) {
        SCOPED_TRACE(std::string(damage.script) + ": " + damage.from + " → " + damage.to);
        const std::string folder = exported(keepingProject(), "writes" + std::to_string(k++));
        const std::string script = damage.script;
        patch(folder + "/vivado/" + script, damage.from, damage.to);
        const ProcessResult result =
            run(folder + "/vivado/" + (script.ends_with(".tcl") ? script : "build.tcl"));
        EXPECT_EQ(result.exitCode, 1) << result.output;
        EXPECT_THAT(result.output, HasSubstr(damage.error));
    }
}

TEST_F(VivadoTest, PortsThatAreTooNarrowForTheWeightsAreSaid) {
    const auto readme = [](const vendor::Project& project) {
        return vendor::projectFiles("vivado", project)["README.md"];
    };
    EXPECT_THAT(readme(weightsProject("xc7z020")),
                HasSubstr("moves 8 bytes a clock, and the predicted cycles count on 16"));
    for (const vendor::Project& project :
         {weightsProject("zu3eg"), weightsProject("xcu250"), controlledProject("xc7z020")})
        EXPECT_THAT(readme(project), Not(HasSubstr("bytes a clock"))) << project.device.id;
}

TEST_F(VivadoTest, MissingFilesFail) {
    const std::string folder = exported(controlledProject("xc7z020", "pynq-z2"));
    std::filesystem::remove(folder + "/rtl/small_net_weights.mem");
    for (const char* script : {"project", "build", "estimate", "package_ip", "system"}) {
        const ProcessResult result = run(folder + "/vivado/" + script + ".tcl");
        EXPECT_EQ(result.exitCode, 1) << script;
        EXPECT_THAT(result.output, HasSubstr("small_net_weights.mem")) << script;
    }
}

TEST_F(VivadoTest, SystemsAreForProcessorsAndRegisters) {
    const auto has = [](const vendor::Project& project) {
        return vendor::projectFiles("vivado", project).contains("vivado/system.tcl");
    };
    EXPECT_TRUE(has(controlledProject("xc7z020")));
    EXPECT_TRUE(has(controlledProject("zu3eg")));
    EXPECT_FALSE(has(controlledProject("xc7k160t")));
    EXPECT_FALSE(has(plainProject("xc7z020")));
}

TEST_F(VivadoTest, SystemsOfManyStreams) {
    for (const int inputs : {1, 2, 6}) {
        vendor::Project project = sampleBase("wide", "zu7ev");
        for (int k = 0; k < inputs; ++k)
            project.streams.push_back(
                sampleStream("x" + std::to_string(k), "x" + std::to_string(k), true, 8 << k));
        project.streams.push_back(sampleStream("y", "y", false, 8));
        addControl(project);
        project.board = "zcu104";
        expectAllEnd(exported(project, "inputs" + std::to_string(inputs)));
    }
    vendor::Project source = sampleBase("source", "zu7ev");
    source.streams = {sampleStream("y", "y", false, 64)};
    addControl(source);
    source.board = "zcu104";
    expectAllEnd(exported(source, "source"));
}

/// The period of the clock in the constraints, in ns.
double periodIn(const std::string& constraints) {
    const std::string option = "-period ";
    const auto at = constraints.find(option);
    return at == std::string::npos ? 0 : std::stod(constraints.substr(at + option.size()));
}

TEST_F(VivadoTest, ClocksAreNoSlowerThanAskedFor) {
    vendor::Project project = plainProject();
    for (const double clock : {0.5, 33.3, 100.0, 300.0, 333.333, 999.0, 1000.0}) {
        project.clockMhz = clock;
        const double period =
            periodIn(vendor::projectFiles("vivado", project)["vivado/constraints.xdc"]);
        EXPECT_LE(period, 1000 / clock);
        EXPECT_GE(period, 1000 / clock - 0.001001);
    }
}

TEST_F(VivadoTest, NoPathIsFalseButTheInterrupts) {
    const auto count = [](const vendor::Project& project) {
        std::string text = vendor::projectFiles("vivado", project)["vivado/constraints.xdc"];
        int found = 0;
        for (auto at = text.find("set_false_path"); at != std::string::npos;
             at = text.find("set_false_path", at + 1))
            ++found;
        return found;
    };
    EXPECT_EQ(count(plainProject()), 0);
    EXPECT_EQ(count(memoryProject("xc7z020")), 0);
    EXPECT_EQ(count(controlledProject()), 1);
    EXPECT_THAT(vendor::projectFiles("vivado", oddProject())["vivado/constraints.xdc"],
                HasSubstr("set_false_path -to [get_ports {irq_1}]"));
}

TEST_F(VivadoTest, FilesSayNothingOfThePlaceOrTime) {
    EXPECT_EQ(vendor::projectFiles("vivado", oddProject()),
              vendor::projectFiles("vivado", oddProject()));
    for (const auto& [path, text] : vendor::projectFiles("vivado", oddProject())) {
        for (const char c : text)
            EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f)) << path;
        EXPECT_TRUE(text.ends_with("\n") && !text.ends_with("\n\n")) << path;
    }
}

TEST_F(VivadoTest, ReadmesAreShortAndSayTwoCommands) {
    for (const vendor::Project& project : buildable()) {
        const std::string readme = vendor::projectFiles("vivado", project)["README.md"];
        int commands = 0, full = 0;
        std::istringstream lines(readme);
        for (std::string line; std::getline(lines, line);) {
            commands += line.starts_with("    vivado -mode batch -source vivado/") ? 1 : 0;
            full += line.empty() ? 0 : 1;
        }
        EXPECT_EQ(commands, 2);
        EXPECT_LE(full, 11) << readme;
    }
}

} // namespace
} // namespace marquetry::test
