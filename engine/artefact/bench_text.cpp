#include "engine/artefact/bench_text.h"

#include "engine/artefact/testbench_writer.h"
#include "engine/support/assert.h"

namespace marquetry::hdl {

std::string range(int width) {
    return width == 1 ? "" : cat("[", width - 1, ":0] ");
}

std::string literal(int width, std::int64_t value) {
    ENGINE_ASSERT(width >= 1 && width <= 64, "literals have 1 to 64 bits");
    auto bits = static_cast<std::uint64_t>(value);
    if (width < 64)
        bits &= (std::uint64_t{1} << width) - 1;
    return cat(width, "'h", std::hex, bits);
}

std::string slice(const std::string& name, int width, int high, int low) {
    if (low == 0 && high == width - 1)
        return name;
    return high == low ? cat(name, "[", low, "]") : cat(name, "[", high, ":", low, "]");
}

void complain(BenchText& body, const std::string& indent, const BenchMoment& moment,
              const char* what, const std::string& values) {
    body.line(indent, "mismatches = mismatches + 1;");
    body.line(indent, "if (mismatches <= ", kShownMismatches, ")");
    body.line(indent, "    $display(\"{\\\"mismatch\\\":{\\\"output\\\":\\\"", moment.output,
              "\\\",\\\"vector\\\":%0d,\\\"index\\\":%0d,\\\"expected\\\":%0d,\\\"got\\\":%0d,"
              "\\\"cycle\\\":%0d,\\\"what\\\":\\\"",
              what, "\\\"}}\", ", moment.vector, ", ", values, ", ", moment.cycle, ");");
}

void openOutput(BenchText& body, const BenchMoment& moment) {
    const std::string& n = moment.output;
    body.line("always @(negedge aclk)");
    body.line("    ", n, "_tready = gaps == 0 || ($random(seed) & 3) != 0;");
    body.line("always @(posedge aclk) begin");
    body.line("    if (aresetn && ", n, "_tvalid === 1'bx) begin");
    complain(body, "        ", moment, "unknown tvalid", "0, 0, 0");
    body.line("    end");
    body.line("    if (", n, "_tvalid & ", n, "_tready) begin");
    body.line("        moved = 1'b1;");
}

} // namespace marquetry::hdl
