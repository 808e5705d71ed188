// An AXI4 master that writes and reads, as an Avalon host: what its agent sees keeps Avalon's
// rules, and the master gets its answers.
#include "engine/support/process.h"
#include "engine/vendor/avalon_wrapper.h"
#include "tests/support/temporary_folder.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::vendor {
namespace {

using ::testing::HasSubstr;

/// Writes bursts of 1 to 16 beats to 64 places, as they come at random, and reads ranges of what it
/// wrote and got an answer for.
constexpr const char* kTop = R"(
module loop_top (input wire aclk, aresetn, output reg [31:0] right, wrong,
    output reg [39:0] m_axi_araddr, output reg [7:0] m_axi_arlen, output wire [2:0] m_axi_arsize,
    output wire [1:0] m_axi_arburst, output wire [3:0] m_axi_arcache,
    output wire [2:0] m_axi_arprot, output reg m_axi_arvalid, input wire m_axi_arready,
    input wire [31:0] m_axi_rdata, input wire [1:0] m_axi_rresp, input wire m_axi_rlast,
    input wire m_axi_rvalid, output wire m_axi_rready,
    output reg [39:0] m_axi_awaddr, output reg [7:0] m_axi_awlen, output wire [2:0] m_axi_awsize,
    output wire [1:0] m_axi_awburst, output wire [3:0] m_axi_awcache,
    output wire [2:0] m_axi_awprot, output reg m_axi_awvalid, input wire m_axi_awready,
    output wire [31:0] m_axi_wdata, output wire [3:0] m_axi_wstrb, output wire m_axi_wlast,
    output reg m_axi_wvalid, input wire m_axi_wready,
    input wire [1:0] m_axi_bresp, input wire m_axi_bvalid, output wire m_axi_bready);
    assign m_axi_arsize = 2, m_axi_awsize = 2, m_axi_arburst = 1, m_axi_awburst = 1;
    assign m_axi_arcache = 3, m_axi_awcache = 3, m_axi_arprot = 0, m_axi_awprot = 0;
    assign m_axi_rready = 1, m_axi_bready = 1;
    // Bursts from their request to their answer, and of reads to their last beat.
    integer seed, asked, sending, beat, answered, reads, k;
    reg [39:0] at [0:255];
    reg [7:0] length [0:255];
    reg [39:0] read_at [0:255];
    reg [7:0] read_length [0:255];
    integer read_first, read_beat;
    function [31:0] said(input [39:0] address);
        said = address * 32'd2654435761;
    endfunction
    wire [39:0] to = at[sending % 256] + 4 * beat;
    assign m_axi_wdata = said(to);
    assign m_axi_wstrb = 4'hf;
    assign m_axi_wlast = beat == length[sending % 256];
    always @(posedge aclk)
        if (!aresetn) begin
            seed = 7; asked = 0; sending = 0; beat = 0; answered = 0; reads = 0; read_first = 0;
            read_beat = 0; right = 0; wrong = 0;
            m_axi_arvalid <= 0; m_axi_awvalid <= 0; m_axi_wvalid <= 0;
        end else begin
            if (m_axi_bvalid) answered = answered + 1;
            if (m_axi_bvalid && (m_axi_bresp != 0 || answered > asked)) wrong = wrong + 1;
            if (m_axi_wvalid && m_axi_wready) begin
                beat = m_axi_wlast ? 0 : beat + 1;
                if (beat == 0) sending = sending + 1;
                m_axi_wvalid <= 0;
            end
            if (m_axi_awvalid && m_axi_awready) m_axi_awvalid <= 0;
            if (m_axi_arvalid && m_axi_arready) m_axi_arvalid <= 0;
            if (!m_axi_awvalid && asked - answered < 4 && $random(seed) % 3 == 0) begin
                at[asked % 256] = {$random(seed), 6'd0} & 40'h3fc0;
                length[asked % 256] = $random(seed) & 15;
                m_axi_awaddr <= at[asked % 256];
                m_axi_awlen <= length[asked % 256];
                m_axi_awvalid <= 1;
                asked = asked + 1;
            end
            if ((!m_axi_wvalid || m_axi_wready) && sending < asked) m_axi_wvalid <= $random(seed);
            if (!m_axi_arvalid && answered > 0 && reads - read_first < 12 && $random(seed) % 3 == 0)
            begin
                k = answered - 1;
                if (answered > 8) k = k - ($random(seed) & 7);
                read_length[reads % 256] = length[k % 256];
                read_at[reads % 256] = at[k % 256];
                m_axi_araddr <= at[k % 256];
                m_axi_arlen <= length[k % 256];
                m_axi_arvalid <= 1;
                reads = reads + 1;
            end
            if (m_axi_rvalid) begin
                if (m_axi_rdata === said(read_at[read_first % 256] + 4 * read_beat) &&
                    m_axi_rlast === (read_beat == read_length[read_first % 256]))
                    right = right + 1;
                else
                    wrong = wrong + 1;
                read_beat = read_beat == read_length[read_first % 256] ? 0 : read_beat + 1;
                if (read_beat == 0) read_first = read_first + 1;
            end
        end
endmodule
)";

/// The agent waits at random, and answers late; reads see what was written before their command.
constexpr const char* kBench = R"(
module bench;
    reg clk = 0, resetn = 0, waits = 1, valid = 0, wrote = 0;
    reg [31:0] data = 0;
    wire [39:0] address; wire [4:0] burstcount; wire read, write;
    wire [31:0] writedata, right, wrong; wire [3:0] byteenable;
    loop_avalon dut (.aclk(clk), .aresetn(resetn), .right(right), .wrong(wrong),
        .m_axi_address(address), .m_axi_read(read), .m_axi_burstcount(burstcount),
        .m_axi_waitrequest(waits), .m_axi_readdata(data), .m_axi_readdatavalid(valid),
        .m_axi_response(2'd0), .m_axi_write(write), .m_axi_writedata(writedata),
        .m_axi_byteenable(byteenable), .m_axi_writeresponsevalid(wrote));
    always #5 clk = ~clk;
    reg [31:0] memory [0:8191];
    reg [31:0] given [0:4095];
    integer come = 0, gone = 0, left = 0, responses = 0, bursts = 0, faults = 0, seed = 1, k;
    reg [39:0] next, first; reg [4:0] count;
    reg held = 0; reg [82:0] before;
    wire [82:0] now = {read, write, address, burstcount, write ? {writedata, byteenable} : 36'd0};
    task fault(input [8*40-1:0] what);
        begin faults = faults + 1; $display("fault: %0s", what); end
    endtask
    always @(posedge clk) if (resetn) begin
        if (read && write) fault("two commands");
        if (held && now !== before) fault("a command is not held");
        held = (read || write) && waits;
        before = now;
        if (read && left != 0) fault("a read within a burst");
        if (read && !waits)
            for (k = 0; k < burstcount; k = k + 1) begin
                given[come % 4096] = memory[address / 4 + k];
                come = come + 1;
            end
        if (write && !waits) begin
            if (left == 0) begin
                next = address; first = address; left = burstcount; count = burstcount;
            end
            if (address !== first || burstcount !== count) fault("a burst changes");
            if (byteenable !== 4'hf) fault("byteenable");
            memory[next / 4] = writedata;
            next = next + 4;
            left = left - 1;
            if (left == 0) responses = responses + 1;
            if (left == 0) bursts = bursts + 1;
        end
        #1 waits = $random(seed);
        valid = come != gone && $random(seed) % 2;
        data = given[gone % 4096];
        if (valid) gone = gone + 1;
        wrote = !valid && responses != 0 && $random(seed) % 2;
        if (wrote) responses = responses - 1;
    end
    initial begin
        repeat (3) @(posedge clk);
        #1 resetn = 1;
        repeat (6000) @(posedge clk);
        $display("faults %0d wrong %0d", faults, wrong);
        if (bursts > 200 && right > 1000) $display("enough");
        else $display("bursts %0d right %0d", bursts, right);
        $finish;
    end
endmodule
)";

Project keeping() {
    Project project = test::sampleBase("loop", "arria10");
    project.plainPorts = {{"right", 32, false}, {"wrong", 32, false}};
    test::addMemory(project, 32);
    test::addWrites(project);
    return project;
}

std::string simulated(const std::string& wrapper) {
    const test::TemporaryFolder folder;
    test::writeAll(folder, {{"w.v", wrapper}, {"top.v", kTop}, {"b.v", kBench}});
    const auto built =
        test::ran({"iverilog", "-g2005", "-o", "x", "b.v", "w.v", "top.v"}, folder.string());
    EXPECT_EQ(built.exitCode, 0) << built.output;
    return test::ran({"vvp", "-n", "x"}, folder.string()).output;
}

TEST(AvalonWrites, BecomeBurstsThatNothingInterrupts) {
    const AvalonWrapper avalon = avalonWrapper(keeping());
    ASSERT_TRUE(avalon.memory);
    EXPECT_EQ(avalon.memory->burstBits, 5);
    const std::string said = simulated(avalon.verilog);
    EXPECT_THAT(said, HasSubstr("faults 0 wrong 0\nenough\n")) << avalon.verilog;
}

TEST(AvalonWrites, AreSeenWhenTheyAreWrong) {
    const std::string verilog = avalonWrapper(keeping()).verilog;
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"~m_axi_writing & ~m_axi_read_waits", "~m_axi_writing"},
             {"m_axi_room = ~m_axi_writing &", "m_axi_room ="},
             {"m_axi_writing ? m_axi_write_address", "m_axi_writing ? of_m_axi_awaddr"},
             {"m_axi_last = m_axi_beat == m_axi_lengths[m_axi_from]",
              "m_axi_last = m_axi_beat == 8'd15"}}) {
        std::string broken = verilog;
        const std::size_t at = broken.find(from);
        ASSERT_NE(at, std::string::npos) << from << " in\n" << verilog;
        broken.replace(at, from.size(), to);
        EXPECT_THAT(simulated(broken), ::testing::Not(HasSubstr("faults 0 wrong 0\nenough\n")))
            << to;
    }
}

TEST(AvalonWrites, AreWithoutAComplaintOfVerilator) {
    const Project project = keeping();
    const AvalonWrapper avalon = avalonWrapper(project);
    const test::TemporaryFolder folder;
    test::writeAll(folder, test::sampleFiles(project));
    test::writeAll(folder, {{"w.v", avalon.verilog}});
    const auto lint =
        test::ran({"verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-fatal",
                   "--top-module", avalon.module, "w.v", "rtl/" + project.top + ".v"},
                  folder.string());
    EXPECT_EQ(lint.output.find("w.v:"), lint.output.npos) << lint.output;
    EXPECT_EQ(lint.output.find("Error"), lint.output.npos) << lint.output;
}

} // namespace
} // namespace marquetry::vendor
