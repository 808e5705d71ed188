// Projects for Quartus: settings, constraints, components and systems read under stand-ins of the
// tools' commands; the Avalon streams simulated.
#include "engine/vendor/quartus.h"
#include "engine/vendor/quartus_parts.h"
#include "engine/vendor/targets.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::vendor {
namespace {

using ::testing::HasSubstr;

/// Of every kind, on devices of Quartus.
std::vector<Project> quartusProjects() {
    std::vector<Project> projects = test::sampleProjects();
    for (Project& project : projects) {
        project.device = *device::findDevice("arria10");
        for (ProjectStream& stream : project.streams)
            if (stream.tdataBits == 24) // DMAs have powers of two
                stream.tdataBits = 32;
    }
    return projects;
}

class Quartus : public ::testing::Test {
protected:
    void write(const Project& project, const std::string& name) {
        folder_ = top_.path() / name;
        files::FolderFiles hardware = test::sampleFiles(project);
        for (const std::string& memory : project.memories)
            hardware[project.sources.front()] +=
                "// $readmemh(\"" + memory.substr(memory.find('/') + 1) + "\"\n";
        test::writeAll(folder_, hardware);
        test::writeAll(folder_, projectFiles("quartus", project));
    }

    ProcessResult run(const std::string& tool, const std::string& script) const {
        return test::ran(
            {"tclsh", test::sourceFolder() + "/tests/vendor/stub/stub.tcl", tool, script},
            folder_ / "quartus");
    }

    void expectEnds(const std::string& tool, const std::string& script) const {
        const auto result = run(tool, script);
        EXPECT_THAT(result.output, HasSubstr("script ended")) << script;
        EXPECT_EQ(result.exitCode, 0) << script << "\n" << result.output;
    }

    /// What the stand-ins say when a text of a script is replaced.
    std::string broken(const std::string& tool, const std::string& script, const std::string& from,
                       const std::string& to) const {
        const std::string path = folder_ / "quartus" / script;
        const std::string whole = *test::readText(path);
        std::string text = whole;
        const auto at = text.find(from);
        EXPECT_NE(at, text.npos) << from;
        EXPECT_TRUE(test::writeText(path, text.replace(at, from.size(), to)));
        const bool constraints = script.ends_with(".sdc");
        const auto result =
            run(tool, constraints ? script.substr(0, script.size() - 4) + ".qsf" : script);
        EXPECT_EQ(result.exitCode, 1) << from;
        EXPECT_TRUE(test::writeText(path, whole));
        return result.output;
    }

    test::TemporaryFolder top_;
    std::filesystem::path folder_;
};

TEST_F(Quartus, EveryScriptRunsToItsEnd) {
    int number = 0;
    for (const Project& project : quartusProjects()) {
        write(project, "a b $c [exit 9] {d ;e\\f \" \xc3\xa9 " + std::to_string(number++));
        int components = 0;
        for (const auto& entry : std::filesystem::directory_iterator(folder_ / "quartus")) {
            const std::string file = entry.path().filename();
            if (file.ends_with(".qsf"))
                expectEnds("quartus_qsf", file);
            if (file.ends_with("_hw.tcl"))
                expectEnds("quartus_hw", file);
            components += file.ends_with("_hw.tcl") ? 1 : 0;
        }
        EXPECT_EQ(components, project.streams.empty() ? 1 : 2);
        EXPECT_EQ(std::filesystem::exists(folder_ / "quartus/system.tcl"),
                  !project.streams.empty());
        if (!project.streams.empty())
            expectEnds("quartus_qsys", "system.tcl");
    }
}

TEST_F(Quartus, ProjectNamesItsSettings) {
    const auto files = quartusFiles(quartusProjects()[0]);
    EXPECT_THAT(files.at("quartus/small_net.qpf"),
                HasSubstr("\nPROJECT_REVISION = \"small_net\"\n"));
    EXPECT_TRUE(files.contains("quartus/small_net.qsf"));
    EXPECT_THAT(files.at("README.md"), HasSubstr("quartus_sh --flow compile small_net"));
    EXPECT_THAT(files.at("README.md"), HasSubstr("qsys-script --script=system.tcl"));
}

TEST_F(Quartus, FaultsOfProjectsAreFound) {
    write(quartusProjects()[0], "project");
    const auto settings = [&](const char* from, const char* to) {
        return broken("quartus_qsf", "small_net.qsf", from, to);
    };
    EXPECT_THAT(settings("set_global_assignment -name FAMILY", "set_global_asignment -name FAMILY"),
                HasSubstr("no command"));
    EXPECT_THAT(settings("NUM_PARALLEL_PROCESSORS", "NUM_PROCESSORS"), HasSubstr("no setting"));
    EXPECT_THAT(settings("small_net_unit.v", "other.v"), HasSubstr("no file"));
    EXPECT_THAT(settings("-name VIRTUAL_PIN ON -to image_tvalid", "-name VIRTUAL_PIN ON -to x"),
                HasSubstr("image_tvalid"));
    EXPECT_THAT(settings("-name MISC_FILE", "-name SEARCH_PATH ../rtl ;#"),
                HasSubstr("is read and not named"));
    EXPECT_THAT(settings("Arria 10", "Arria 11"), HasSubstr("FAMILY is not"));
    const auto constraints = [&](const char* from, const char* to) {
        return broken("quartus_qsf", "small_net.sdc", from, to);
    };
    EXPECT_THAT(constraints("image_tdata[*]", "image_tdat[*]"), HasSubstr("no port"));
    EXPECT_THAT(constraints("-period 10", "-perod 10"), HasSubstr("no option"));
    EXPECT_THAT(constraints("set_false_path -to", "#"), HasSubstr("has no delay"));
}

TEST_F(Quartus, FaultsOfComponentsAndSystemsAreFound) {
    write(quartusProjects()[0], "project");
    const auto component = [&](const char* from, const char* to) {
        return broken("quartus_hw", "small_net_avalon_hw.tcl", from, to);
    };
    EXPECT_THAT(component("image_data data Input 64", "image_data data Input 32"),
                HasSubstr("in the module not"));
    EXPECT_THAT(component("image_valid valid Input 1", "image_valid vald Input 1"),
                HasSubstr("has no 'vald'"));
    EXPECT_THAT(component("control s_axi_rready rready Input 1", "control s_axi_rready rready"),
                HasSubstr("arguments"));
    EXPECT_THAT(component("PATH ../rtl/small_net_unit.v", "PATH ../rtl/nowhere.v"),
                HasSubstr("no file"));
    EXPECT_THAT(component("add_interface stream_image avalon_streaming end",
                          "add_interface stream_image avalon_streaming start"),
                HasSubstr("is no start"));
    EXPECT_THAT(component("associatedClock clock", "associatedClock reset"),
                HasSubstr("associatedClock"));
    const auto system = [&](const char* from, const char* to) {
        return broken("quartus_qsys", "system.tcl", from, to);
    };
    EXPECT_THAT(system("accelerator.stream_image", "accelerator.stream_bias"), HasSubstr("bits"));
    EXPECT_THAT(system("add_connection clock.out_clk host.clk\n", ""), HasSubstr("host.clk"));
    EXPECT_THAT(system("memory.s1 baseAddress 0x00000000", "memory.s1 baseAddress 0x00010000"),
                HasSubstr("meets"));
    EXPECT_THAT(system("dma_stream_image MODE 1", "dma_stream_image MODUS 1"),
                HasSubstr("has no 'MODUS'"));
    EXPECT_THAT(system("add_instance host altera_jtag_avalon_master", "add_instance host no_such"),
                HasSubstr("no component 'no_such'"));
    EXPECT_THAT(system("save_system", "#"), HasSubstr("not saved"));
}

TEST_F(Quartus, FamilyIsThatOfThePart) {
    device::Device device;
    for (const auto& [part, family] : {std::pair("10AX115N2F45E1SG", "Arria 10"),
                                       {"5CSEMA4U23C6", "Cyclone V"},
                                       {"10CX220YF780E5G", "Cyclone 10 GX"}}) {
        device.part = part;
        EXPECT_EQ(quartusFamily(device), family);
    }
}

/// The wrapper around a top that takes and gives beats as they come: bytes arrive as Avalon has
/// them, packets begin where the one before has ended.
constexpr const char* kAvalonBench = R"(
module bench;
    reg clk = 0, resetn = 0;
    reg [31:0] in; reg valid = 0, sop = 0, eop = 0, ready = 0;
    wire in_ready, out_valid, out_sop, out_eop; wire [31:0] out; wire [1:0] out_empty;
    loop_avalon dut (.aclk(clk), .aresetn(resetn),
        .a_data(in), .a_valid(valid), .a_ready(in_ready), .a_startofpacket(sop), .a_endofpacket(eop),
        .a_empty(2'd0), .b_data(out), .b_valid(out_valid), .b_ready(ready),
        .b_startofpacket(out_sop), .b_endofpacket(out_eop), .b_empty(out_empty));
    always #5 clk = ~clk;
    integer k, seed = 1;
    initial begin
        repeat (3) @(posedge clk);
        #1 resetn = 1;
        for (k = 0; k < 9; k = k + 1) begin
            in = {8'd1, 8'd2, 8'd3, 8'd0} + k; valid = 1; sop = k % 3 == 0; eop = k % 3 == 2;
            @(posedge clk); while (!in_ready) @(posedge clk);
            #1 valid = 0;
        end
        repeat (50) @(posedge clk);
        $finish;
    end
    always @(posedge clk) #1 ready = $random(seed);
    always @(posedge clk)
        if (out_valid && ready) $display("%h %b %b %0d", out, out_sop, out_eop, out_empty);
endmodule
)";
/// Adds one to the lowest byte, which is the first of a beat.
constexpr const char* kLoopTop = R"(
module loop_top (input wire aclk, input wire aresetn,
    input wire [31:0] a_tdata, input wire a_tvalid, input wire a_tlast, output wire a_tready,
    output wire [31:0] b_tdata, output wire b_tvalid, output wire b_tlast, input wire b_tready);
    assign b_tdata = {a_tdata[31:8], a_tdata[7:0] + 8'd16};
    assign b_tvalid = a_tvalid & aresetn;
    assign b_tlast = a_tlast;
    assign a_tready = b_tready & aresetn;
endmodule
)";

TEST(AvalonWrapperTest, KeepsBytesAndMarksPackets) {
    Project project = test::sampleBase("loop", "arria10");
    project.streams = {test::sampleStream("a", "a", true, 32),
                       test::sampleStream("b", "b", false, 32)};
    const AvalonWrapper avalon = avalonWrapper(project);
    const test::TemporaryFolder folder;
    test::writeAll(folder, {{"w.v", avalon.verilog}, {"top.v", kLoopTop}, {"b.v", kAvalonBench}});
    const auto built = test::ran(
        {"iverilog", "-g2001", "-Wall", "-Wno-timescale", "-o", "x", "b.v", "w.v", "top.v"},
        folder.string());
    EXPECT_EQ(built.exitCode, 0) << built.output;
    std::string expected;
    for (int k = 0; k < 9; ++k)
        expected += "1102030" + std::to_string(k) + " " + (k % 3 == 0 ? "1" : "0") + " " +
                    (k % 3 == 2 ? "1" : "0") + " 0\n";
    EXPECT_THAT(test::ran({"vvp", "-n", "x"}, folder.string()).output, HasSubstr(expected));
    const auto lint = test::ran({"verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME",
                                 "-Wno-fatal", "--top-module", avalon.module, "w.v", "top.v"},
                                folder.string());
    EXPECT_EQ(lint.output.find("w.v:"), lint.output.npos) << lint.output;
}

/// Two bursts of four beats, asked for at once; the agent waits, and answers with gaps.
constexpr const char* kReadBench = R"(
module bench;
    reg clk = 0, resetn = 0, waits = 1, valid = 0;
    reg [31:0] data = 0;
    wire [39:0] address; wire [2:0] burstcount; wire read, done;
    loop_avalon dut (.aclk(clk), .aresetn(resetn), .done(done), .m_axi_address(address),
        .m_axi_read(read), .m_axi_burstcount(burstcount), .m_axi_waitrequest(waits),
        .m_axi_readdata(data), .m_axi_readdatavalid(valid), .m_axi_response(2'd0));
    always #5 clk = ~clk;
    integer owed = 0, seed = 1;
    always @(posedge clk) begin
        if (resetn && read && !waits) begin
            $display("read %h of %0d", address, burstcount);
            owed = owed + burstcount;
        end
        #1 waits = $random(seed);
        valid = owed != 0 && $random(seed) % 2;
        if (valid) begin
            owed = owed - 1;
            data = data + 1;
        end
    end
    initial begin
        repeat (3) @(posedge clk);
        #1 resetn = 1;
        repeat (200) @(posedge clk);
        $display("done %b", done);
        $finish;
    end
endmodule
)";
constexpr const char* kReadTop = R"(
module loop_top (input wire aclk, input wire aresetn, output wire done,
    output wire [39:0] m_axi_araddr, output wire [7:0] m_axi_arlen, output wire [2:0] m_axi_arsize,
    output wire [1:0] m_axi_arburst, output wire [3:0] m_axi_arcache,
    output wire [2:0] m_axi_arprot, output wire m_axi_arvalid, input wire m_axi_arready,
    input wire [31:0] m_axi_rdata, input wire [1:0] m_axi_rresp, input wire m_axi_rlast,
    input wire m_axi_rvalid, output wire m_axi_rready);
    reg [1:0] left; reg [3:0] beats;
    assign m_axi_araddr = {32'd0, 6'd0, left} << 8;
    assign m_axi_arlen = 8'd3;
    assign m_axi_arsize = 3'd2;
    assign m_axi_arburst = 2'd1;
    assign m_axi_arcache = 4'd3;
    assign m_axi_arprot = 3'd0;
    assign m_axi_arvalid = left != 0;
    assign m_axi_rready = 1'b1;
    assign done = left == 0 && beats == 4'd8;
    always @(posedge aclk)
        if (!aresetn) begin
            left <= 2'd2;
            beats <= 4'd0;
        end else begin
            if (m_axi_arvalid && m_axi_arready) left <= left - 2'd1;
            if (m_axi_rvalid) begin
                beats <= beats + 4'd1;
                $display("beat %0d %b", m_axi_rdata, m_axi_rlast);
            end
        end
endmodule
)";

TEST(AvalonWrapperTest, ReadsOfAxiBecomeAvalons) {
    Project project = test::sampleBase("loop", "arria10");
    project.plainPorts = {{"done", 1, false}};
    test::addMemory(project, 32);
    project.memory->burstBeats = 4;
    const AvalonWrapper avalon = avalonWrapper(project);
    ASSERT_TRUE(avalon.memory);
    EXPECT_EQ(avalon.memory->burstBits, 3);
    const test::TemporaryFolder folder;
    test::writeAll(folder, {{"w.v", avalon.verilog}, {"top.v", kReadTop}, {"b.v", kReadBench}});
    const auto built = test::ran(
        {"iverilog", "-g2001", "-Wall", "-Wno-timescale", "-o", "x", "b.v", "w.v", "top.v"},
        folder.string());
    EXPECT_EQ(built.exitCode, 0) << built.output;
    const std::string said = test::ran({"vvp", "-n", "x"}, folder.string()).output;
    EXPECT_THAT(said, HasSubstr("read 0000000200 of 4\n"));
    EXPECT_THAT(said, HasSubstr("read 0000000100 of 4\n"));
    for (int beat = 1; beat <= 8; ++beat)
        EXPECT_THAT(said,
                    HasSubstr("beat " + std::to_string(beat) + (beat % 4 == 0 ? " 1\n" : " 0\n")));
    EXPECT_THAT(said, HasSubstr("done 1\n"));
    const auto lint = test::ran({"verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME",
                                 "-Wno-fatal", "--top-module", avalon.module, "w.v", "top.v"},
                                folder.string());
    EXPECT_EQ(lint.output.find("w.v:"), lint.output.npos) << lint.output;
}

TEST_F(Quartus, FaultsAtTheWeightsAreFound) {
    write(quartusProjects().back(), "project");
    EXPECT_THAT(
        broken("quartus_hw", "small_net_avalon_hw.tcl", "m_axi_read read", "m_axi_read reed"),
        HasSubstr("has no 'reed'"));
    EXPECT_THAT(broken("quartus_hw", "small_net_hw.tcl", "add_interface weights axi4 start",
                       "add_interface weights axi4 end"),
                HasSubstr("is no end"));
    EXPECT_THAT(
        broken("quartus_qsys", "system.tcl", "EXPORT_OF accelerator.weights", "EXPORT_OF x.y"),
        HasSubstr("no instance 'x'"));
    EXPECT_THAT(broken("quartus_qsys", "system.tcl", "add_interface weights avalon start\n", ""),
                HasSubstr("no 'weights'"));
}

} // namespace
} // namespace marquetry::vendor
