#include "engine/hdl/names.h"
#include "engine/hdl/stream_control.h"
#include "engine/hdl/stream_hardware.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

class TopWriter {
public:
    TopWriter(const StreamInterface& interface, const StreamKernel& kernel)
        : interface_(interface), kernel_(kernel), steps_(interface.clocks / interface.unit) {
        NameTable names;
        for (const StreamPort& input : interface_.inputs) {
            for (const char* wire : {"cut", "skip", "beat", "wants", "takes", "here", "last"})
                names.take(cat(input.name, "_", wire));
        }
        for (const StreamPort& input : interface_.inputs)
            words_.push_back(names.unique("word_" + input.name));
    }

    Module write() && {
        Module top;
        top.name = interface_.top();
        top.comment = {cat("AXI4-Stream edges of the stream ", interface_.name,
                           ": a beat for each valid slot, TLAST at the end of a frame."),
                       cat("Cycles: ", interface_.predictedCycles(),
                           " from the first beat to the last result without gaps.")};
        addPorts(top);
        for (const StreamPort& input : interface_.inputs)
            writeInput(input);
        writeSteps();
        writeKernel();
        writeOutput();
        Body control;
        control_.declare(control);
        Body clocked;
        control_.run(clocked);
        // The kernel's counters and those here start anew together.
        top.body = declarations_.text() + control.text() + body_.text() + clocked.text();
        return top;
    }

private:
    void addPorts(Module& top) const {
        top.ports = {{Direction::Input, 1, "aclk"}, {Direction::Input, 1, "aresetn"}};
        for (const StreamPort& input : interface_.inputs) {
            const std::string axis = "s_axis_" + input.name;
            top.ports.push_back({Direction::Input, input.tdataBits(), axis + "_tdata"});
            top.ports.push_back({Direction::Input, 1, axis + "_tvalid"});
            top.ports.push_back({Direction::Input, 1, axis + "_tlast"});
            top.ports.push_back({Direction::Output, 1, axis + "_tready"});
        }
        const std::string axis = "m_axis_" + interface_.output.name;
        top.ports.push_back({Direction::Output, interface_.output.tdataBits(), axis + "_tdata"});
        top.ports.push_back({Direction::Output, 1, axis + "_tvalid"});
        top.ports.push_back({Direction::Output, 1, axis + "_tlast"});
        top.ports.push_back({Direction::Input, 1, axis + "_tready"});
        top.ports.push_back({Direction::OutputReg, 1, "error"});
    }

    /// 1 in the steps in which the port has a valid slot.
    std::string validNow(const StreamPort& port) {
        std::string text;
        for (const ValidSteps& steps : validSteps(port.type, interface_.unit))
            text += (text.empty() ? "" : " & ") + control_.phase(steps.period, 0, steps.end, 0);
        return text.empty() ? "1'b1" : text;
    }

    /// Takes beats, marks frames that are too short (`cut`) and too long (`skip`).
    void writeInput(const StreamPort& input) {
        const std::string n = input.name;
        const std::string axis = "s_axis_" + n;
        const int bits = bitsFor(input.beats);
        declarations_.line("reg ", n, "_cut, ", n, "_skip;");
        declarations_.line("reg ", range(bits), n, "_beat;");
        declarations_.line("wire ", n, "_wants, ", n, "_takes;");
        body_.line("assign ", n, "_wants = (", validNow(input), ") & ~", n, "_cut;");
        body_.line("wire ", n, "_here = ~", n, "_skip & (", axis, "_tvalid | ~", n, "_wants);");
        body_.line("assign ", n, "_takes = enable & in_frame & ", n, "_wants;");
        body_.line("assign ", axis, "_tready = ", n, "_skip | ", n, "_takes;");
        body_.line("wire ", n, "_last = ", n, "_beat == ", literal(bits, input.beats - 1), ";");
        body_.line("always @(posedge aclk)");
        body_.line("    if (!aresetn) begin");
        body_.line("        ", n, "_cut <= 1'b0;");
        body_.line("        ", n, "_skip <= 1'b0;");
        body_.line("        ", n, "_beat <= ", literal(bits, 0), ";");
        body_.line("    end else begin");
        body_.line("        if (", n, "_takes)");
        body_.line("            ", n, "_beat <= (", n, "_last | ", axis, "_tlast) ? ",
                   literal(bits, 0), " : ", n, "_beat + ", literal(bits, 1), ";");
        body_.line("        if (", n, "_takes & ", axis, "_tlast & ~", n, "_last)");
        body_.line("            ", n, "_cut <= 1'b1;");
        body_.line("        else if (enable & in_frame & last_step)");
        body_.line("            ", n, "_cut <= 1'b0;");
        body_.line("        if (", n, "_takes & ", n, "_last & ~", axis, "_tlast)");
        body_.line("            ", n, "_skip <= 1'b1;");
        body_.line("        else if (", axis, "_tvalid & ", axis, "_tlast)");
        body_.line("            ", n, "_skip <= 1'b0;");
        body_.line("    end");
        all_ += (all_.empty() ? "" : " & ") + n + "_here";
        wrong_ +=
            cat(wrong_.empty() ? "" : " | ", "(", n, "_takes & (", axis, "_tlast ^ ", n, "_last))");
    }

    void writeSteps() {
        const int bits = bitsFor(steps_);
        const int leftBits = bitsFor(interface_.latency + 1);
        declarations_.line("wire enable, in_frame, last_step, room, tick;");
        declarations_.line("reg ", range(bits), "step;");
        declarations_.line("reg draining;");
        declarations_.line("reg ", range(leftBits), "left;");
        declarations_.line("wire restart = draining & (left == ", literal(leftBits, 0), ");");
        declarations_.line("wire kernel_aresetn = aresetn & ~restart;");
        writeTick();
        body_.line("assign last_step = step == ", literal(bits, steps_ - 1), ";");
        body_.line("assign in_frame = ~draining & (", all_.empty() ? "1'b1" : all_, ");");
        body_.line("wire drains = (draining | (~in_frame & (step == ", literal(bits, 0),
                   "))) & (left != ", literal(leftBits, 0), ");");
        body_.line("assign enable = tick & room & (in_frame | drains);");
        body_.line("always @(posedge aclk)");
        body_.line("    if (!kernel_aresetn) begin");
        body_.line("        step <= ", literal(bits, 0), ";");
        body_.line("        draining <= 1'b0;");
        body_.line("        left <= ", literal(leftBits, 0), ";");
        body_.line("    end else if (enable) begin");
        body_.line("        if (in_frame)");
        body_.line("            step <= last_step ? ", literal(bits, 0), " : step + ",
                   literal(bits, 1), ";");
        body_.line("        draining <= ~in_frame;");
        body_.line("        if (in_frame & last_step)");
        body_.line("            left <= ", literal(leftBits, interface_.latency), ";");
        body_.line("        else if (~in_frame)");
        body_.line("            left <= left - ", literal(leftBits, 1), ";");
        body_.line("    end");
        body_.line("always @(posedge aclk)");
        body_.line("    if (!aresetn)");
        body_.line("        error <= 1'b0;");
        body_.line("    else if (", wrong_.empty() ? "1'b0" : wrong_, ")");
        body_.line("        error <= 1'b1;");
    }

    /// A step takes `unit` clocks.
    void writeTick() {
        if (interface_.unit == 1) {
            body_.line("assign tick = 1'b1;");
            return;
        }
        const int bits = bitsFor(interface_.unit);
        declarations_.line("reg ", range(bits), "rest;");
        body_.line("assign tick = rest == ", literal(bits, 0), ";");
        body_.line("always @(posedge aclk)");
        body_.line("    if (!aresetn)");
        body_.line("        rest <= ", literal(bits, 0), ";");
        body_.line("    else if (enable)");
        body_.line("        rest <= ", literal(bits, interface_.unit - 1), ";");
        body_.line("    else if (~tick)");
        body_.line("        rest <= rest - ", literal(bits, 1), ";");
    }

    void writeKernel() {
        const StreamPort& output = interface_.output;
        body_.line("wire ", range(output.wordBits()), "result;");
        body_.line("wire result_valid;");
        for (std::size_t k = 0; k < words_.size(); ++k) {
            const StreamPort& input = interface_.inputs[k];
            body_.line("wire ", range(input.wordBits()), words_[k], " = ", input.name, "_cut ? ",
                       zeros(input.wordBits()), " : ", unpacked(input), ";");
        }
        body_.line(interface_.name, "_kernel kernel (");
        body_.line("    .aclk(aclk), .aresetn(kernel_aresetn), .enable(enable),");
        if (kernel_.takesValid)
            body_.line("    .in_valid(in_frame & ", validNow(interface_.inputs[0]), "),");
        for (std::size_t k = 0; k < words_.size(); ++k)
            body_.line("    .", kernel_.inputs[k], "(", words_[k], "),");
        body_.line("    .", kernel_.output, "(result), .out_valid(result_valid));");
    }

    static std::string zeros(int bits) { return cat("{", bits, "{1'b0}}"); }

    /// The leaves of tdata without the padding to bytes.
    static std::string unpacked(const StreamPort& port) {
        std::string text;
        int low = 0;
        for (std::int64_t lane = 0; lane < port.lanes; ++lane) {
            for (const ir::Scalar scalar : port.leaves) {
                const int bits = ir::info(scalar).bits;
                text = slice(cat("s_axis_", port.name, "_tdata"), port.tdataBits(), low + bits - 1,
                             low) +
                       (text.empty() ? "" : ", ") + text;
                low += 8 * ir::info(scalar).bytes;
            }
        }
        return "{" + text + "}";
    }

    static std::string packed(const StreamPort& port) {
        std::string text;
        int low = 0;
        for (std::int64_t lane = 0; lane < port.lanes; ++lane) {
            for (const ir::Scalar scalar : port.leaves) {
                const int bits = ir::info(scalar).bits;
                const int padding = 8 * ir::info(scalar).bytes - bits;
                std::string word = slice("result", port.wordBits(), low + bits - 1, low);
                if (padding > 0)
                    word = cat(literal(padding, 0), ", ", word);
                text = word + (text.empty() ? "" : ", ") + text;
                low += bits;
            }
        }
        return "{" + text + "}";
    }

    /// Two beats of buffer: the kernel does not wait for tready in the clock it is given.
    void writeOutput() {
        const StreamPort& output = interface_.output;
        const std::string axis = "m_axis_" + output.name;
        const int bits = output.tdataBits();
        const int beatBits = bitsFor(output.beats);
        const std::string last = cat("beat == ", literal(beatBits, output.beats - 1));
        declarations_.line("reg ", range(beatBits), "beat;");
        declarations_.line("reg ", range(bits + 1), "first, second;");
        declarations_.line("reg [1:0] held;");
        body_.line("assign room = held != 2'h2;");
        body_.line("wire put = enable & result_valid;");
        body_.line("wire take = (held != 2'h0) & ", axis, "_tready;");
        body_.line("wire ", range(bits + 1), "next = {", last, ", ", packed(output), "};");
        body_.line("assign ", axis, "_tvalid = held != 2'h0;");
        body_.line("assign {", axis, "_tlast, ", axis, "_tdata} = first;");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (!aresetn) begin");
        body_.line("        held <= 2'h0;");
        body_.line("        beat <= ", literal(beatBits, 0), ";");
        body_.line("    end else begin");
        body_.line("        held <= held + {1'b0, put} - {1'b0, take};");
        body_.line("        if (put)");
        body_.line("            beat <= (", last, ") ? ", literal(beatBits, 0), " : beat + ",
                   literal(beatBits, 1), ";");
        body_.line("    end");
        body_.line("    if (take | (held == 2'h0))");
        body_.line("        first <= (held == 2'h2) ? second : next;");
        body_.line("    if (put)");
        body_.line("        second <= next;");
        body_.line("end");
    }

    const StreamInterface& interface_;
    const StreamKernel& kernel_;
    const std::int64_t steps_;
    StreamControl control_{"kernel_aresetn"};
    std::vector<std::string> words_; ///< wires with what the inputs give the kernel
    Body declarations_, body_;
    std::string all_;   ///< every input is there
    std::string wrong_; ///< a frame of the wrong length
};

} // namespace

Module streamTop(const StreamInterface& interface, const StreamKernel& kernel) {
    return TopWriter(interface, kernel).write();
}

} // namespace marquetry::hdl
