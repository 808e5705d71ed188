#include "engine/artefact/axis_testbench.h"

#include "engine/artefact/register_bench.h"
#include "engine/artefact/testbench_writer.h"

namespace marquetry::hdl {

namespace {

constexpr const char* kNow = "(gaps == 0 || ($random(seed) & 3) != 0)";

constexpr const char* kHead = R"(    parameter VECTORS = 1;
    reg aclk, aresetn, running;
)";

constexpr const char* kFlag = "    wire error;\n";

constexpr const char* kState = R"(    reg [8*1024-1:0] dir, file;
    integer gaps, seed, mismatches, idle, fault, ended, frames, allowed;
    reg moved;
)";

constexpr const char* kArguments = R"(    if (!$value$plusargs("dir=%s", dir)) dir = ".";
        if (!$value$plusargs("seed=%d", seed)) seed = 1;
        if (!$value$plusargs("gaps=%d", gaps)) gaps = 1;
        if (!$value$plusargs("fault=%d", fault)) fault = 0;
        if (!$value$plusargs("frames=%d", frames)) frames = VECTORS;
        if ($value$plusargs("vcd=%s", file)) begin
            $dumpfile(file);
            $dumpvars(0, dut);
        end)";

class AxisBenchWriter {
public:
    explicit AxisBenchWriter(const AxisBench& bench) : bench_(bench) {
        if (bench.registers)
            registers_.emplace(
                b_, *bench.registers,
                RegisterBench::Uses{
                    [this](const std::string& indent) { step(indent); },
                    [this](const std::string& indent, const char* what, const std::string& values) {
                        complain(indent, bench_.sinks.front(), what, values);
                    }});
        if (bench.memory)
            memory_.emplace(
                b_, *bench.memory,
                [this](const std::string& indent, const char* what, const std::string& values) {
                    complain(indent, bench_.sinks.front(), what, values);
                });
    }

    std::string write() {
        declare();
        instantiate();
        b_.line("always #5 aclk = ~aclk;");
        if (!bench_.control)
            countClocks();
        if (registers_)
            registers_->drive();
        if (memory_)
            memory_->drive();
        for (const BenchStream& source : bench_.sources)
            drive(source);
        for (const BenchSink& sink : bench_.sinks)
            compare(sink);
        watch();
        run();
        return cat("// ", bench_.title, "\n`timescale 1ns/1ns\nmodule ", bench_.names.bench, ";\n",
                   kHead, registers_ ? "" : kFlag, kState, b_.text(), "endmodule\n");
    }

private:
    /// Hardware that is told when to begin a frame.
    bool isStarted() const { return bench_.control || bench_.registers; }

    void declare() {
        if (registers_)
            registers_->declare();
        if (memory_)
            memory_->declare();
        if (bench_.control) {
            b_.line("reg start;");
            b_.line("wire done, busy;");
            b_.line("wire [63:0] cycles;");
            b_.line("reg [63:0] cycles_before;");
        } else {
            b_.line("integer cycles;");
            b_.line("integer started [0:VECTORS];");
        }
        for (const BenchStream& s : bench_.sources) {
            b_.line("reg ", range(s.tdataBits), s.name, "_sent [0:VECTORS*", s.beats, "-1];");
            b_.line("reg ", range(s.tdataBits), s.name, "_tdata;");
            b_.line("reg ", s.name, "_tvalid, ", s.name, "_tlast, ", s.name, "_held;");
            b_.line("wire ", s.name, "_tready;");
            b_.line("integer ", s.name, "_next, ", s.name, "_frame, ", s.name, "_length;");
        }
        for (const BenchSink& sink : bench_.sinks) {
            const BenchStream& s = sink.stream;
            b_.line("reg ", range(s.tdataBits), s.name, "_wanted [0:VECTORS*", s.beats, "-1], ",
                    s.name, "_want;");
            if (sink.cares)
                b_.line("reg ", range(leaves(sink)), s.name, "_cares [0:VECTORS*", s.beats, "-1], ",
                        s.name, "_care;");
            b_.line("wire ", range(s.tdataBits), s.name, "_tdata;");
            b_.line("wire ", s.name, "_tvalid, ", s.name, "_tlast;");
            b_.line("reg ", s.name, "_tready;");
            b_.line("integer ", s.name, "_next, ", s.name, "_frame;");
        }
    }

    static int leaves(const BenchSink& sink) { return static_cast<int>(sink.leaves.size()); }

    void connect(const BenchStream& s) {
        b_.line("    .", s.port.tdata, "(", s.name, "_tdata), .", s.port.tvalid, "(", s.name,
                "_tvalid),");
        b_.line("    .", s.port.tlast, "(", s.name, "_tlast), .", s.port.tready, "(", s.name,
                "_tready),");
    }

    void instantiate() {
        b_.line(bench_.names.top, " dut (");
        for (const BenchStream& source : bench_.sources)
            connect(source);
        for (const BenchSink& sink : bench_.sinks)
            connect(sink.stream);
        if (const auto& control = bench_.control) {
            b_.line("    .", control->start, "(start), .", control->done, "(done),");
            b_.line("    .", control->busy, "(busy), .", control->cycles, "(cycles),");
        }
        if (registers_)
            registers_->connect();
        if (memory_)
            memory_->connect();
        const std::string flag = registers_ ? "" : cat(", .", bench_.names.error, "(error)");
        b_.line("    .", bench_.names.clock, "(aclk), .", bench_.names.reset, "(aresetn)", flag,
                ");");
    }

    void countClocks() {
        b_.line("always @(negedge aclk) cycles = cycles + 1;");
        if (!bench_.sources.empty())
            return;
        // The first frame starts with the first clock behind the reset.
        b_.line("always @(posedge aclk)");
        b_.line("    if (!aresetn)");
        b_.line("        started[0] = cycles + 1;");
    }

    void drive(const BenchStream& s) {
        const std::string& n = s.name;
        b_.line("always @(posedge aclk) begin");
        b_.line("    if (", n, "_tvalid & ", n, "_tready) begin");
        if (!bench_.control && &s == &bench_.sources.front()) {
            b_.line("        if (", n, "_next == 0)");
            b_.line("            started[", n, "_frame] = cycles;");
        }
        b_.line("        ", n, "_next = ", n, "_next + 1;");
        b_.line("        if (", n, "_next == ", n, "_length) begin");
        b_.line("            ", n, "_next = 0;");
        b_.line("            ", n, "_frame = ", n, "_frame + 1;");
        b_.line("            ", n, "_length = ", s.beats, ";");
        b_.line("        end");
        b_.line("        moved = 1'b1;");
        b_.line("    end");
        b_.line("    ", n, "_held = ", n, "_tvalid & ~", n, "_tready;");
        b_.line("end");
        b_.line("always @(negedge aclk) begin");
        b_.line("    if (!", n, "_held) begin");
        b_.line("        ", n, "_tvalid = running && ", n, "_frame < allowed && ", kNow, ";");
        b_.line("        ", n, "_tdata = {", s.tdataBits, "{1'bx}};");
        b_.line("        ", n, "_tlast = 1'bx;");
        b_.line("        if (", n, "_tvalid) begin");
        b_.line("            ", n, "_tdata = ", n, "_sent[", n, "_frame*", s.beats, " + (", n,
                "_next < ", s.beats, " ? ", n, "_next : 0)];");
        b_.line("            ", n, "_tlast = ", n, "_next == ", n, "_length - 1;");
        b_.line("        end");
        b_.line("    end");
        b_.line("end");
    }

    /// Counts a mismatch and prints it; `values`: index, expected, got.
    void complain(const std::string& indent, const BenchSink& sink, const char* what,
                  const std::string& values) {
        const std::string& n = sink.stream.name;
        b_.line(indent, "mismatches = mismatches + 1;");
        b_.line(indent, "if (mismatches <= ", kShownMismatches, ")");
        b_.line(indent, "    $display(\"{\\\"mismatch\\\":{\\\"output\\\":\\\"", n,
                "\\\",\\\"vector\\\":%0d,\\\"index\\\":%0d,\\\"expected\\\":%0d,\\\"got\\\":%0d,"
                "\\\"cycle\\\":%0d,\\\"what\\\":\\\"",
                what, "\\\"}}\", ", n, "_frame, ", values, ", cycles);");
    }

    std::string index(const BenchSink& sink) const {
        return cat(sink.stream.name, "_next*", leaves(sink));
    }

    void compare(const BenchSink& sink) {
        const BenchStream& s = sink.stream;
        const std::string& n = s.name;
        b_.line("always @(negedge aclk)");
        b_.line("    ", n, "_tready = ", kNow, ";");
        b_.line("always @(posedge aclk) begin");
        b_.line("    if (aresetn && ", n, "_tvalid === 1'bx) begin");
        complain("        ", sink, "unknown tvalid", "0, 0, 0");
        b_.line("    end");
        b_.line("    if (", n, "_tvalid & ", n, "_tready) begin");
        b_.line("        moved = 1'b1;");
        const std::string beat = cat("[", n, "_frame*", s.beats, " + ", n, "_next];");
        b_.line("        ", n, "_want = ", n, "_wanted", beat);
        if (sink.cares)
            b_.line("        ", n, "_care = ", n, "_cares", beat);
        b_.line("        if (fault == 0 || ", n, "_frame > 0) begin");
        compareLeaves(sink);
        b_.line("        end");
        b_.line("        if (", n, "_tlast !== (", n, "_next == ", s.beats - 1, ")) begin");
        complain("            ", sink, "tlast",
                 cat(index(sink), ", ", n, "_next == ", s.beats - 1, ", ", n, "_tlast"));
        b_.line("        end");
        b_.line("        ", n, "_next = ", n, "_next + 1;");
        b_.line("        if (", n, "_next == ", s.beats, ") begin");
        if (!isStarted())
            b_.line("            $display(\"{\\\"counted\\\":%0d}\", cycles - ", startOf(n),
                    " + 1);");
        b_.line("            ", n, "_next = 0;");
        b_.line("            ", n, "_frame = ", n, "_frame + 1;");
        b_.line("        end");
        b_.line("    end");
        b_.line("end");
    }

    /// The cycle in which the frame that comes out started; frames without sources follow each
    /// other.
    std::string startOf(const std::string& sink) const {
        return bench_.sources.empty() ? cat("(started[0] + ", sink, "_frame*", bench_.clocks, ")")
                                      : cat("started[", sink, "_frame]");
    }

    void compareLeaves(const BenchSink& sink) {
        const BenchStream& s = sink.stream;
        int low = 0;
        for (int k = 0; k < leaves(sink); ++k) {
            const BenchLeaf& leaf = sink.leaves[static_cast<std::size_t>(k)];
            const int high = low + leaf.bits - 1;
            const std::string want = slice(s.name + "_want", s.tdataBits, high, low);
            const std::string got = slice(s.name + "_tdata", s.tdataBits, high, low);
            const std::string cares =
                sink.cares ? slice(s.name + "_care", leaves(sink), k, k) + " && " : "";
            const char* sign = leaf.isSigned ? "$signed" : "$unsigned";
            b_.line("            if (", cares, got, " !== ", want, ") begin");
            complain("                ", sink, "element",
                     cat(index(sink), "+", k, ", ", sign, "(", want, "), ", sign, "(", got, ")"));
            b_.line("            end");
            low = high + 1;
        }
    }

    void read(const BenchStream& s, const char* kind, const char* memory) {
        b_.line("    $sformat(file, \"%0s/", kind, "_", s.name, ".hex\", dir);");
        b_.line("    $readmemh(file, ", s.name, "_", memory, ");");
    }

    void begin() {
        b_.line("    aclk = 1'b0; aresetn = 1'b0; running = 1'b0; moved = 1'b0;");
        b_.line("    mismatches = 0; idle = 0; ended = 0; allowed = 0;");
        b_.line(bench_.control ? "    start = 1'b0;" : "    cycles = 0;");
        if (registers_)
            registers_->begin();
        b_.line(kArguments);
        for (const BenchStream& s : bench_.sources) {
            b_.line("    ", s.name, "_tvalid = 1'b0; ", s.name, "_held = 1'b0; ", s.name,
                    "_next = 0; ", s.name, "_frame = 0;");
            b_.line("    ", s.name, "_length = fault == 1 ? (", s.beats,
                    " + 1) / 2 : fault == 2 ? ", s.beats, " + 3 : ", s.beats, ";");
            read(s, "in", "sent");
        }
        for (const BenchSink& sink : bench_.sinks) {
            const BenchStream& s = sink.stream;
            b_.line("    ", s.name, "_tready = 1'b0; ", s.name, "_next = 0; ", s.name,
                    "_frame = 0;");
            read(s, "out", "wanted");
            if (sink.cares)
                read(s, "care", "cares");
        }
        if (memory_)
            memory_->begin();
        b_.line("    repeat (4) @(negedge aclk);");
        b_.line("    aresetn = 1'b1;");
        b_.line("    running = 1'b1;");
    }

    /// Counts clocks without progress. Apart from the process that waits for them: Verilator 5.006
    /// takes what such a process has set before a wait for what is there after it.
    void watch() {
        b_.line("always @(negedge aclk) begin");
        // A clock in which the hardware waits for external memory is none in which it works.
        const char* worked = memory_ ? "cycles - stalls" : "cycles";
        b_.line("    idle = (",
                bench_.control ? cat("moved || ", worked, " !== cycles_before") : "moved",
                ") ? 0 : idle + 1;");
        b_.line("    moved = 1'b0;");
        if (bench_.control)
            b_.line("    cycles_before = ", worked, ";");
        b_.line("end");
    }

    /// A clock; too many without progress end the run.
    void step(const std::string& indent) {
        b_.line(indent, "@(negedge aclk);");
        b_.line(indent, "if (idle > ", bench_.patience, ") begin");
        complain(indent + "    ", bench_.sinks.front(), "timeout",
                 index(bench_.sinks.front()) + ", 0, 0");
        b_.line(indent, "    ended = 1;");
        b_.line(indent, "end");
    }

    void checkError(const std::string& indent) {
        std::string faults = memory_ ? "fault != 0 || memory_error != 0" : "fault != 0";
        if (memory_ && bench_.memory->writes)
            faults += " || memory_write_error != 0";
        b_.line(indent, "if (error !== (", faults, ")) begin");
        complain(indent + "    ", bench_.sinks.front(), "error flag", "0, fault != 0, error");
        b_.line(indent, "end");
    }

    void runStarted() {
        if (registers_)
            registers_->setUp();
        b_.line("    for (allowed = 1; allowed <= frames && ended == 0; allowed = allowed + 1) "
                "begin");
        if (registers_)
            registers_->frame("        ");
        else
            startFrame();
        for (const BenchSink& sink : bench_.sinks) {
            const BenchStream& s = sink.stream;
            b_.line("        if (ended == 0 && (", s.name, "_frame != allowed || ", s.name,
                    "_next != 0)) begin");
            complain("            ", sink, "number of beats",
                     cat(index(sink), ", allowed*", s.beats, ", ", s.name, "_frame*", s.beats,
                         " + ", s.name, "_next"));
            b_.line("        end");
        }
        if (registers_) {
            registers_->outcome("        ");
        } else {
            const bool writes = memory_ && bench_.memory->writes;
            b_.line("        $display(\"{\\\"counted\\\":%0d",
                    memory_ ? MemoryBench::countsFormat(writes) : "", "}\", cycles",
                    memory_ ? memory_->counts() : "", ");");
            checkError("        ");
        }
        b_.line("    end");
    }

    void startFrame() {
        b_.line("        start = 1'b1;");
        b_.line("        @(negedge aclk);");
        b_.line("        start = 1'b0;");
        b_.line("        while (done !== 1'b1 && ended == 0) begin");
        step("            ");
        b_.line("        end");
    }

    void runFreely() {
        const std::string& last = bench_.sinks.front().stream.name;
        b_.line("    allowed = frames;");
        b_.line("    while (", last, "_frame < frames && ended == 0) begin");
        step("        ");
        b_.line("    end");
        checkError("    ");
    }

    void run() {
        b_.line("initial begin");
        begin();
        if (isStarted())
            runStarted();
        else
            runFreely();
        b_.line("    $display(\"{\\\"pass\\\":%0s,\\\"vectors\\\":%0d,\\\"mismatches\\\":%0d}\",");
        b_.line("             mismatches == 0 ? \"true\" : \"false\", frames, mismatches);");
        b_.line("    $finish;");
        b_.line("end");
    }

    const AxisBench& bench_;
    BenchText b_;
    std::optional<RegisterBench> registers_;
    std::optional<MemoryBench> memory_;
};

} // namespace

std::string writeAxisTestbench(const AxisBench& bench) {
    return AxisBenchWriter(bench).write();
}

} // namespace marquetry::hdl
