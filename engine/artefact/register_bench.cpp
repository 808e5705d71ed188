#include "engine/artefact/register_bench.h"

namespace marquetry::hdl {

namespace {

constexpr std::uint32_t kStart = 1;
constexpr std::uint32_t kEvents = 3;

} // namespace

void RegisterBench::declare() {
    b_.line("reg  [31:0] lite_address, lite_data, lite_read;");
    b_.line("wire [31:0] lite_rdata;");
    b_.line("wire [1:0] lite_bresp, lite_rresp;");
    b_.line("wire lite_awready, lite_wready, lite_bvalid, lite_arready, lite_rvalid, interrupt;");
    b_.line("reg  lite_awvalid, lite_wvalid, lite_arvalid;");
    b_.line("integer lite_writes, lite_written, lite_aw_sent, lite_w_sent;");
    b_.line("integer lite_reads, lite_answered, lite_ar_sent, lite_wrong;");
    b_.line("reg  [63:0] counted;");
    if (registers_.map.has("weights_waits"))
        b_.line("reg  [31:0] weights_waits",
                registers_.map.has("loads_waits") ? ", loads_waits, stores_waits;" : ";");
}

void RegisterBench::connect() {
    const rtl::AxiLiteNames& p = registers_.port;
    const std::string address = cat("(lite_address[", registers_.map.addressBits - 1, ":0]),");
    b_.line("    .", p.awaddr, address, " .", p.awprot, "(3'd0),");
    b_.line("    .", p.awvalid, "(lite_awvalid), .", p.awready, "(lite_awready),");
    b_.line("    .", p.wdata, "(lite_data), .", p.wstrb, "(4'd15),");
    b_.line("    .", p.wvalid, "(lite_wvalid), .", p.wready, "(lite_wready),");
    b_.line("    .", p.bresp, "(lite_bresp), .", p.bvalid, "(lite_bvalid), .", p.bready, "(1'b1),");
    b_.line("    .", p.araddr, address, " .", p.arprot, "(3'd0),");
    b_.line("    .", p.arvalid, "(lite_arvalid), .", p.arready, "(lite_arready),");
    b_.line("    .", p.rdata, "(lite_rdata), .", p.rresp, "(lite_rresp),");
    b_.line("    .", p.rvalid, "(lite_rvalid), .", p.rready, "(1'b1),");
    b_.line("    .", registers_.interrupt, "(interrupt),");
}

void RegisterBench::drive() {
    b_.line("always @(posedge aclk) begin");
    b_.line("    if (lite_awvalid & lite_awready)");
    b_.line("        lite_aw_sent = lite_aw_sent + 1;");
    b_.line("    if (lite_wvalid & lite_wready)");
    b_.line("        lite_w_sent = lite_w_sent + 1;");
    b_.line("    if (aresetn & lite_bvalid) begin");
    b_.line("        lite_written = lite_written + 1;");
    b_.line("        lite_wrong = lite_wrong + (lite_bresp !== 2'd0);");
    b_.line("    end");
    b_.line("    if (lite_arvalid & lite_arready)");
    b_.line("        lite_ar_sent = lite_ar_sent + 1;");
    b_.line("    if (aresetn & lite_rvalid) begin");
    b_.line("        lite_read = lite_rdata;");
    b_.line("        lite_answered = lite_answered + 1;");
    b_.line("        lite_wrong = lite_wrong + (lite_rresp !== 2'd0);");
    b_.line("    end");
    b_.line("end");
    b_.line("always @(negedge aclk) begin");
    b_.line("    lite_awvalid = lite_aw_sent < lite_writes;");
    b_.line("    lite_wvalid = lite_w_sent < lite_writes;");
    b_.line("    lite_arvalid = lite_ar_sent < lite_reads;");
    b_.line("end");
}

void RegisterBench::begin() {
    b_.line("    lite_awvalid = 1'b0; lite_wvalid = 1'b0; lite_arvalid = 1'b0;");
    b_.line("    lite_writes = 0; lite_written = 0; lite_aw_sent = 0; lite_w_sent = 0;");
    b_.line("    lite_reads = 0; lite_answered = 0; lite_ar_sent = 0; lite_wrong = 0;");
}

void RegisterBench::write(const std::string& indent, const char* name, std::uint32_t value) {
    b_.line(indent, "lite_address = ", registers_.map.at(name).offset, "; // ", name);
    b_.line(indent, "lite_data = ", value, ";");
    b_.line(indent, "lite_writes = lite_writes + 1;");
    b_.line(indent, "while (lite_written < lite_writes && ended == 0) begin");
    uses_.wait(indent + "    ");
    b_.line(indent, "end");
}

void RegisterBench::read(const std::string& indent, const char* name) {
    b_.line(indent, "lite_address = ", registers_.map.at(name).offset, "; // ", name);
    b_.line(indent, "lite_reads = lite_reads + 1;");
    b_.line(indent, "while (lite_answered < lite_reads && ended == 0) begin");
    uses_.wait(indent + "    ");
    b_.line(indent, "end");
}

void RegisterBench::expect(const std::string& indent, const char* name) {
    const std::string value = literal(32, registers_.map.at(name).fields.front().reset);
    read(indent, name);
    b_.line(indent, "if (ended == 0 && lite_read !== ", value, ") begin");
    uses_.complain(indent + "    ", name, cat("0, ", value, ", lite_read"));
    b_.line(indent, "end");
}

void RegisterBench::setUp() {
    for (const char* name : {"build_id", "design_hash_low", "design_hash_high"})
        expect("    ", name);
    write("    ", "global_interrupt", 1);
    write("    ", "interrupt_enable", kEvents);
    if (registers_.map.has("weights_base_low"))
        write("    ", "weights_base_low", kBenchBase);
}

void RegisterBench::frame(const std::string& indent) {
    write(indent, "control", kStart);
    b_.line(indent, "while (interrupt !== 1'b1 && ended == 0) begin");
    uses_.wait(indent + "    ");
    b_.line(indent, "end");
    write(indent, "interrupt_status", kEvents);
    b_.line(indent, "if (ended == 0 && interrupt !== 1'b0) begin");
    uses_.complain(indent + "    ", "interrupt", "0, 0, interrupt");
    b_.line(indent, "end");
}

void RegisterBench::outcome(const std::string& indent) {
    const bool work = registers_.map.has("work_low");
    read(indent, work ? "work_low" : "cycles_low");
    b_.line(indent, "counted[31:0] = lite_read;");
    read(indent, work ? "work_high" : "cycles_high");
    b_.line(indent, "counted[63:32] = lite_read;");
    std::string format, counts;
    const bool writes = registers_.map.has("loads_waits");
    const auto waits = [&](const char* name) {
        read(indent, name);
        b_.line(indent, name, " = lite_read;");
        counts += cat(", ", name);
    };
    if (registers_.map.has("weights_waits")) {
        format = MemoryBench::countsFormat(writes);
        waits("weights_waits");
        if (writes) {
            waits("loads_waits");
            waits("stores_waits");
        }
    }
    b_.line(indent, "if (ended == 0)");
    b_.line(indent, "    $display(\"{\\\"counted\\\":%0d", format, "}\", counted", counts, ");");
    read(indent, "error");
    b_.line(indent, "if (ended == 0 && lite_read !== 32'd0) begin");
    uses_.complain(indent + "    ", "error code", "0, 0, lite_read");
    b_.line(indent, "end");
    b_.line(indent, "if (lite_wrong != 0) begin");
    uses_.complain(indent + "    ", "response", "0, 0, lite_wrong");
    b_.line(indent, "end");
}

} // namespace marquetry::hdl
