#include "engine/artefact/bench_streams.h"

#include "engine/artefact/testbench_writer.h"

namespace marquetry::hdl {

namespace {

constexpr const char* kNow = "(gaps == 0 || ($random(seed) & 3) != 0)";

} // namespace

void connect(BenchText& body, const BenchStream& stream, const rtl::AxisNames& port) {
    const auto wire = [&](const std::string& of, const char* signal) {
        body.line("    .", of, "(", stream.name, "_", signal, "),");
    };
    wire(port.tdata, "tdata");
    wire(port.tvalid, "tvalid");
    wire(port.tlast, "tlast");
    wire(port.tready, "tready");
}

void declareSource(BenchText& body, const BenchStream& stream) {
    const std::string& n = stream.name;
    body.line("reg ", range(stream.tdataBits), n, "_sent [0:VECTORS*", stream.beats, "-1];");
    body.line("reg ", range(stream.tdataBits), n, "_tdata;");
    body.line("reg ", n, "_tvalid, ", n, "_tlast, ", n, "_held;");
    body.line("wire ", n, "_tready;");
    body.line("integer ", n, "_next;");
}

void driveSource(BenchText& body, const BenchSource& source,
                 const std::vector<std::string>& taken) {
    const std::string& n = source.stream.name;
    const std::int64_t beats = source.stream.beats;
    body.line("always @(posedge aclk) begin");
    body.line("    if (", n, "_tvalid & ", n, "_tready) begin");
    for (const std::string& line : taken)
        body.line("        ", line);
    body.line("        moved = 1'b1;");
    body.line("    end");
    body.line("    ", n, "_held = ", n, "_tvalid & ~", n, "_tready;");
    body.line("end");
    body.line("always @(negedge aclk) begin");
    body.line("    if (!", n, "_held) begin");
    body.line("        ", n, "_tvalid = ", source.wants, " && ", kNow, ";");
    body.line("        ", n, "_tdata = {", source.stream.tdataBits, "{1'bx}};");
    body.line("        ", n, "_tlast = 1'bx;");
    body.line("        if (", n, "_tvalid) begin");
    body.line("            ", n, "_tdata = ", n, "_sent[", source.vector, "*", beats, " + (", n,
              "_next < ", beats, " ? ", n, "_next : 0)];");
    body.line("            ", n, "_tlast = ", source.last, ";");
    body.line("        end");
    body.line("    end");
    body.line("end");
}

void startSource(BenchText& body, const BenchStream& stream) {
    const std::string& n = stream.name;
    body.line("    ", n, "_tvalid = 1'b0; ", n, "_held = 1'b0; ", n, "_next = 0;");
}

void declareSink(BenchText& body, const BenchStream& stream) {
    const std::string& n = stream.name;
    body.line("reg ", range(stream.tdataBits), n, "_wanted [0:VECTORS*", stream.beats, "-1], ", n,
              "_want;");
    body.line("wire ", range(stream.tdataBits), n, "_tdata;");
    body.line("wire ", n, "_tvalid, ", n, "_tlast;");
    body.line("reg ", n, "_tready;");
}

void complain(BenchText& body, const std::string& indent, const Complaint& of, const char* what,
              const std::string& values) {
    body.line(indent, "mismatches = mismatches + 1;");
    body.line(indent, "if (mismatches <= ", kShownMismatches, ")");
    body.line(indent, "    $display(\"{\\\"mismatch\\\":{\\\"output\\\":\\\"", of.output,
              "\\\",\\\"vector\\\":%0d,\\\"index\\\":%0d,\\\"expected\\\":%0d,\\\"got\\\":%0d,"
              "\\\"cycle\\\":%0d,\\\"what\\\":\\\"",
              what, "\\\"}}\", ", of.vector, ", ", values, ", ", of.cycle, ");");
}

void openSink(BenchText& body, const BenchStream& stream, const Complaint& of) {
    const std::string& n = stream.name;
    body.line("always @(negedge aclk)");
    body.line("    ", n, "_tready = ", kNow, ";");
    body.line("always @(posedge aclk) begin");
    body.line("    if (aresetn && ", n, "_tvalid === 1'bx) begin");
    complain(body, "        ", of, "unknown tvalid", "0, 0, 0");
    body.line("    end");
    body.line("    if (", n, "_tvalid & ", n, "_tready) begin");
    body.line("        moved = 1'b1;");
}

} // namespace marquetry::hdl
