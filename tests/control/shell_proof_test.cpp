// The shell's ends of streams proven by induction, for every sequence of inputs: they are queues of
// two beats, keep the protocol, and end the packets that they have begun.
#include "engine/control/read_guard.h"
#include "engine/control/shell_streams.h"
#include "engine/control/write_guard.h"
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

/// Of a core that may be reset in any clock, and a bus that answers what it was asked.
constexpr const char* kGuard = R"(
module proof (input aclk, aresetn, core_aresetn, core_arvalid, arready, rvalid, rlast,
              input [39:0] core_araddr, input [1:0] rresp);
    wire core_arready, arvalid, core_rvalid, bad;
    wire [39:0] araddr;
    small_guard dut (aclk, aresetn, core_aresetn, core_araddr, core_arvalid, core_arready,
        araddr, arvalid, arready, rvalid, rlast, rresp, core_rvalid, bad);
    reg started = 0;
    always @(posedge aclk) started <= 1;
    always @* assume (aresetn == started);
    reg [4:0] bus, wanted;  // bursts: asked of the bus, and such that the core waits for
    always @* assume (!rvalid || bus != 0);
    always @* assume (!core_arvalid || wanted < 4);
    reg held;
    reg [39:0] before;
    always @(posedge aclk) begin
        if (!started) begin
            bus <= 0;
            wanted <= 0;
            held <= 0;
        end else begin
            bus <= bus + (arvalid && arready) - (rvalid && rlast);
            if (!core_aresetn) wanted <= 0;
            else wanted <= wanted + (core_arvalid && core_arready) - (core_rvalid && rlast);
            held <= arvalid && !arready;
            before <= araddr;
            assert (!core_rvalid || wanted != 0);
            assert (!held || (arvalid && araddr == before));
            assert (bad == (core_rvalid && core_aresetn && rresp[1]));
        end
    end
endmodule
)";

/// All that is owed is what the core waits for, unless the guard drains.
constexpr const char* kGuardInvariants = R"(always
assert (=> [started] (bvule [bus] #b00100))
assert (=> [started] (bvule [wanted] #b00100))
assert (=> [started] (or [dut.drains] (= (concat #b00 [dut.owed]) [wanted])))
assert (=> (and [started] [dut.drains]) (= [wanted] #b00000))
assert (=> [started] (= (concat #b00 [dut.owed]) (bvadd [bus] (bvadd (ite [arvalid] #b00001 #b00000) (ite [dut.requests.waiting] #b00001 #b00000)))))
assert (=> [started] (bvule [dut.owed] #b100))
assert (=> (and [started] [held]) [arvalid])
assert (=> (and [started] [held]) (= [araddr] [before]))
assert (=> (and [started] [dut.requests.waiting]) [arvalid])
)";

/// The same for bursts that are written, of beats of 8 bits.
constexpr const char* kWriteGuard = R"(
module proof (input aclk, aresetn, core_aresetn, core_awvalid, core_wvalid, awready, wready, bvalid,
              input core_wstrb, input [39:0] core_awaddr, input [7:0] core_awlen, core_wdata,
              input [1:0] bresp);
    wire core_awready, core_wready, awvalid, wvalid, wlast, wstrb, core_bvalid, bad, owes;
    wire [39:0] awaddr;
    wire [7:0] awlen, wdata;
    small_guard dut (aclk, aresetn, core_aresetn, core_awaddr, core_awlen, core_awvalid,
        core_awready, core_wdata, core_wstrb, core_wvalid, core_wready, awaddr, awlen, awvalid,
        awready, wdata, wstrb, wlast, wvalid, wready, bvalid, bresp, core_bvalid, bad, owes);
    reg started = 0;
    always @(posedge aclk) started <= 1;
    always @* assume (aresetn == started);
    reg [4:0] bus, wanted;  // bursts: asked of the bus, and such that the core waits for
    always @* assume (!bvalid || bus != 0);
    reg [11:0] lacks;       // beats: the core has asked for their bursts, and the bus has not seen them
    reg held, w_held;
    reg [47:0] before;
    reg last_before, strobe_before;
    reg [7:0] data_before;
    always @(posedge aclk) begin
        if (!started) begin
            bus <= 0;
            wanted <= 0;
            lacks <= 0;
            held <= 0;
            w_held <= 0;
        end else begin
            bus <= bus + (awvalid && awready) - bvalid;
            if (!core_aresetn) wanted <= 0;
            else wanted <= wanted + (core_awvalid && core_awready) - core_bvalid;
            lacks <= lacks + (core_awvalid && core_awready ? core_awlen + 12'd1 : 12'd0) -
                (wvalid && wready);
            held <= awvalid && !awready;
            before <= {awlen, awaddr};
            w_held <= wvalid && !wready;
            last_before <= wlast;
            strobe_before <= wstrb;
            data_before <= wdata;
            assert (!core_bvalid || wanted != 0);
            assert (wanted <= 4 && bus <= 4);
            assert (!held || (awvalid && {awlen, awaddr} == before));
            assert (!w_held || (wvalid && {wlast, wstrb, wdata} == {last_before, strobe_before, data_before}));
            assert (bad == (core_bvalid && core_aresetn && bresp[1]));
            assert (!wvalid || lacks != 0);
        end
    end
endmodule
)";

constexpr const char* kWriteGuardInvariants = R"(always
assert (=> [started] (or [dut.drains] (= (concat #b00 [dut.owed]) [wanted])))
assert (=> (and [started] [dut.drains]) (= [wanted] #b00000))
assert (=> [started] (= (concat #b00 [dut.owed]) (bvadd [bus] (bvadd (ite [awvalid] #b00001 #b00000) (ite [dut.requests.waiting] #b00001 #b00000)))))
assert (=> [started] (bvule [dut.owed] #b100))
assert (=> [started] (bvule [dut.left] #b100000000))
assert (=> [started] (bvule [dut.next_left] #b100000000))
assert (=> (and [started] (not (= [dut.next_left] #b000000000))) (not (= [dut.left] #b000000000)))
assert (=> (and [started] [held]) (and [awvalid] (= (concat [awlen] [awaddr]) [before])))
assert (=> (and [started] [w_held]) (and [wvalid] (= [wlast] [last_before]) (= [wstrb] [strobe_before]) (= [wdata] [data_before])))
assert (=> (and [started] [dut.requests.waiting]) [awvalid])
assert (=> (and [started] [dut.beats.waiting]) [wvalid])
assert (=> [started] (= [lacks] (bvadd (bvadd (concat #b000 [dut.left]) (concat #b000 [dut.next_left])) (bvadd (ite [wvalid] #x001 #x000) (ite [dut.beats.waiting] #x001 #x000)))))
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
    EXPECT_NE(at, std::string::npos) << from << " in\n" << text;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// "" when it holds from the reset and by induction, otherwise what the tools say.
std::string provenFor(const std::string& modules, const Proof& proof) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "proof.sv") << modules << proof.harness;
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
    const Proof proof{replaced(kSink, "QUEUE", kQueue),
                      cat(kInvariants, "assert (=> [started] (= [dut.open_x] [open]))\n")};
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
    const Proof proof{replaced(kSource, "QUEUE", kQueue), kInvariants};
    EXPECT_EQ(provenFor(source, proof), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"room_next & (open_next", "(open_next"},
             {"(open_next | may_begin)", "1'b1"},
             {"~moves | waiting | put", "~moves | put"}})
        EXPECT_NE(provenFor(replaced(source, from, to), proof), "") << to;
}

TEST(ShellProof, GuardsGiveACoreWhatItAskedForAndKeepTheBusInOrder) {
    const std::string guard = test::textOf(readGuard("small_guard", beatBuffer("small_buffer"), 4));
    const Proof proof{kGuard, kGuardInvariants};
    EXPECT_EQ(provenFor(guard, proof), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"drains <= ~core_aresetn |", "drains <= ~core_aresetn & 1'b0 |"},
             {"core_rvalid = rvalid & ~drains", "core_rvalid = rvalid"},
             {"(drains & (owed != 3'd0))", "1'b0"},
             {".aresetn(aresetn)", ".aresetn(core_aresetn)"},
             {"put = core_arvalid & room & ~drains", "put = core_arvalid & room"}})
        EXPECT_NE(provenFor(replaced(guard, from, to), proof), "") << to;
}

TEST(ShellProof, GuardsOfReadsOfAnyLengthKeepTheirNumber) {
    const std::string guard =
        test::textOf(readGuard("small_guard", beatBuffer("small_buffer"), 4, ReadLengths::Any));
    std::string harness = replaced(kGuard, "rlast, rresp, core_rvalid, bad);",
                                   "rlast, rresp, core_rvalid, bad, owes, core_arlen, arlen);");
    harness = replaced(harness, "input [1:0] rresp", "input [1:0] rresp, input [7:0] core_arlen");
    harness = replaced(harness, "wire core_arready", "wire [7:0] arlen; wire owes, core_arready");
    harness = replaced(harness, "always @* assume (!core_arvalid || wanted < 4);", "");
    harness = replaced(harness, "reg [39:0] before", "reg [47:0] before");
    harness = replaced(harness, "before <= araddr", "before <= {arlen, araddr}");
    harness = replaced(harness, "araddr == before", "{arlen, araddr} == before");
    const std::string invariants = replaced(kGuardInvariants, "(= [araddr] [before])",
                                            "(= (concat [arlen] [araddr]) [before])");
    const Proof proof{harness, invariants};
    EXPECT_EQ(provenFor(guard, proof), "");
    EXPECT_NE(provenFor(replaced(guard, "& (owed != 3'd4)", ""), proof), "");
}

TEST(ShellProof, GuardsOfWritesKeepTheBusInOrder) {
    const std::string guard =
        test::textOf(writeGuard("small_guard", beatBuffer("small_buffer"), 8, 4));
    const Proof proof{kWriteGuard, kWriteGuardInvariants};
    EXPECT_EQ(provenFor(guard, proof), "");
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"drains <= ~core_aresetn |", "drains <= ~core_aresetn & 1'b0 |"},
             {"core_bvalid = bvalid & ~drains", "core_bvalid = bvalid"},
             {"(drains & (owed != 3'd0))", "1'b0"},
             {".aresetn(aresetn)", ".aresetn(core_aresetn)"},
             {"& (owed != 3'd4)", ""},
             {"& (next_left == 9'd0)", ""}})
        EXPECT_NE(provenFor(replaced(guard, from, to), proof), "") << to;
}

} // namespace
} // namespace marquetry::hdl
