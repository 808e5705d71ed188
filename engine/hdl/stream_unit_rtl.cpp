#include "engine/hdl/modules.h"

#include "engine/hdl/printed.h"
#include "engine/hdl/stream_kernel.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// One axis of the pixels that come in: where windows end that the convolution keeps, and where
/// those lie in their pool window.
struct Axis {
    const char* name;
    std::int64_t extent;  ///< pixels in
    std::int64_t results; ///< windows
};

class StreamUnitWriter {
public:
    StreamUnitWriter(const RtlPlan& plan, const UnitPlan& unit, const cost::StreamCircuit& circuit)
        : plan_(plan),
          unit_(unit),
          s_(*unit.stream),
          circuit_(circuit),
          epilogue_(planEpilogue(unit)) {}

    Module write() {
        m_ = streamUnitInterface(plan_, unit_);
        comment();
        operand();
        steps();
        position({"y", s_.height, s_.outHeight}, "pixel & x_end");
        position({"x", s_.width, s_.outWidth}, "pixel");
        column();
        flags();
        kernel();
        rows();
        writeBack();
        for (int lane = 0; lane < static_cast<int>(unit_.parallel); ++lane)
            epilogue(lane);
        m_.body = body_.text();
        return m_;
    }

private:
    void comment() {
        const std::string throughput = s_.interval == 1 ? "1" : cat("1/", s_.interval);
        m_.comment = {cat("Unit ", unit_.name, ": convolution of layer ", unit_.layers.front(),
                          " with its weights inside, ", throughput, " pixels per clock."),
                      cat("Takes ", s_.height, " x ", s_.width, " pixels of ", s_.channels,
                          " channels in raster order, padding included; gives ", s_.rows, " rows, ",
                          unit_.parallel, " per clock."),
                      cat("Cycles: ", unit_.cycles, " a call, latency ", s_.latency, " pixels."),
                      "Resources: sums of shifted words, line buffers; no multiplier."};
    }

    /// The channels of the pixel; the others of the word are not looked at.
    void operand() {
        const int lanes = static_cast<int>(plan_.lanes) * unit_.operandBits;
        const int bits = static_cast<int>(s_.channels) * unit_.operandBits;
        if (bits < lanes)
            body_.line("wire unused_operand = &{1'b0, operand};");
        body_.line("reg ", range(bits), "operand_q;");
        const std::string word = slice("operand", lanes, bits - 1, 0);
        if (!s_.padded) {
            body_.line("always @(posedge aclk)");
            body_.line("    operand_q <= ", word, ";");
            return;
        }
        body_.note("Zero padding: words outside the input count as zero.");
        body_.line("reg outside_q;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    outside_q <= outside;");
        body_.line("    operand_q <= outside_q ? {", bits, "{1'b0}} : ", word, ";");
        body_.line("end");
    }

    /// A pixel is there two clocks after its address; behind the last one the kernel is moved on
    /// until all results are out, and starts anew.
    void steps() {
        body_.blank();
        body_.line("reg pixel_1, pixel;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    pixel_1 <= aresetn & issue & first;");
        body_.line("    pixel <= aresetn & pixel_1;");
        body_.line("end");
        if (s_.latency == 0) {
            body_.line("wire step = pixel;");
            body_.line("wire x_end, y_end;");
            body_.line("reg restart;");
            body_.line("always @(posedge aclk)");
            body_.line("    restart <= pixel & x_end & y_end;");
            return;
        }
        const int left = bitsFor(s_.latency + 1);
        const int since = bitsFor(s_.interval);
        const std::string waited =
            s_.interval == 1 ? "" : cat(" & (since == ", literal(since, s_.interval - 1), ")");
        body_.line("reg ", range(left), "steps_left;");
        if (s_.interval > 1)
            body_.line("reg ", range(since), "since;");
        body_.line("wire flush = ~pixel & (steps_left != ", literal(left, 0), ")", waited, ";");
        body_.line("wire step = pixel | flush;");
        body_.line("reg restart;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    restart <= flush & (steps_left == ", literal(left, 1), ");");
        body_.line("    if (!aresetn)");
        body_.line("        steps_left <= ", literal(left, 0), ";");
        body_.line("    else if (pixel)");
        body_.line("        steps_left <= ", literal(left, s_.latency), ";");
        body_.line("    else if (flush)");
        body_.line("        steps_left <= steps_left - ", literal(left, 1), ";");
        if (s_.interval > 1) {
            body_.line("    if (!aresetn | step)");
            body_.line("        since <= ", literal(since, 0), ";");
            body_.line("    else if (since != ", literal(since, s_.interval - 1), ")");
            body_.line("        since <= since + ", literal(since, 1), ";");
        }
        body_.line("end");
    }

    /// <name>_end, <name>_taken, <name>_first, <name>_last for the pixel that comes in.
    void position(const Axis& axis, const std::string& advance) {
        const std::string n = axis.name;
        const int bits = bitsFor(axis.extent);
        const std::int64_t start = s_.kernel - 1;
        const std::int64_t end = start + (axis.results - 1) * s_.stride;
        body_.blank();
        body_.line("reg ", range(bits), n, ";");
        if (n == "y" && s_.latency > 0)
            body_.line("wire x_end, y_end;");
        body_.line("assign ", n, "_end = ", n, " == ", literal(bits, axis.extent - 1), ";");
        count(n, bits, 0, n + "_end", advance);
        std::string inside = start == 0 ? "1'b1" : cat("(", n, " >= ", literal(bits, start), ")");
        if (end < axis.extent - 1)
            inside += cat(" & (", n, " <= ", literal(bits, end), ")");
        const std::int64_t period = s_.stride * s_.pool;
        if (period == 1) {
            body_.line("wire ", n, "_taken = ", inside, ";");
            return;
        }
        const int phaseBits = bitsFor(period);
        const std::string phase = n + "_phase";
        body_.line("reg ", range(phaseBits), phase, ";");
        const std::int64_t first = (period - start % period) % period;
        count(phase, phaseBits, first, n + "_end", advance, period);
        std::string taken;
        for (std::int64_t k = 0; k < s_.pool && s_.stride > 1; ++k)
            taken += cat(k == 0 ? " & (" : " | ", "(", phase,
                         " == ", literal(phaseBits, k * s_.stride), ")");
        body_.line("wire ", n, "_taken = ", inside, taken, taken.empty() ? "" : ")", ";");
        if (s_.pool == 1)
            return;
        body_.line("wire ", n, "_first = ", phase, " == ", literal(phaseBits, 0), ";");
        body_.line("wire ", n, "_last = ", phase,
                   " == ", literal(phaseBits, (s_.pool - 1) * s_.stride), ";");
    }

    /// A counter that starts at `first` again where `end` holds, and wraps at `period`.
    void count(const std::string& name, int bits, std::int64_t first, const std::string& end,
               const std::string& advance, std::int64_t period = 0) {
        const std::string wrap = period == 0 ? ""
                                             : cat(name, " == ", literal(bits, period - 1), " ? ",
                                                   literal(bits, 0), " : ");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (!aresetn)");
        body_.line("        ", name, " <= ", literal(bits, first), ";");
        body_.line("    else if (", advance, ")");
        body_.line("        ", name, " <= ", end, " ? ", literal(bits, first), " : ", wrap, name,
                   " + ", literal(bits, 1), ";");
        body_.line("end");
    }

    bool pools() const { return epilogue_.pools; }

    void column() {
        if (!pools())
            return;
        const int bits = s_.columnBits();
        body_.line("reg ", range(bits), "column;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (!aresetn | (pixel & x_end))");
        body_.line("        column <= ", literal(bits, 0), ";");
        body_.line("    else if (pixel & x_taken & x_last)");
        body_.line("        column <= column + ", literal(bits, 1), ";");
        body_.line("end");
    }

    /// A signal as many steps later as the kernel's results are.
    std::string late(const std::string& name, const std::string& source, int width, bool reset) {
        for (std::int64_t k = 1; k <= s_.latency; ++k)
            body_.line("reg ", range(width), name, "_", k, ";");
        std::string text = source;
        if (s_.latency > 0)
            body_.line("always @(posedge aclk)");
        if (s_.latency > 0 && reset) {
            body_.line("    if (!aresetn) begin");
            for (std::int64_t k = 1; k <= s_.latency; ++k)
                body_.line("        ", name, "_", k, " <= ", literal(width, 0), ";");
            body_.line("    end else if (step) begin");
        } else if (s_.latency > 0) {
            body_.line("    if (step) begin");
        }
        for (std::int64_t k = 1; k <= s_.latency; ++k) {
            body_.line("        ", name, "_", k, " <= ", text, ";");
            text = cat(name, "_", k);
        }
        if (s_.latency > 0)
            body_.line("    end");
        return text;
    }

    void flags() {
        body_.blank();
        body_.line("wire taken = pixel & x_taken & y_taken;");
        lateTaken_ = late("taken", "taken", 1, true);
        if (!pools())
            return;
        body_.line("wire window_first = x_first & y_first;");
        body_.line("wire window_last = x_last & y_last;");
        lateFirst_ = late("window_first", "window_first", 1, false);
        lateLast_ = late("window_last", "window_last", 1, false);
        lateColumn_ = late("column", "column", s_.columnBits(), false);
    }

    void kernel() {
        const std::string name = unit_.module + "_kernel";
        const Module module = streamUnitKernel(unit_, circuit_);
        body_.blank();
        std::string connections;
        const auto connect = [&](const std::string& port, const std::string& signal) {
            connections += cat(connections.empty() ? "" : ", ", ".", port, "(", signal, ")");
        };
        body_.line("wire ", range(outputBits()), "kernel_out;");
        body_.line("wire unused_valid;");
        for (const Port& port : module.ports) {
            if (port.name == "aclk")
                connect(port.name, "aclk");
            else if (port.name == "aresetn")
                connect(port.name, "aresetn & ~restart");
            else if (port.name == "enable")
                connect(port.name, "step");
            else if (port.name == "in_valid")
                connect(port.name, "1'b1");
            else if (port.name == "out_y")
                connect(port.name, "kernel_out");
            else if (port.name == "out_valid")
                connect(port.name, "unused_valid");
        }
        for (std::int64_t c = 0; c < s_.channels; ++c)
            connect(cat("in_x", c), channel(static_cast<int>(c)));
        body_.line(name, " kernel (", connections, ");");
    }

    /// Half the range above the element, which turns its sign bit over.
    std::string channel(int c) const {
        const int all = static_cast<int>(s_.channels) * unit_.operandBits;
        const int bits = unit_.operandBits;
        const std::string word = slice("operand_q", all, (c + 1) * bits - 1, c * bits);
        return unit_.operandSigned ? cat(word, " ^ ", literal(bits, std::int64_t{1} << (bits - 1)))
                                   : word;
    }

    int outputBits() const { return static_cast<int>(s_.rows) * circuit_.sumBits; }

    void rows() {
        const int bits = outputBits();
        body_.blank();
        body_.line("reg ", range(bits), "sums;");
        body_.line("always @(posedge aclk)");
        body_.line("    if (step)");
        body_.line("        sums <= kernel_out;");
        body_.line("reg ready;");
        if (s_.blocks == 1) {
            body_.line("always @(posedge aclk)");
            body_.line("    ready <= aresetn & step & ", lateTaken_, ";");
            return;
        }
        const int block = s_.blockBits();
        body_.line("reg ", range(block), "block;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (!aresetn)");
        body_.line("        ready <= 1'b0;");
        body_.line("    else if (step & ", lateTaken_, ")");
        body_.line("        ready <= 1'b1;");
        body_.line("    else if (block == ", literal(block, s_.blocks - 1), ")");
        body_.line("        ready <= 1'b0;");
        body_.line("    block <= step ? ", literal(block, 0), " : block + ", literal(block, 1),
                   ";");
        body_.line("end");
    }

    /// `delay` clocks later.
    std::string delayed(const std::string& name, const std::string& source, int width, int delay) {
        std::string text = source;
        for (int k = 1; k <= delay; ++k) {
            const std::string next = cat(name, "_", k);
            body_.line("reg ", range(width), next, ";");
            body_.line("always @(posedge aclk)");
            body_.line("    ", next, " <= ", width == 1 ? cat("aresetn & ", text) : text, ";");
            text = next;
        }
        return text;
    }

    void writeBack() {
        body_.blank();
        if (!pools()) {
            body_.line("assign result_valid = ", delayed("written", "ready", 1, epilogue_.stages),
                       ";");
            return;
        }
        body_.line("reg pool_first, pool_last;");
        body_.line("reg ", range(s_.columnBits()), "pool_column;");
        body_.line("always @(posedge aclk)");
        body_.line("    if (step) begin");
        body_.line("        pool_first <= ", lateFirst_, ";");
        body_.line("        pool_last <= ", lateLast_, ";");
        body_.line("        pool_column <= ", lateColumn_, ";");
        body_.line("    end");
        const int before = epilogue_.stagesBeforePool;
        const std::string block = s_.blocks == 1 ? literal(s_.blockBits(), 0) : "block";
        poolValid_ = delayed("pool_now", "ready", 1, before);
        poolFirst_ = delayed("pool_starts", "pool_first", 1, before);
        poolIndex_ =
            delayed("pool_at", cat("{pool_column, ", block, "}"), s_.poolIndexBits(), before);
        body_.line("wire window_done = ready & pool_last;");
        body_.line("assign result_valid = ", delayed("written", "window_done", 1, epilogue_.stages),
                   ";");
    }

    std::string sumOf(std::int64_t row) const {
        const int bits = circuit_.sumBits;
        if (row >= s_.rows)
            return literal(32, 0);
        const int low = static_cast<int>(row) * bits;
        return signExtendSlice("sums", outputBits(), low, bits);
    }

    static std::string signExtendSlice(const std::string& bus, int width, int low, int bits) {
        const std::string word = slice(bus, width, low + bits - 1, low);
        return bits == 32
                   ? word
                   : cat("{{", 32 - bits, "{", slice(bus, width, low + bits - 1, low + bits - 1),
                         "}}, ", word, "}");
    }

    /// The row of a lane in the block at hand.
    std::string rowOf(int lane) {
        if (s_.blocks == 1)
            return sumOf(lane);
        const int block = s_.blockBits();
        const std::string name = cat("row_", lane);
        body_.line("reg [31:0] ", name, ";");
        body_.line("always @* begin");
        body_.line("    case (block)");
        for (std::int64_t b = 0; b < s_.blocks; ++b)
            body_.line("    ", b + 1 == s_.blocks ? std::string("default") : literal(block, b),
                       ": ", name, " = ", sumOf(b * unit_.parallel + lane), ";");
        body_.line("    endcase");
        body_.line("end");
        return name;
    }

    void epilogue(int lane) {
        const int out = unit_.resultBits;
        const std::string result = slice("result", static_cast<int>(unit_.parallel) * out,
                                         (lane + 1) * out - 1, lane * out);
        if (lane >= s_.rows) {
            body_.line("assign ", result, " = ", literal(out, 0), ";");
            return;
        }
        std::string connections = cat(".x(", rowOf(lane), ")");
        if (epilogue_.stages > 0)
            connections = ".aclk(aclk), " + connections;
        if (pools())
            connections += cat(", .pool_valid(", poolValid_, "), .pool_first(", poolFirst_,
                               "), .pool_index(", poolIndex_, ")");
        body_.line(unit_.module, "_epilogue epilogue_", lane, " (", connections, ", .y(", result,
                   "));");
    }

    const RtlPlan& plan_;
    const UnitPlan& unit_;
    const StreamUnitPlan& s_;
    const cost::StreamCircuit& circuit_;
    EpiloguePlan epilogue_;
    Module m_;
    Body body_;
    std::string lateTaken_, lateFirst_, lateLast_, lateColumn_;
    std::string poolValid_, poolFirst_, poolIndex_;
};

} // namespace

Module streamUnitInterface(const RtlPlan& plan, const UnitPlan& unit) {
    Module m;
    m.name = unit.module;
    const auto in = [&](int width, const std::string& name) {
        m.ports.push_back({Direction::Input, width, name});
    };
    in(1, "aclk");
    in(1, "aresetn");
    in(1, "issue");
    in(1, "first");
    if (unit.stream->padded)
        in(1, "outside");
    in(static_cast<int>(plan.lanes) * unit.operandBits, "operand");
    m.ports.push_back({Direction::Output, 1, "result_valid"});
    m.ports.push_back(
        {Direction::Output, static_cast<int>(unit.parallel) * unit.resultBits, "result"});
    return m;
}

Module streamUnitKernel(const UnitPlan& unit, const cost::StreamCircuit& circuit) {
    std::vector<std::string> inputs;
    for (std::int64_t c = 0; c < circuit.conv.channels; ++c)
        inputs.push_back(cat("in_x", c));
    StreamKernel kernel = kernelModule(circuit.timed, unit.module + "_kernel", inputs, "out_y");
    for (std::string& line : std::vector<std::string>{
             cat("Kernel of ", unit.name, ": ", circuit.conv.products(),
                 " products with constants as sums, one pixel per step."),
             cat("Input: ", circuit.conv.channels, " channels, words of ",
                 circuit.conv.operandBits(), " bits, ", circuit.conv.offset(),
                 " above the element."),
             cat("Output: ", circuit.conv.rows, " rows, sums of ", circuit.sumBits,
                 " bits of the window whose last pixel came ", circuit.latency(), " steps before."),
             cat("Resources: ", kernel.registerBits, " register bits beside control, ",
                 kernel.memoryBits, " bits in line buffers; longest path ",
                 static_cast<std::int64_t>(circuit.timed.pathDelay), " ps (estimated, no wires).")})
        kernel.module.comment(std::move(line));
    return printedAlone(std::move(kernel.module));
}

Module streamUnitModule(const RtlPlan& plan, const UnitPlan& unit,
                        const cost::StreamCircuit& circuit) {
    return StreamUnitWriter(plan, unit, circuit).write();
}

} // namespace marquetry::hdl
