#include "engine/artefact/stream_testbench.h"

#include "engine/artefact/bench_streams.h"
#include "engine/artefact/testbench_writer.h"

#include <algorithm>
#include <limits>

namespace marquetry::hdl {

namespace {

constexpr std::int64_t kMostInteger = std::numeric_limits<std::int32_t>::max();

constexpr const char* kHead = R"(    parameter VECTORS = 1;
    reg aclk, aresetn, running;
    wire error;
    reg [8*1024-1:0] dir, file;
    integer gaps, seed, mismatches, idle, fault, cycle, ended, frames;
    reg moved;
    integer started [0:VECTORS];
)";

BenchStream streamOf(const StreamPort& port) {
    return {port.name, port.tdataBits(), port.beats};
}

/// +fault=1 ends the first frame in its middle, 2 sends three beats more before TLAST.
void declareInput(BenchText& b, const StreamPort& s) {
    declareSource(b, streamOf(s));
    b.line("integer ", s.name, "_frame, ", s.name, "_length;");
}

void driveInput(BenchText& b, const StreamPort& s, bool isFirst) {
    const std::string n = s.name;
    std::vector<std::string> taken;
    if (isFirst)
        taken = {cat("if (", n, "_next == 0)"), cat("    started[", n, "_frame] = cycle;")};
    for (const std::string& line :
         {cat(n, "_next = ", n, "_next + 1;"), cat("if (", n, "_next == ", n, "_length) begin"),
          cat("    ", n, "_next = 0;"), cat("    ", n, "_frame = ", n, "_frame + 1;"),
          cat("    ", n, "_length = ", s.beats, ";"), std::string("end")})
        taken.push_back(line);
    driveSource(b,
                {streamOf(s), cat("running && ", n, "_frame < frames"), n + "_frame",
                 cat(n, "_next == ", n, "_length - 1")},
                taken);
}

/// Without inputs the first frame starts with the first clock behind the reset.
void startWithReset(BenchText& b) {
    b.line("always @(posedge aclk)");
    b.line("    if (!aresetn)");
    b.line("        started[0] = cycle + 1;");
}

/// The cycle in which the frame that comes out started; frames without inputs follow each other.
std::string startOfFrame(const StreamInterface& interface) {
    return interface.inputs.empty() ? cat("(started[0] + frame_now*", interface.clocks, ")")
                                    : "started[frame_now]";
}

Complaint complaintOf(const StreamPort& s) {
    return {s.name, "frame_now", "cycle"};
}

int leafCount(const StreamPort& s) {
    return static_cast<int>(s.lanes) * static_cast<int>(s.leaves.size());
}

void compareOutput(BenchText& b, const StreamInterface& interface) {
    const StreamPort& s = interface.output;
    const std::string n = s.name;
    const Complaint complaint = complaintOf(s);
    openSink(b, streamOf(s), complaint);
    b.line("        ", n, "_want = ", n, "_wanted[frame_now*", s.beats, " + beat_now];");
    b.line("        care = ", n, "_cares[frame_now*", s.beats, " + beat_now];");
    b.line("        if (fault == 0 || frame_now > 0) begin");
    int low = 0;
    for (int leaf = 0; leaf < leafCount(s); ++leaf) {
        const ir::Scalar scalar = s.leaves[static_cast<std::size_t>(leaf) % s.leaves.size()];
        const int bits = 8 * ir::info(scalar).bytes;
        const std::string part = slice(n + "_want", s.tdataBits(), low + bits - 1, low);
        const std::string got = slice(n + "_tdata", s.tdataBits(), low + bits - 1, low);
        const std::string cares = leafCount(s) == 1 ? "care" : cat("care[", leaf, "]");
        const char* sign = ir::info(scalar).isSigned ? "$signed" : "$unsigned";
        b.line("            if (", cares, " && ", got, " !== ", part, ") begin");
        complain(b, "                ", complaint, "element",
                 cat("beat_now*", leafCount(s), "+", leaf, ", ", sign, "(", part, "), ", sign, "(",
                     got, ")"));
        b.line("            end");
        low += bits;
    }
    b.line("        end");
    b.line("        if (", n, "_tlast !== (beat_now == ", s.beats - 1, ")) begin");
    complain(b, "            ", complaint, "tlast",
             cat("beat_now*", leafCount(s), ", beat_now == ", s.beats - 1, ", ", n, "_tlast"));
    b.line("        end");
    b.line("        beat_now = beat_now + 1;");
    b.line("        if (beat_now == ", s.beats, ") begin");
    b.line("            $display(\"{\\\"counted\\\":%0d}\", cycle - ", startOfFrame(interface),
           " + 1);");
    b.line("            beat_now = 0;");
    b.line("            frame_now = frame_now + 1;");
    b.line("        end");
    b.line("    end");
    b.line("end");
}

void instance(BenchText& b, const StreamInterface& interface, const StreamNames& names) {
    b.line(names.top, " dut (");
    for (std::size_t k = 0; k < interface.inputs.size(); ++k)
        connect(b, streamOf(interface.inputs[k]), names.inputs[k]);
    connect(b, streamOf(interface.output), names.output);
    b.line("    .", names.clock, "(aclk), .", names.reset, "(aresetn), .", names.error,
           "(error));");
}

void start(BenchText& b, const StreamInterface& interface) {
    b.line("initial begin");
    b.line("    aclk = 1'b0; aresetn = 1'b0; running = 1'b0; moved = 1'b0; cycle = 0;");
    b.line("    mismatches = 0; frame_now = 0; beat_now = 0; idle = 0; ended = 0;");
    b.line("    if (!$value$plusargs(\"dir=%s\", dir)) dir = \".\";");
    b.line("    if (!$value$plusargs(\"seed=%d\", seed)) seed = 1;");
    b.line("    if (!$value$plusargs(\"gaps=%d\", gaps)) gaps = 1;");
    b.line("    if (!$value$plusargs(\"fault=%d\", fault)) fault = 0;");
    b.line("    if (!$value$plusargs(\"frames=%d\", frames)) frames = VECTORS;");
    const auto read = [&](const char* kind, const StreamPort& s, const char* memory) {
        b.line("    $sformat(file, \"%0s/", kind, "_", s.name, ".hex\", dir);");
        b.line("    $readmemh(file, ", s.name, "_", memory, ");");
    };
    for (const StreamPort& s : interface.inputs) {
        startSource(b, streamOf(s));
        b.line("    ", s.name, "_frame = 0;");
        b.line("    ", s.name, "_length = fault == 1 ? (", s.beats, " + 1) / 2 : fault == 2 ? ",
               s.beats, " + 3 : ", s.beats, ";");
        read("in", s, "sent");
    }
    b.line("    ", interface.output.name, "_tready = 1'b0;");
    read("out", interface.output, "wanted");
    read("care", interface.output, "cares");
    b.line("    if ($value$plusargs(\"vcd=%s\", file)) begin");
    b.line("        $dumpfile(file);");
    b.line("        $dumpvars(0, dut);");
    b.line("    end");
    b.line("    repeat (4) @(negedge aclk);");
    b.line("    aresetn = 1'b1;");
    b.line("    running = 1'b1;");
    b.line("    while (frame_now < frames && ended == 0) begin");
    b.line("        moved = 1'b0;");
    b.line("        @(negedge aclk);");
    b.line("        idle = moved ? 0 : idle + 1;");
    b.line("        if (idle > ", std::min(1000 + 4 * interface.clocks, kMostInteger), ") begin");
    complain(b, "            ", complaintOf(interface.output), "timeout",
             cat("beat_now*", leafCount(interface.output), ", 0, 0"));
    b.line("            ended = 1;");
    b.line("        end");
    b.line("    end");
    b.line("    if (error !== (fault != 0)) begin");
    complain(b, "        ", complaintOf(interface.output), "error flag", "0, fault != 0, error");
    b.line("    end");
    b.line("    $display(\"{\\\"pass\\\":%0s,\\\"vectors\\\":%0d,\\\"mismatches\\\":%0d}\",");
    b.line("             mismatches == 0 ? \"true\" : \"false\", frames, mismatches);");
    b.line("    $finish;");
    b.line("end");
}

} // namespace

std::string writeStreamTestbench(const StreamInterface& interface, const StreamNames& names) {
    BenchText b;
    const StreamPort& out = interface.output;
    for (const StreamPort& input : interface.inputs)
        declareInput(b, input);
    declareSink(b, streamOf(out));
    b.line("reg ", range(leafCount(out)), out.name, "_cares [0:VECTORS*", out.beats, "-1], care;");
    b.line("integer beat_now, frame_now;");
    instance(b, interface, names);
    b.line("always #5 aclk = ~aclk;");
    b.line("always @(negedge aclk) cycle = cycle + 1;");
    for (std::size_t k = 0; k < interface.inputs.size(); ++k)
        driveInput(b, interface.inputs[k], k == 0);
    if (interface.inputs.empty())
        startWithReset(b);
    compareOutput(b, interface);
    start(b, interface);
    return cat("// Testbench of the stream ", interface.name, ".\n`timescale 1ns/1ns\nmodule ",
               names.bench, ";\n", kHead, b.text(), "endmodule\n");
}

} // namespace marquetry::hdl
