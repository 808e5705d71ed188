#include "engine/artefact/banked_testbench.h"

#include "engine/artefact/bench_text.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/banking/flat_maps.h"
#include "engine/lower_memory/banked_address.h"
#include "engine/rtl/reserved_words.h"
#include "engine/rtl/scope.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using banking::selectBits;

/// "64'd5" or "-64'sd5".
std::string signed64(std::int64_t n) {
    return n < 0 ? cat("-64'sd", -n) : cat("64'sd", n);
}

class Traffic {
public:
    explicit Traffic(const BankedMemory& memory) : memory_(memory) {}

    std::string write() {
        body_ = {};
        declare();
        instantiate();
        body_.line("// xorshift: the same numbers in every simulator");
        body_.line("function [63:0] shuffled;");
        body_.line("    input [63:0] from;");
        body_.line("    begin");
        body_.line("        shuffled = from ^ (from << 13);");
        body_.line("        shuffled = shuffled ^ (shuffled >> 7);");
        body_.line("        shuffled = shuffled ^ (shuffled << 17);");
        body_.line("    end");
        body_.line("endfunction");
        writeInitial();
        writeDraw();
        writeFlow();
        return cat("module ", memory_.names.traffic,
                   " (\n    input  wire aclk,\n    output reg  done\n);\n", body_.text(),
                   "endmodule\n");
    }

private:
    const ir::MemoryLane& source(const BankedLane& lane) const {
        return memory_.pattern.lane(lane.hardware.group, lane.hardware.lane);
    }
    std::size_t nestOf(const BankedLane& lane) const {
        return memory_.pattern.groups[lane.hardware.group].nest;
    }
    static bool decoded(const BankedLane& lane) {
        return lane.hardware.mode == banking::AddressMode::Decoded;
    }
    int bits() const { return memory_.pattern.bits; }

    void declare() {
        body_.line("reg  aresetn;");
        body_.line("reg  ", range(bits()), "flat [0:", memory_.pattern.words() - 1, "];");
        body_.line("reg  [63:0] random;");
        body_.line("integer seed, cycles, cycle, steps, reads, writes, mismatches, loaded, nest, "
                   "i;");
        for (std::size_t n = 0; n < memory_.pattern.nests.size(); ++n) {
            body_.line("reg  step", n, ";");
            for (std::size_t g = 0; g < memory_.pattern.nests[n].generators.size(); ++g)
                body_.line("reg  signed [63:0] ", counterName(n, g), ";");
        }
        for (const BankedLane& lane : memory_.lanes) {
            body_.line(lane.hardware.write ? "reg  " : "wire ", range(bits()), lane.name, "_data;");
            body_.line("reg  ", lane.name, "_en;");
            body_.line("reg  signed [63:0] ", lane.name, "_word;");
            for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d)
                body_.line("reg  signed [63:0] ", lane.name, "_at", d, ";");
            if (!lane.hardware.write)
                body_.line("reg  ", lane.name, "_due; reg ", range(bits()), lane.name,
                           "_expected;");
        }
        if (!memory_.loadPort)
            return;
        body_.line("reg  load_en;");
        body_.line("reg  ", range(loadBankBits()), "load_bank;");
        body_.line("reg  ", range(loadOffsetBits()), "load_offset;");
        body_.line("reg  ", range(bits()), "load_data;");
        body_.line("reg  [63:0] rest, bank, offset;");
        for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d)
            body_.line("reg  [63:0] x", d, ";");
        for (std::size_t m = 0; m < memory_.scheme.maps.size(); ++m)
            if (!banking::isParity(memory_.scheme.maps))
                body_.line("reg  [63:0] u", m, ";");
    }

    int loadBankBits() const { return std::max(1, selectBits(memory_.scheme.banks())); }
    int loadOffsetBits() const { return std::max(1, selectBits(memory_.scheme.depth)); }

    void instantiate() {
        const MemoryNames& names = memory_.names;
        std::vector<std::pair<std::string, std::string>> wired = {{names.clock, "aclk"},
                                                                  {names.reset, "aresetn"}};
        for (std::size_t n = 0; n < names.steps.size(); ++n)
            wired.emplace_back(names.steps[n], cat("step", n));
        for (const BankedLane& lane : memory_.lanes) {
            const LaneNames& ports = names.lanes.at(lane.name);
            wired.emplace_back(ports.data, lane.name + "_data");
            wired.emplace_back(ports.enable, lane.name + "_en");
            for (std::size_t d = 0; d < ports.at.size(); ++d)
                wired.emplace_back(
                    ports.at[d],
                    cat(lane.name, "_at", d, "[", selectBits(memory_.pattern.dims[d]) - 1, ":0]"));
        }
        wired.emplace_back(names.loadEnable, "load_en");
        wired.emplace_back(names.loadBank, "load_bank");
        wired.emplace_back(names.loadOffset, "load_offset");
        wired.emplace_back(names.loadData, "load_data");
        body_.line(names.top, " dut (");
        const char* comma = "    .";
        for (const auto& [port, signal] : wired) {
            if (port.empty())
                continue;
            body_.line(comma, port, "(", signal, ")");
            comma = "    , .";
        }
        body_.line(");");
    }

    void writeInitial() {
        body_.line("initial begin");
        body_.line("    if (!$value$plusargs(\"seed=%d\", seed)) seed = 1;");
        body_.line("    if (!$value$plusargs(\"cycles=%d\", cycles)) cycles = 100000;");
        body_.line("    random = shuffled(shuffled({32'h9e3779b9, seed[31:0]}));");
        body_.line("    done = 1'b0; aresetn = 1'b0; cycle = -4; loaded = 0;");
        body_.line("    steps = 0; reads = 0; writes = 0; mismatches = 0; nest = 0;");
        body_.line("    for (i = 0; i < ", memory_.pattern.words(),
                   "; i = i + 1) flat[i] = ", literal(bits(), 0), ";");
        for (std::size_t n = 0; n < memory_.pattern.nests.size(); ++n) {
            body_.line("    step", n, " = 1'b0;");
            for (std::size_t g = 0; g < memory_.pattern.nests[n].generators.size(); ++g)
                body_.line("    ", counterName(n, g), " = 64'sd0;");
        }
        for (const BankedLane& lane : memory_.lanes) {
            body_.line("    ", lane.name, "_en = 1'b0;");
            if (lane.hardware.write)
                body_.line("    ", lane.name, "_data = ", literal(bits(), 0), ";");
            else
                body_.line("    ", lane.name, "_due = 1'b0;");
            for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d)
                body_.line("    ", lane.name, "_at", d, " = 64'sd0;");
        }
        if (memory_.loadPort)
            body_.line("    load_en = 1'b0; load_bank = 0; load_offset = 0; load_data = 0;");
        body_.line("end");
    }

    /// One iteration of each nest: coordinates, what is expected, what is written.
    void writeDraw() {
        for (std::size_t n = 0; n < memory_.pattern.nests.size(); ++n) {
            body_.line("task iterate", n, ";");
            body_.line("    begin");
            drawUnknowns(n);
            for (const BankedLane& lane : memory_.lanes) {
                if (nestOf(lane) == n)
                    locate(lane, n);
            }
            apart(n);
            for (const BankedLane& lane : memory_.lanes) {
                if (nestOf(lane) == n && !lane.hardware.write)
                    body_.line("        ", lane.name, "_due = ", lane.name, "_en; if (", lane.name,
                               "_en) begin ", lane.name, "_expected = flat[", lane.name,
                               "_word]; reads = reads + 1; end");
            }
            for (const BankedLane& lane : memory_.lanes) {
                if (nestOf(lane) == n && lane.hardware.write)
                    body_.line("        if (", lane.name, "_en) begin flat[", lane.name,
                               "_word] = ", lane.name, "_data; writes = writes + 1; end");
            }
            advance(n);
            body_.line("    end");
            body_.line("endtask");
        }
    }

    void drawUnknowns(std::size_t n) {
        const ir::UnrolledNest& nest = memory_.pattern.nests[n];
        std::vector<std::size_t> lanes(nest.lanes.size());
        for (std::size_t l = 0; l < lanes.size(); ++l)
            lanes[l] = l;
        const auto ranges = generatorRanges(nest, lanes, memory_.pattern.dims);
        const std::int64_t reach = *std::ranges::max_element(memory_.pattern.dims);
        for (std::size_t g = 0; g < nest.generators.size(); ++g) {
            if (!nest.generators[g].unknown())
                continue;
            const auto [low, high] = ranges ? (*ranges)[g] : std::pair(-reach, reach);
            body_.line("        random = shuffled(random);");
            body_.line("        ", counterName(n, g), " = ", signed64(low),
                       " + $signed({1'b0, random[62:0]} % ", signed64(high - low + 1), ");");
        }
    }

    /// " + (factor) * counter + …"
    static std::string sumOf(const std::vector<std::int64_t>& row, std::size_t n) {
        std::string sum;
        for (std::size_t g = 0; g < row.size(); ++g)
            if (row[g] != 0)
                sum += cat(" + (", signed64(row[g]), ") * ", counterName(n, g));
        return sum;
    }

    void locate(const BankedLane& lane, std::size_t n) {
        const ir::UnrolledNest& nest = memory_.pattern.nests[n];
        std::string happens = "1'b1";
        std::string word = "64'sd0";
        for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d) {
            const std::string at =
                signed64(source(lane).offset[d]) + sumOf(source(lane).matrix[d], n);
            const std::string name = cat(lane.name, "_at", d);
            body_.line("        ", name, " = ", at, ";");
            happens +=
                cat(" && ", name, " >= 64'sd0 && ", name, " < ", signed64(memory_.pattern.dims[d]));
            word = cat("(", word, ") * ", signed64(memory_.pattern.dims[d]), " + ", name);
        }
        for (std::size_t g = 0; g < nest.generators.size(); ++g) {
            if (!nest.generators[g].unknown())
                happens += cat(" && ", counterName(n, g), " < ", signed64(source(lane).trips[g]));
        }
        for (const ir::LaneLimit& limit : source(lane).limits)
            happens += cat(" && ", signed64(limit.constant), sumOf(limit.row, n), " >= 64'sd0");
        body_.line("        ", lane.name, "_word = ", word, ";");
        if (!lane.hardware.write) {
            body_.line("        ", lane.name, "_en = ", happens, ";");
            return;
        }
        body_.line("        random = shuffled(random);");
        body_.line("        ", lane.name, "_data = random[", 8 + bits() - 1, ":8];");
        body_.line("        ", lane.name, "_en = random[0] && ", happens, ";");
    }

    /// Unknown indices may meet: a word is written once per clock.
    void apart(std::size_t n) {
        std::vector<const BankedLane*> writers;
        bool unknown = false;
        for (const BankedLane& lane : memory_.lanes) {
            if (nestOf(lane) != n || !lane.hardware.write)
                continue;
            unknown = unknown || decoded(lane);
            writers.push_back(&lane);
        }
        for (std::size_t a = 0; unknown && a < writers.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b)
                body_.line("        if (", writers[b]->name, "_en && ", writers[b]->name,
                           "_word == ", writers[a]->name, "_word) ", writers[a]->name,
                           "_en = 1'b0;");
        }
    }

    void advance(std::size_t n) {
        const auto& generators = memory_.pattern.nests[n].generators;
        std::string close;
        for (std::size_t g = generators.size(); g-- > 0;) {
            if (generators[g].unknown())
                continue;
            const std::string name = counterName(n, g);
            body_.line("        ", name, " = ", name, " + 64'sd1;");
            body_.line("        if (", name, " == ", signed64(generators[g].trips), ") begin");
            body_.line("        ", name, " = 64'sd0;");
            close += "end ";
        }
        if (!close.empty())
            body_.line("        ", close);
    }

    void writeFlow() {
        body_.line("always @(negedge aclk) if (!done) begin");
        compare();
        for (std::size_t n = 0; n < memory_.pattern.nests.size(); ++n)
            body_.line("    step", n, " = 1'b0;");
        for (const BankedLane& lane : memory_.lanes)
            body_.line("    ", lane.name, "_en = 1'b0;");
        if (memory_.loadPort)
            body_.line("    load_en = 1'b0;");
        body_.line("    if (cycle < 0)");
        body_.line("        cycle = cycle + 1;");
        if (memory_.loadPort)
            load();
        body_.line("    else if (cycle < cycles) begin");
        body_.line("        aresetn = 1'b1;");
        body_.line("        cycle = cycle + 1;");
        body_.line("        random = shuffled(random);");
        const std::size_t nests = memory_.pattern.nests.size();
        if (nests > 1)
            body_.line("        nest = {26'h0, random[11:6]} % ", nests, ";");
        body_.line("        if (random[3:2] != 2'b00) begin");
        body_.line("            steps = steps + 1;");
        for (std::size_t n = 0; n < nests; ++n)
            body_.line("            if (nest == ", n, ") begin step", n, " = 1'b1; iterate", n,
                       "; end");
        body_.line("        end");
        body_.line("    end else begin");
        body_.line("        $display(\"{\\\"memory\\\":\\\"", memory_.name,
                   "\\\",\\\"cycles\\\":%0d,\\\"steps\\\":%0d,\\\"reads\\\":%0d,"
                   "\\\"writes\\\":%0d,\\\"mismatches\\\":%0d}\", cycle, steps, reads, writes, "
                   "mismatches);");
        body_.line("        done = 1'b1;");
        body_.line("    end");
        body_.line("end");
    }

    void compare() {
        for (const BankedLane& lane : memory_.lanes) {
            if (lane.hardware.write)
                continue;
            body_.line("    if (", lane.name, "_due && ", lane.name, "_data !== ", lane.name,
                       "_expected) begin");
            body_.line("        mismatches = mismatches + 1;");
            body_.line("        if (mismatches <= ", kShownMismatches, ")");
            body_.line("            $display(\"{\\\"mismatch\\\":{\\\"memory\\\":\\\"",
                       memory_.name, "\\\",\\\"lane\\\":\\\"", lane.name,
                       "\\\",\\\"cycle\\\":%0d,\\\"expected\\\":%0d,\\\"got\\\":%0d}}\", cycle, ",
                       lane.name, "_expected, ", lane.name, "_data);");
            body_.line("    end");
            body_.line("    ", lane.name, "_due = 1'b0;");
        }
    }

    /// Every word of the array through the load port, at the bank and offset of the scheme.
    void load() {
        const banking::Scheme& scheme = memory_.scheme;
        body_.line("    else if (loaded < ", memory_.pattern.words(), ") begin");
        body_.line("        aresetn = 1'b1;");
        body_.line("        random = shuffled(random);");
        body_.line("        flat[loaded] = random[", 8 + bits() - 1, ":8];");
        body_.line("        rest = {32'h0, loaded};");
        for (std::size_t d = memory_.pattern.dims.size(); d-- > 0;)
            body_.line("        x", d, " = rest % ", memory_.pattern.dims[d], "; rest = rest / ",
                       memory_.pattern.dims[d], ";");
        body_.line("        bank = 0; offset = 0;");
        if (banking::isParity(scheme.maps))
            placeByParity();
        else
            placeByDivision();
        body_.line("        load_en = 1'b1; load_data = flat[loaded];");
        body_.line("        load_bank = bank[", loadBankBits() - 1, ":0]; load_offset = offset[",
                   loadOffsetBits() - 1, ":0];");
        body_.line("        loaded = loaded + 1;");
        body_.line("    end");
    }

    void placeByParity() {
        const banking::Scheme& scheme = memory_.scheme;
        for (std::size_t d = 0; d < scheme.box.size(); ++d) {
            std::string rest = "64'd0";
            int weight = 0;
            for (int place = 0; place < selectBits(memory_.pattern.dims[d]); ++place) {
                if ((scheme.replaced[d] >> place & 1) == 0)
                    rest +=
                        cat(" + {63'd0, x", d, "[", place, "]} * ", std::int64_t{1} << weight++);
            }
            body_.line("        offset = offset * ", scheme.boxes[d], " + ", rest, ";");
        }
        for (const ir::FlatMap& map : scheme.maps) {
            std::string ones = "1'b0";
            for (std::size_t d = 0; d < map.alpha.size(); ++d)
                ones += cat(" ^ (^(x", d, " & 64'd", map.alpha[d], "))");
            body_.line("        bank = bank * 2 + {63'd0, ", ones, "};");
        }
    }

    void placeByDivision() {
        const banking::Scheme& scheme = memory_.scheme;
        for (std::size_t d = 0; d < scheme.box.size(); ++d)
            body_.line("        offset = offset * ", scheme.boxes[d], " + x", d, " / ",
                       scheme.box[d], ";");
        for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
            std::string u = "0";
            for (std::size_t d = 0; d < scheme.box.size(); ++d)
                u += cat(" + ", scheme.maps[m].alpha[d], " * x", d);
            body_.line("        u", m, " = ", u, ";");
            body_.line("        bank = bank * ", scheme.maps[m].banks, " + u", m, " / ",
                       scheme.maps[m].block, " % ", scheme.maps[m].banks, ";");
            body_.line("        offset = offset * ", scheme.wordsIn[m], " + u", m, " % ",
                       scheme.maps[m].block, " / ", scheme.units[m], ";");
        }
    }

    const BankedMemory& memory_;
    BenchText body_;
};

} // namespace

std::string writeMemoryTestbench(const std::string& top,
                                 const std::vector<const BankedMemory*>& memories) {
    std::string text = "`timescale 1ns / 1ps\n// verilator lint_off WIDTH\n"
                       "// verilator lint_off UNUSEDSIGNAL\n// verilator lint_off BLKSEQ\n";
    for (const BankedMemory* memory : memories)
        text += Traffic(*memory).write();
    text += cat("module ", top, ";\n    reg aclk = 1'b0;\n    always #5 aclk = ~aclk;\n");
    rtl::Scope scope(rtl::kNoSignal);
    for (const char* taken : {"aclk", "vcd"})
        scope.take(taken);
    for (const BankedMemory* memory : memories)
        for (const std::string& module : {memory->names.top, memory->names.traffic})
            scope.take(module);
    std::string done;
    for (const BankedMemory* memory : memories) {
        const std::string end = scope.give(memory->name + "_done");
        const std::string run = scope.give(memory->name + "_run");
        text += cat("    wire ", end, ";\n    ", memory->names.traffic, " ", run,
                    " (.aclk(aclk), .done(", end, "));\n");
        done += (done.empty() ? "" : " && ") + end;
    }
    text += cat("    always @(posedge aclk)\n        if (", done, ")\n            $finish;\n",
                "    reg [8191:0] vcd;\n    initial if ($value$plusargs(\"vcd=%s\", vcd)) begin\n"
                "        $dumpfile(vcd);\n        $dumpvars(0, ",
                top, ");\n    end\nendmodule\n");
    return text;
}

} // namespace marquetry::hdl
