#include "tests/control/shell_cases.h"

#include <algorithm>

namespace marquetry::test {

std::vector<ShellCase> allShellCases() {
    const auto sums = [](std::int64_t xBits, std::int64_t yBits) {
        return startedCore({{"x", 32, xBits}, {"z", 64, 64}}, {{"y", 32, yBits}, {"t", 16, 16}});
    };
    const auto flow = [](std::int64_t beats) {
        return flowingCore({{"a", 16, beats * 16 - 8}}, {"y", 32, beats * 32 - 16});
    };
    const auto together = [] {
        return flowingCore({{"a", 8, 56}, {"b", 16, 112}}, {"y", 64, 448});
    };
    return {{"starts_as_it_is", sums(104, 72), 0},
            {"starts_8", sums(104, 72), 8},
            {"starts_64", sums(160, 96), 64},
            {"starts_512", sums(1312, 1064), 512},
            {"starts_without_source", startedCore({}, {{"y", 16, 56}}), 32},
            {"flows_without_source", flowingCore({}, {"y", 64, 448}), 32},
            {"flows_as_it_is", flow(9), 0},
            {"flows_8", flow(5), 8},
            {"flows_16", flow(12), 16},
            {"flows_128", flow(21), 128},
            {"flows_256", flow(64), 256},
            {"flows_single_beats", flow(1), 0},
            {"flows_24", flowingCore({{"a", 24, 240}}, {"y", 24, 240}), 8},
            {"flows_together", together(), 0},
            {"flows_together_64", together(), 64},
            {"flows_together_singly",
             flowingCore({{"a", 8, 8}, {"b", 16, 16}, {"c", 32, 32}}, {"y", 64, 64}), 32}};
}

ShellCase shellCase(const std::string& name) {
    const std::vector<ShellCase> all = allShellCases();
    return *std::ranges::find(all, name, &ShellCase::name);
}

ShellBench benchOf(const ShellCase& one, std::uint64_t seed) {
    ShellBench bench;
    bench.core = one.small.core;
    bench.request = {"small", {0x12345678, 0x0123456789abcdefULL}, one.streamBits};
    bench.frames = framesOf(one.small, 7, seed);
    bench.seed = seed;
    if (bench.core.start.size() != rtl::Size(0))
        return bench;
    bench.flowClocks = one.small.sinks[0].beats();
    for (const auto* streams : {&bench.core.sources, &bench.core.sinks})
        for (const hdl::CoreStream& stream : *streams)
            bench.flowClocks = std::max(bench.flowClocks, shellBeats(stream, one.streamBits));
    return bench;
}

std::vector<ShellFault> fewShellFaults() {
    return {
        {{{"b_valid <= aresetn & (write | (b_valid & ~s_axi_control_bready));",
           "b_valid <= aresetn & write;"}},
         "bvalid fell"},
        {{{"wire moves = ~valid | ready;", "wire moves = 1'b1;"}}, "does not end"},
        {{{".valid(tvalid)", ".valid(offered)"},
          {"    wire room;\n",
           "    wire offered;\n    assign tvalid = offered & tready;\n    wire room;\n"}},
         "within a clock"},
        {{{"wire closes = ~running & open_x;", "wire closes = 1'b0;"}}, "does not end"},
    };
}

namespace {

std::vector<ShellFault> registerFaults() {
    return {
        {{{"assign s_axi_control_bresp = 2'd0;", "assign s_axi_control_bresp = 2'd2;"}},
         "bresp is 2"},
        {{{"assign write = aw_full & w_full & ~b_valid;", "assign write = aw_full & ~b_valid;"}},
         "an answer to no write"},
        {{{"assign read = ar_full & ~r_valid;", "assign read = ar_full | r_valid;"}}, "answer"},
        {{{"assign s_axi_control_awready = aw_ready;",
           "assign s_axi_control_awready = aw_ready & s_axi_control_wvalid;"}},
         "within a clock"},
        {{{"{8{write_bytes[0]}}}", "{8{1'b1}}}"}}, "global_interrupt is"},
        {{{"irq <= aresetn & global_interrupt_enable_is & ", "irq <= aresetn & "}},
         "the interrupt line is 1"},
        {{{"cycles_high_held <= cycles_high_count_now;", "cycles_high_held <= 32'd1;"}},
         "cycles_high is"},
    };
}

std::vector<ShellFault> streamFaults() {
    return {
        {{{"(takes & end_part))\n                    stored", "1'b0)\n                    stored"}},
         "is wrong"},
        {{{"wire put_last = closes | last;", "wire put_last = last;"}}, "does not end"},
        {{{"data & {WIDTH{~closes}}", "data"}}, "neither whole nor cut"},
        {{{"assign waits = tready & ~tvalid;", "assign waits = tready;"}}, "stalls are"},
        {{{"assign waits = tvalid & ~tready;", "assign waits = tvalid;"}}, "stalls are"},
        {{{"tready <= room_next & (open_next | may_begin);", "tready <= open_next | may_begin;"}},
         ""},
        {{{"tready <= room_next & (open_next | may_begin);", "tready <= room_next;"}}, ""},
    };
}

std::vector<ShellFault> frameFaults() {
    return {
        {{{"wire core_aresetn = aresetn & ~ending;", "wire core_aresetn = aresetn;"}}, ""},
        {{{"wire [1:0] ahead_next = even ? 2'd0 : marks;", "wire [1:0] ahead_next = 2'd0;"}},
         "does not end"},
        {{{"else if (abort & aborting & ending)", "else if (1'b0)"}}, "the second abort waits"},
        {{{"wire fault = core_error | (|wrong);", "wire fault = core_error;"}}, "wrong length"},
        {{{"wire fault = core_error | (|wrong);", "wire fault = |wrong;"}}, "wrong length"},
        {{{"running <= 1'b1;\n            code <= 8'd0;", "running <= 1'b1;"}}, "of a good frame"},
        {{{"else if (counts)", "else if (running)"}}, "cycles are"},
        {{{"late <= aresetn & counts & (still >= limit);", "late <= 1'b0;"}},
         "the watchdog lets a frame wait for ever"},
        {{{"wire counts = watches & ~moves &", "wire counts = watches &"},
          {"late & watches & ~moves", "late & watches"}},
         ""},
        {{{"(still >= limit)", "(still == limit)"}}, "the watchdog lets a frame wait for ever"},
    };
}

} // namespace

std::vector<ShellFault> allShellFaults() {
    std::vector<ShellFault> all = fewShellFaults();
    for (const auto& more : {registerFaults(), streamFaults(), frameFaults()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace marquetry::test
