#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/places.h"

#include "engine/artefact/bench_text.h"
#include "engine/datapath/make_datapath.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/ir/stream_interpreter.h"
#include "engine/lower_stream/schedule_as_built.h"
#include "engine/rtl/printed.h"
#include "engine/spacetime/wave.h"
#include "engine/support/process.h"
#include "engine/support/rng.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <sstream>

namespace marquetry::test {

using hdl::cat;
using spacetime::SeqType;
using spacetime::Slots;

namespace {

/// One frame of a port, a line of bits for each step, the highest first; x where nothing is known.
struct Lines {
    std::vector<std::string> bits;
    std::vector<bool> valid;
};

Lines linesOf(const SeqType& type, std::int64_t unit, const std::vector<std::int64_t>& words) {
    const Slots wave = spacetime::toWave(type, words);
    const auto scalars = ir::leaves(spacetime::atomOf(type));
    const auto width = static_cast<std::size_t>(spacetime::slotCount(type) / clocks(type));
    Lines lines;
    for (std::size_t at = 0; at < wave.size(); at += width * static_cast<std::size_t>(unit)) {
        std::string text;
        bool valid = false;
        for (std::size_t lane = width; lane-- > 0;) {
            const std::int64_t word = wave[at + lane];
            const bool known = word != spacetime::kInvalid && word != ir::kUndefined;
            valid = valid || word != spacetime::kInvalid;
            for (int bit = ir::info(scalars[lane % scalars.size()]).bits; bit-- > 0;)
                text += known ? ((word >> bit) & 1 ? '1' : '0') : 'x';
        }
        lines.bits.push_back(std::move(text));
        lines.valid.push_back(valid);
    }
    return lines;
}

std::vector<std::int64_t> randomWords(const ir::StreamType& type, SplitMix64& rng) {
    const auto scalars = ir::leaves(ir::atomOf(type));
    std::vector<std::int64_t> words;
    for (std::int64_t k = 0; k < ir::words(type); ++k)
        words.push_back(ir::wrap(scalars[static_cast<std::size_t>(k) % scalars.size()],
                                 static_cast<std::int64_t>(rng.next())));
    return words;
}

class Bench {
public:
    Bench(std::string folder, BenchParams params)
        : folder_(std::move(folder)), params_(params), rng_(params.seed) {}

    void add(const KernelCase& one) {
        const datapath::TimedDatapath t = timed(one.circuit, one.rearranging);
        std::vector<std::string> inputs;
        for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k)
            inputs.push_back(cat("in_", k));
        rtl::ModuleLibrary library(one.name);
        const hdl::StreamKernel kernel = hdl::kernelModule(library, t, one.name, inputs, "out_y");
        const hdl::Netlist netlist = hdl::printed(finished(kernel.module));
        for (const hdl::Module& module : netlist.modules)
            text_ += module.verilog;
        for (const hdl::MemoryFile& memory : netlist.memories)
            EXPECT_TRUE(test::writeText(cat(folder_, "/", memory.name), memory.text));
        writeData(one, t);
        writeBench(one.name, t, kernel.takesValid());
    }

    KernelRun run() {
        KernelRun result;
        text_ += "module all;\n" + instances_ + "endmodule\n";
        EXPECT_TRUE(test::writeText(folder_ + "/all.v", text_));
        const auto built =
            runProcess({{"iverilog", "-g2001", "-s", "all", "-o", "all.vvp", "all.v"}, folder_});
        if (!built || built->exitCode != 0) {
            result.log = built ? built->output : format(built.error());
            return result;
        }
        const auto ran = runProcess({{"vvp", "-n", "all.vvp"}, folder_});
        result.log = ran ? "" : format(ran.error());
        std::istringstream lines(ran ? ran->output : "");
        std::size_t ended = 0;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("end "))
                ++ended;
            else
                result.failures.push_back(line);
        }
        if (ended != count_)
            result.failures.push_back(cat(ended, " of ", count_, " benches came to an end"));
        result.comparedSteps = steps_;
        result.comparedBits = bits_;
        return result;
    }

private:
    void writeData(const KernelCase& one, const datapath::TimedDatapath& t) {
        std::vector<std::string> in(t.datapath.inputs.size());
        std::string valid, want, care;
        const auto put = [](std::string& to, const std::string& line) { to += line + "\n"; };
        const SeqType& output = t.datapath.output.type;
        const std::string nothing(static_cast<std::size_t>(t.datapath.output.bits()), '0');
        for (std::int64_t k = 0; k < t.latency; ++k) {
            put(want, "0" + nothing);
            put(care, "1" + nothing);
        }
        for (int frame = 0; frame < params_.frames; ++frame) {
            std::vector<std::vector<std::int64_t>> words;
            std::vector<bool> validSteps;
            for (std::size_t k = 0; k < in.size(); ++k) {
                const auto id = one.program.graph.inputs[k];
                words.push_back(randomWords(one.program.graph.node(id).type, rng_));
                const Lines lines =
                    linesOf(t.datapath.inputs[k].type, t.datapath.unit, words.back());
                for (const std::string& line : lines.bits)
                    put(in[k], line);
                if (k == 0)
                    validSteps = lines.valid;
            }
            for (const bool v : validSteps)
                put(valid, v ? "1" : "0");
            const auto expected = ir::evaluate(one.program.graph, words, 1)[0];
            const Lines lines = linesOf(output, t.datapath.unit, expected);
            for (std::size_t k = 0; k < lines.bits.size(); ++k) {
                std::string value(lines.valid[k] ? "1" : "0"), mask("1");
                for (const char c : lines.bits[k]) {
                    value += c == '1' ? '1' : '0';
                    mask += c == 'x' ? '0' : '1';
                    bits_ += c == 'x' ? 0 : 1;
                }
                put(want, value);
                put(care, mask);
                ++steps_;
            }
        }
        for (std::size_t k = 0; k < in.size(); ++k)
            EXPECT_TRUE(test::writeText(cat(folder_, "/", one.name, "_in_", k, ".txt"), in[k]));
        EXPECT_TRUE(test::writeText(folder_ + "/" + one.name + "_valid.txt", valid));
        EXPECT_TRUE(test::writeText(folder_ + "/" + one.name + "_want.txt", want));
        EXPECT_TRUE(test::writeText(folder_ + "/" + one.name + "_care.txt", care));
    }

    void writeBench(const std::string& name, const datapath::TimedDatapath& t, bool takesValid) {
        const std::int64_t last = params_.frames * t.datapath.period;
        const std::int64_t all = last + t.latency;
        const int width = t.datapath.output.bits();
        hdl::BenchText b;
        b.line("reg clk, resetn, enable; integer step, seed, bad;");
        b.line("reg valids [0:", last - 1, "];");
        b.line("reg [", width, ":0] wants [0:", all - 1, "], cares [0:", all - 1, "];");
        b.line("reg [", width, ":0] wanted, cared;");
        b.line("wire [", width - 1, ":0] y; wire out_valid; reg valid;");
        std::string ports;
        for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k) {
            const int bits = t.datapath.inputs[k].bits();
            b.line("reg [", bits - 1, ":0] ins_", k, " [0:", last - 1, "], in_", k, ";");
            ports += cat(".in_", k, "(in_", k, "), ");
        }
        b.line(name, " dut (.aclk(clk), .aresetn(resetn), .enable(enable), ",
               takesValid ? ".in_valid(valid), " : "", ports, ".out_y(y), .out_valid(out_valid));");
        b.line("always #5 clk = ~clk;");
        b.line("initial begin");
        for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k)
            b.line("    $readmemb(\"", name, "_in_", k, ".txt\", ins_", k, ");");
        b.line("    $readmemb(\"", name, "_valid.txt\", valids);");
        b.line("    $readmemb(\"", name, "_want.txt\", wants);");
        b.line("    $readmemb(\"", name, "_care.txt\", cares);");
        b.line("    clk = 0; resetn = 0; enable = 0; step = 0; bad = 0; seed = ",
               rng_.next() % 1000000, ";");
        b.line("    repeat (3) @(negedge clk);");
        b.line("    resetn = 1;");
        b.line("    while (step < ", all, ") begin");
        b.line("        enable = ", params_.gaps ? "($random(seed) & 3) != 0" : "1", ";");
        for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k)
            b.line("        in_", k, " = (enable && step < ", last, ") ? ins_", k, "[step] : {",
                   t.datapath.inputs[k].bits(), "{1'bx}};");
        b.line("        valid = enable ? (step < ", last, " ? valids[step] : 1'b0) : 1'bx;");
        b.line("        #1 wanted = wants[step]; cared = cares[step];");
        b.line("        if (enable && (({out_valid, y} ^ wanted) & cared) !== 0) begin");
        b.line("            bad = bad + 1;");
        b.line(
            "            if (bad < 4) $display(\"", name,
            ": output at step %0d is %h, not %h (of %h)\", step, {out_valid, y}, wanted, cared);");
        b.line("        end");
        b.line("        @(negedge clk);");
        b.line("        if (enable) step = step + 1;");
        b.line("    end");
        b.line("    $display(\"end ", name, "\");");
        // The simulation ends when no bench is left that waits for its clock.
        b.line("    disable clocking;");
        b.line("end");
        std::string body = b.text();
        const std::string forever = "    always #5 clk = ~clk;\n";
        body.replace(
            body.find(forever), forever.size(),
            "    initial begin : clocking\n        #1;\n        forever #5 clk = ~clk;\n    end\n");
        text_ += cat("module bench_", name, ";\n", body, "endmodule\n");
        instances_ += cat("    bench_", name, " bench_", name, "();\n");
        ++count_;
    }

    std::string folder_;
    BenchParams params_;
    SplitMix64 rng_;
    std::string text_;
    std::string instances_;
    std::size_t count_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t bits_ = 0;
};

} // namespace

datapath::TimedDatapath timed(const spacetime::Graph& circuit, datapath::Rearranging rearranging) {
    const auto made = datapath::makeDatapath(circuit, {rearranging});
    EXPECT_TRUE(made) << format(made.error());
    return **made;
}

KernelRun runKernels(const std::vector<KernelCase>& cases, const BenchParams& params) {
    const TemporaryFolder folder;
    Bench bench(folder.string(), params);
    for (const KernelCase& one : cases)
        bench.add(one);
    return bench.run();
}

ir::StreamProgram exampleStream(const std::string& name, const std::string& item) {
    const std::string path =
        test::sourceFolder() + "/examples/streams/" + name + "/" + name + ".mq";
    auto parsed = frontend::parseFile(path);
    EXPECT_TRUE(parsed) << (parsed ? "" : format(parsed.error()));
    auto stream = frontend::selectStream(*std::move(parsed), item);
    EXPECT_TRUE(stream) << (stream ? "" : format(stream.error()));
    return *std::move(stream);
}

spacetime::StreamDesign designAt(const ir::StreamProgram& program, spacetime::Throughput t) {
    const auto clocks = clocksFor(program, t);
    EXPECT_TRUE(clocks) << format(clocks.error());
    auto found = hdl::scheduleAsBuilt(program, *clocks, *device::findDevice("xc7k160t"));
    EXPECT_TRUE(found) << format(found.error());
    return std::move(found->schedule.front[0]);
}

} // namespace marquetry::test
