// A guard of writes between a core that is reset in every clock of its bursts, and a bus that
// checks what the protocol says.
#include "engine/control/shell_streams.h"
#include "engine/control/write_guard.h"
#include "engine/rtl/netlist.h"
#include "engine/support/process.h"
#include "tests/rtl/rtl_bench.h"
#include "tests/support/cases.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::hdl {
namespace {

/// Beats have 16 bits. The core sends bursts of 1 to 20 beats, whose data their addresses say, and
/// is reset GAP = 1, 2, 3 … clocks after it began. The bus lets every channel wait at random.
constexpr const char* kBench = R"(
module bench;
    parameter SEED = 1, GAPS = 200;
    integer seed, faults, gap, clock, k, resets, finished;
    reg aclk, aresetn, core_aresetn;
    // The core: bursts that it has asked for, sent and seen answered since its reset; the guard
    // lets it have four at once.
    integer asked, sending, beat, answered;
    reg [39:0] address [0:255];
    integer beats [0:255];
    reg c_awvalid, c_wvalid;
    wire c_awready, c_wready, c_bvalid, bad, owes;
    // The bus: bursts and beats as they come.
    integer requests, gathered, beats_in, beats_used, given, cut;
    reg [39:0] at [0:1023];
    integer length [0:1023];
    reg [15:0] data [0:4095];
    reg [1:0] strobe [0:4095];
    reg last [0:4095];
    reg whole [0:1023];
    wire [39:0] awaddr;
    wire [7:0] awlen;
    wire awvalid, wvalid, wlast;
    wire [15:0] wdata;
    wire [1:0] wstrb;
    reg awready, wready, bvalid, aw_waits, w_waits;
    reg [1:0] bresp;
    reg [47:0] aw_before;
    reg [18:0] w_before;
    function [15:0] said(input [39:0] burst, input integer index);
        said = burst[15:0] * 16'd40503 + index * 16'd977;
    endfunction
    function [1:0] lanes(input [39:0] burst, input integer index);
        lanes = 1 + (burst[7:0] + index) % 3;
    endfunction
    wire [7:0] c_length = beats[asked % 256] - 1;
    guard dut (aclk, aresetn, core_aresetn,
        address[asked % 256], c_length, c_awvalid, c_awready,
        c_wvalid ? said(address[sending % 256], beat) : 16'hdead,
        c_wvalid ? lanes(address[sending % 256], beat) : 2'd3, c_wvalid, c_wready,
        awaddr, awlen, awvalid, awready, wdata, wstrb, wlast, wvalid, wready,
        bvalid, bresp, c_bvalid, bad, owes);
    task fault(input [8*40-1:0] what);
        begin
            faults = faults + 1;
            if (faults < 10) $display("fault: %0s, gap %0d, clock %0d", what, gap, clock);
        end
    endtask
    // Of bus and guard, at the clock's edge.
    task see;
        begin
            if (aw_waits && (!awvalid || {awlen, awaddr} !== aw_before)) fault("a request is gone");
            if (w_waits && (!wvalid || {wlast, wstrb, wdata} !== w_before)) fault("a beat is gone");
            if (bad !== (c_bvalid && core_aresetn && bresp[1])) fault("bad");
            if (c_bvalid && answered == asked) fault("an answer that nobody waits for");
            if (c_bvalid && core_aresetn && answered != asked &&
                (at[given % 1024] !== address[answered % 256] || !whole[given % 1024]))
                fault("an answer to another burst, or to half of one");
            if (bvalid && !owes) fault("nothing is owed");
            aw_waits = awvalid && !awready;
            w_waits = wvalid && !wready;
            aw_before = {awlen, awaddr};
            w_before = {wlast, wstrb, wdata};
            if (awvalid && awready) begin
                at[requests % 1024] = awaddr;
                length[requests % 1024] = awlen + 1;
                requests = requests + 1;
            end
            if (wvalid && wready) begin
                data[beats_in % 4096] = wdata;
                strobe[beats_in % 4096] = wstrb;
                last[beats_in % 4096] = wlast;
                beats_in = beats_in + 1;
            end
            if (bvalid) given = given + 1;
            if (requests - given > 4) fault("too many bursts");
            if (gathered < requests && beats_in - beats_used >= length[gathered % 1024]) gather;
        end
    endtask
    task gather;
        integer n;
        begin
            n = length[gathered % 1024];
            whole[gathered % 1024] = 1;
            for (k = 0; k < n; k = k + 1) begin
                if (last[(beats_used + k) % 4096] !== (k == n - 1)) fault("wlast");
                if (strobe[(beats_used + k) % 4096] === 2'd0)
                    whole[gathered % 1024] = 0;
                else if (!whole[gathered % 1024] ||
                         strobe[(beats_used + k) % 4096] !== lanes(at[gathered % 1024], k) ||
                         data[(beats_used + k) % 4096] !== said(at[gathered % 1024], k))
                    fault("a beat of another burst");
            end
            if (!whole[gathered % 1024]) cut = cut + 1;
            for (k = answered; k < asked; k = k + 1)
                if (!whole[gathered % 1024] && address[k % 256] === at[gathered % 1024])
                    fault("a burst of after the reset is cut");
            beats_used = beats_used + n;
            gathered = gathered + 1;
        end
    endtask
    task core_steps;
        begin
            if (!core_aresetn) begin
                asked = 0; sending = 0; beat = 0; answered = 0; c_awvalid = 0; c_wvalid = 0;
                renew;
            end else begin
                if (c_bvalid) answered = answered + 1;
                if (c_bvalid) finished = finished + 1;
                if (c_wvalid && w_taken) begin
                    beat = beat + 1;
                    c_wvalid = 0;
                    if (beat == beats[sending % 256]) begin
                        sending = sending + 1;
                        beat = 0;
                    end
                end
                if (c_awvalid && aw_taken) begin
                    asked = asked + 1;
                    c_awvalid = 0;
                    renew;
                end
                if (!c_awvalid && asked - answered < 6) c_awvalid = $random(seed);
                if (!c_wvalid && sending < asked + c_awvalid) c_wvalid = $random(seed);
            end
        end
    endtask
    task renew;
        begin
            address[asked % 256] = {$random(seed), 8'd0} ^ (resets * 7 + asked);
            beats[asked % 256] = 1 + $unsigned($random(seed)) % 20;
        end
    endtask
    reg aw_taken, w_taken;
    initial begin
        seed = SEED; faults = 0; clock = 0; resets = 0; finished = 0; cut = 0;
        aclk = 0; aresetn = 0; core_aresetn = 0;
        asked = 0; sending = 0; beat = 0; answered = 0; c_awvalid = 0; c_wvalid = 0;
        requests = 0; gathered = 0; beats_in = 0; beats_used = 0; given = 0;
        awready = 0; wready = 0; bvalid = 0; bresp = 0; aw_waits = 0; w_waits = 0;
        renew;
        repeat (2) begin #5 aclk = 1; #5 aclk = 0; end
        aresetn = 1;
        for (gap = 1; gap <= GAPS; gap = gap + 1) begin
            core_aresetn = 0;
            resets = resets + 1;
            for (clock = 0; clock < gap + 1 + gap % 4; clock = clock + 1) begin
                if (clock == 1 + gap % 4) core_aresetn = 1;
                #1 aw_taken = c_awready; w_taken = c_wready;
                see;
                #1 aclk = 1;
                #1 core_steps;
                awready = $random(seed); wready = $random(seed);
                if (SEED % 3 == 0) begin awready = 1; wready = 1; end
                if (SEED % 3 == 1 && wready) wready = $random(seed);
                bresp = $random(seed);
                bvalid = given < gathered && ($random(seed) & 3) == 0;
                #1 aclk = 0;
            end
        end
        // All comes to its end behind a last reset, though the core sends nothing more.
        core_aresetn = 0;
        for (clock = 0; clock < 500; clock = clock + 1) begin
            #1 see;
            #1 aclk = 1;
            #1 c_awvalid = 0; c_wvalid = 0; answered = asked; core_aresetn = 1;
            awready = 1; wready = 1; bvalid = given < gathered;
            #1 aclk = 0;
        end
        if (owes || given != requests || awvalid || wvalid) fault("something is left");
        $display("faults %0d finished %0d cut %0d", faults, finished, cut);
        $finish;
    end
endmodule
)";

struct Outcome {
    std::string text;
    int faults = -1, finished = 0, cut = 0;
};

Outcome simulated(const std::string& guard, int seed) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "guard.v") << guard;
    std::ofstream(folder / "bench.v") << kBench;
    const auto built = runProcess({{"iverilog", "-g2005", "-Pbench.SEED=" + std::to_string(seed),
                                    "-s", "bench", "-o", "sim", "bench.v", "guard.v"},
                                   folder.string()});
    EXPECT_TRUE(built && built->exitCode == 0) << (built ? built->output : "");
    const auto ran = runProcess({{"vvp", "-n", "sim"}, folder.string()});
    EXPECT_TRUE(ran);
    Outcome outcome{ran ? ran->output : ""};
    const std::size_t at = outcome.text.rfind("faults ");
    if (at != std::string::npos)
        std::sscanf(outcome.text.c_str() + at, "faults %d finished %d cut %d", &outcome.faults,
                    &outcome.finished, &outcome.cut);
    return outcome;
}

std::string guardText() {
    return test::textOf(writeGuard("guard", beatBuffer("buffer"), 16, 4));
}

} // namespace

TEST(WriteGuard, KeepsTheBusInOrderWheneverTheCoreIsReset) {
    for (int seed = 1; seed <= test::cases(6, 40); ++seed) {
        const Outcome outcome = simulated(guardText(), seed);
        EXPECT_EQ(outcome.faults, 0) << outcome.text;
        EXPECT_GT(outcome.finished, 100) << outcome.text;
        EXPECT_GT(outcome.cut, 100) << outcome.text;
    }
}

TEST(WriteGuard, IsSeenWhenItIsWrong) {
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"drains ? 2'd0 : core_wstrb", "core_wstrb"},
             {"put = owes_beat & (drains | core_wvalid)", "put = owes_beat & core_wvalid"},
             {"core_bvalid = bvalid & ~drains", "core_bvalid = bvalid"},
             {"core_wready = owes_beat & ~drains", "core_wready = owes_beat"},
             {" & ~drains & (next_left", " & (next_left"},
             {"& (owed != 3'd4)", ""},
             {"& (next_left == 9'd0)", ""},
             {"(drains & (owed != 3'd0))", "1'b0"},
             {".aresetn(aresetn)", ".aresetn(core_aresetn)"},
             {"last = left == 9'd1", "last = left == 9'd2"},
             {"bad = core_bvalid & core_aresetn", "bad = bvalid & core_aresetn"}}) {
        std::string guard = guardText();
        const std::size_t at = guard.find(from);
        ASSERT_NE(at, std::string::npos) << from << " in\n" << guard;
        guard.replace(at, from.size(), to);
        int faults = 0;
        for (int seed = 1; seed <= 6 && faults == 0; ++seed)
            faults = simulated(guard, seed).faults;
        EXPECT_NE(faults, 0) << to;
    }
}

TEST(WriteGuard, IsBuiltWithoutAComplaint) {
    EXPECT_EQ(test::lintOf(writeGuard("guard", beatBuffer("buffer"), 16, 4)), "");
}

} // namespace marquetry::hdl
