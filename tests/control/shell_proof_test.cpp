// The shell's ends of streams proven by induction, for every sequence of inputs: they are queues of
// two beats, keep the protocol, and end the packets that they have begun.
#include "engine/control/shell_streams.h"
#include "engine/rtl/netlist.h"
#include "engine/support/process.h"
#include "tests/rtl/rtl_bench.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::hdl {
namespace {

/// A queue beside the module, which must say the same in every clock.
constexpr const char* kQueue = R"(
    reg started = 0;
    always @(posedge aclk) started <= 1;
    always @* assume (aresetn == started);
    reg [1:0] n;
    reg [4:0] head, tail;
    wire pop = n != 0 && taken;
    always @(posedge aclk) begin
        if (!started || flush) n <= 0;
        else n <= n + push - pop;
        if (pop || n == 0) head <= n == 2 ? tail : beat;
        if (push && n != 0) tail <= beat;
        if (push && n == 1 && pop) head <= beat;
    end
)";

constexpr const char* kSink = R"(
module proof (input aclk, aresetn, running, valid, last, taken, input [3:0] data);
    wire ready, tvalid, tlast, clean, filled, ended, waits;
    wire [3:0] tdata;
    small_sink #(.WIDTH(4)) dut (aclk, aresetn, running, valid, data, last, ready,
        tdata, tvalid, tlast, taken, clean, filled, ended, waits);
    wire flush = 0;
    reg open;
    wire closes = !running && open && n != 2;
    wire push = (valid && ready) || closes;
    wire [4:0] beat = closes ? 5'h10 : {last, data};
    QUEUE
    always @(posedge aclk) begin
        if (!started) open <= 0;
        else if (push) open <= !beat[4];
        if (started) begin
            assert (tvalid == (n != 0));
            assert (n == 0 || {tlast, tdata} == head);
            assert (n != 3);
            assert (ready == (running && n != 2));
            assert (clean == (n == 0 && !open));
        end
    end
endmodule
)";

constexpr const char* kSource = R"(
module proof (input aclk, aresetn, ending, forget, may_begin, tvalid, tlast, taken,
              input [3:0] tdata);
    wire tready, begins, open, waits, valid, last;
    wire [3:0] data;
    small_source #(.WIDTH(4)) dut (aclk, aresetn, ending, forget, may_begin, tdata, tvalid, tlast,
        tready, begins, open, waits, valid, data, last, taken);
    wire flush = ending;
    wire push = tvalid && tready && !ending;
    wire [4:0] beat = {tlast, tdata};
    QUEUE
    reg may = 0;
    always @(posedge aclk) begin
        may <= may_begin;
        if (started) begin
            assert (valid == (n != 0));
            assert (n == 0 || {last, data} == head);
            assert (n != 3);
            assert (!(tready && n == 2));
            assert (!tready || open || may);
            assert (begins == (tvalid && tready && !open));
        end
    end
endmodule
)";

/// What an induction needs to know of the registers inside.
constexpr const char* kInvariants = R"(always
assert (=> [started] (= [dut.held.waiting] (= [n] #b10)))
assert (=> (and [started] (= [n] #b10)) (= [dut.held.second] [tail]))
)";

struct Proof {
    std::string harness, invariants;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// "" when it holds from the reset and by induction, otherwise what the tools say.
std::string provenFor(const std::string& modules, const Proof& proof) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "proof.sv") << modules << replaced(proof.harness, "QUEUE", kQueue);
    std::ofstream(folder / "proof.smtc") << proof.invariants;
    const std::vector<std::vector<std::string>> commands = {
        {"yosys", "-q", "-p",
         "read_verilog -formal -sv proof.sv; prep -top proof; hierarchy -simcheck; flatten; "
         "async2sync; dffunmap; opt_clean; write_smt2 -wires proof.smt2"},
        {"yosys-smtbmc", "--noprogress", "-s", "z3", "-t", "8", "--smtc", "proof.smtc",
         "proof.smt2"},
        {"yosys-smtbmc", "--noprogress", "-s", "z3", "-i", "-t", "3", "--smtc", "proof.smtc",
         "proof.smt2"}};
    for (const auto& command : commands) {
        const auto ran = runProcess({command, folder.string()});
        if (!ran || ran->exitCode != 0)
            return ran ? ran->output : format(ran.error());
    }
    return "";
}

TEST(ShellProof, SinksAreQueuesThatEndTheirPackets) {
    const std::string sink = test::textOf(packetSink("small_sink", beatBuffer("small_buffer")));
    const Proof proof{kSink, cat(kInvariants, "assert (=> [started] (= [dut.open_x] [open]))\n")};
    EXPECT_EQ(provenFor(sink, proof), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"closes | last", "last"},
             {"wire moves = ~valid | ready;", "wire moves = 1'b1;"},
             {"data <= waiting ? second : put_data", "data <= put_data"}})
        EXPECT_NE(provenFor(replaced(sink, from, to), proof), "") << to;
}

TEST(ShellProof, SourcesAreQueuesThatTakeWhatMayBegin) {
    const std::string source =
        test::textOf(packetSource("small_source", beatBuffer("small_buffer")));
    const Proof proof{kSource, kInvariants};
    EXPECT_EQ(provenFor(source, proof), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"room_next & (open_next", "(open_next"},
             {"(open_next | may_begin)", "1'b1"},
             {"~moves | waiting | put", "~moves | put"}})
        EXPECT_NE(provenFor(replaced(source, from, to), proof), "") << to;
}

} // namespace
} // namespace marquetry::hdl
