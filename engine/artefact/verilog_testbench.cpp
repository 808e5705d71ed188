#include "engine/artefact/bench_streams.h"
#include "engine/artefact/testbench_writer.h"

namespace marquetry::hdl {

namespace {

BenchStream streamOf(const StreamPlan& s) {
    return {s.name, 64, s.beats};
}

void declare(BenchText& body, const RtlPlan& plan) {
    body.line("parameter VECTORS = 1;");
    body.line("reg aclk, aresetn, start, running;");
    body.line("wire done, busy, error;");
    body.line("wire [63:0] cycles;");
    body.line("reg [8*1024-1:0] dir, file;");
    body.line("integer vector, gaps, seed, mismatches, idle, failed;");
    body.line("reg [63:0] cycles_before;");
    body.line("reg moved;");
    for (const StreamPlan& s : plan.loads)
        declareSource(body, streamOf(s));
    for (const StreamPlan& s : plan.stores) {
        declareSink(body, streamOf(s));
        body.line("integer ", s.name, "_next, ", s.name, "_i;");
    }
}

void instance(BenchText& body, const RtlPlan& plan, const DesignNames& names) {
    body.line(names.top, " dut (");
    for (std::size_t k = 0; k < plan.loads.size(); ++k)
        connect(body, streamOf(plan.loads[k]), names.loads[k]);
    for (std::size_t k = 0; k < plan.stores.size(); ++k)
        connect(body, streamOf(plan.stores[k]), names.stores[k]);
    body.line("    .", names.clock, "(aclk), .", names.reset, "(aresetn), .", names.start,
              "(start), .", names.done, "(done), .", names.busy, "(busy),");
    body.line("    .", names.cycles, "(cycles), .", names.error, "(error));");
}

void inputProcess(BenchText& body, const StreamPlan& s) {
    const std::string next = s.name + "_next";
    driveSource(body,
                {streamOf(s), cat("running && ", next, " < ", s.beats), "vector",
                 cat(next, " == ", s.beats - 1)},
                {cat(next, " = ", next, " + 1;")});
}

Complaint complaintOf(const StreamPlan& s) {
    return {s.name, "vector", "cycles"};
}

void outputProcess(BenchText& body, const StreamPlan& s) {
    const std::string n = s.name;
    const Complaint complaint = complaintOf(s);
    openSink(body, streamOf(s), complaint);
    body.line("        ", n, "_want = ", n, "_wanted[vector*", s.beats, " + ", n, "_next];");
    body.line("        for (", n, "_i = 0; ", n, "_i < ", s.perBeat, "; ", n, "_i = ", n,
              "_i + 1)");
    const std::string part = cat("[", n, "_i*", s.elementBits, " +: ", s.elementBits, "]");
    body.line("            if (", n, "_tdata", part, " !== ", n, "_want", part, ") begin");
    const char* sign = ir::info(s.tensor.scalar).isSigned ? "$signed" : "$unsigned";
    complain(body, "                ", complaint, "element",
             cat(n, "_next*", s.perBeat, "+", n, "_i, ", sign, "(", n, "_want", part, "), ", sign,
                 "(", n, "_tdata", part, ")"));
    body.line("            end");
    body.line("        if (", n, "_tlast !== (", n, "_next == ", s.beats - 1, ")) begin");
    complain(body, "            ", complaint, "tlast",
             cat(n, "_next*", s.perBeat, ", ", n, "_next == ", s.beats - 1, ", ", n, "_tlast"));
    body.line("        end");
    body.line("        ", n, "_next = ", n, "_next + 1;");
    body.line("    end");
    body.line("end");
}

void readFiles(BenchText& body, const RtlPlan& plan) {
    const auto read = [&](const StreamPlan& s, const char* prefix, const char* memory) {
        body.line("    $sformat(file, \"%0s/", prefix, s.name, ".hex\", dir);");
        body.line("    $readmemh(file, ", s.name, "_", memory, ");");
    };
    for (const StreamPlan& s : plan.loads)
        read(s, "in_", "sent");
    for (const StreamPlan& s : plan.stores)
        read(s, "out_", "wanted");
}

void runVectors(BenchText& body, const RtlPlan& plan) {
    body.line("    for (vector = 0; vector < VECTORS && failed == 0; vector = vector + 1) begin");
    for (const auto* streams : {&plan.loads, &plan.stores})
        for (const StreamPlan& s : *streams)
            body.line("        ", s.name, "_next = 0;");
    body.line("        running = 1'b1;");
    body.line("        start = 1'b1;");
    body.line("        @(negedge aclk);");
    body.line("        start = 1'b0;");
    body.line("        idle = 0;");
    body.line("        while (done !== 1'b1 && failed == 0) begin");
    body.line("            cycles_before = cycles;");
    body.line("            moved = 1'b0;");
    body.line("            @(negedge aclk);");
    body.line("            idle = (moved || cycles !== cycles_before) ? 0 : idle + 1;");
    body.line("            if (idle > 10000) begin");
    complain(body, "                ", complaintOf(plan.stores.front()), "timeout",
             plan.stores.front().name + "_next, 0, 0");
    body.line("                failed = 1;");
    body.line("            end");
    body.line("        end");
    for (const StreamPlan& s : plan.stores) {
        body.line("        if (failed == 0 && ", s.name, "_next != ", s.beats, ") begin");
        complain(body, "            ", complaintOf(s), "missing beats",
                 cat(s.name, "_next*", s.perBeat, ", ", s.beats, ", ", s.name, "_next"));
        body.line("        end");
    }
    body.line("        $display(\"{\\\"counted\\\":%0d}\", cycles);");
    body.line("        if (error !== 1'b0)");
    body.line("            mismatches = mismatches + 1;");
    body.line("    end");
}

} // namespace

std::string writeVerilogTestbench(const RtlPlan& plan, const DesignNames& names) {
    BenchText body;
    declare(body, plan);
    instance(body, plan, names);
    body.blank();
    body.line("always #5 aclk = ~aclk;");
    for (const StreamPlan& s : plan.loads)
        inputProcess(body, s);
    for (const StreamPlan& s : plan.stores)
        outputProcess(body, s);
    body.blank();
    body.line("initial begin");
    body.line("    aclk = 1'b0; aresetn = 1'b0; start = 1'b0; running = 1'b0;");
    body.line("    vector = 0; mismatches = 0; failed = 0;");
    for (const StreamPlan& s : plan.loads)
        startSource(body, streamOf(s));
    for (const StreamPlan& s : plan.stores)
        body.line("    ", s.name, "_tready = 1'b0; ", s.name, "_next = 0;");
    body.line("    if (!$value$plusargs(\"dir=%s\", dir)) dir = \".\";");
    body.line("    if (!$value$plusargs(\"seed=%d\", seed)) seed = 1;");
    body.line("    if (!$value$plusargs(\"gaps=%d\", gaps)) gaps = 1;");
    readFiles(body, plan);
    body.line("    if ($value$plusargs(\"vcd=%s\", file)) begin");
    body.line("        $dumpfile(file);");
    body.line("        $dumpvars(0, dut);");
    body.line("    end");
    body.line("    repeat (4) @(negedge aclk);");
    body.line("    aresetn = 1'b1;");
    runVectors(body, plan);
    body.line("    $display(\"{\\\"pass\\\":%0s,\\\"vectors\\\":%0d,\\\"mismatches\\\":%0d}\",");
    body.line("             mismatches == 0 ? \"true\" : \"false\", VECTORS, mismatches);");
    body.line("    $finish;");
    body.line("end");
    return cat("// Testbench of ", plan.name, " in plain Verilog.\nmodule ", names.bench, ";\n",
               body.text(), "endmodule\n");
}

} // namespace marquetry::hdl
