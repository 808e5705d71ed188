#include "engine/artefact/bench_text.h"
#include "engine/artefact/testbench_writer.h"

namespace marquetry::hdl {

namespace {

constexpr const char* kHead = R"(#include "verilated.h"
#ifdef MARQUETRY_FST
#include "verilated_fst_c.h"
#define MARQUETRY_TRACE
using Waveforms = VerilatedFstC;
#elif defined(MARQUETRY_TRACE)
#include "verilated_vcd_c.h"
using Waveforms = VerilatedVcdC;
#endif

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Stream {
    const char* name;
    int bits;
    bool isSigned;
    long beats;
    long elements;
    std::vector<std::uint64_t> words;
    long next = 0; // beat within the vector
    std::uint64_t data = 0;
    std::uint64_t heldData = 0;
    bool valid = false, ready = false, last = false, held = false;
};

struct Options {
    std::string dir = ".";
    std::string vcd;
    long vectors = 1;
    std::uint64_t random = 1;
    bool gaps = true;
};

Options options;
long mismatches = 0;

std::uint64_t draw() {
    options.random += 0x9e3779b97f4a7c15u;
    std::uint64_t x = options.random;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

bool read(Stream& stream, const char* prefix) {
    const std::string path = options.dir + "/" + prefix + stream.name + ".hex";
    std::FILE* file = std::fopen(path.c_str(), "r");
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path.c_str());
        return false;
    }
    std::uint64_t word = 0;
    while (std::fscanf(file, "%" SCNx64, &word) == 1)
        stream.words.push_back(word);
    std::fclose(file);
    return static_cast<long>(stream.words.size()) >= options.vectors * stream.beats;
}

std::int64_t element(const Stream& stream, std::uint64_t word, int index) {
    const std::uint64_t top = word << (64 - stream.bits * (index + 1));
    return stream.isSigned ? static_cast<std::int64_t>(top) >> (64 - stream.bits)
                           : static_cast<std::int64_t>(top >> (64 - stream.bits));
}

void complain(const Stream& stream, long vector, long index, std::int64_t expected,
              std::int64_t got, std::uint64_t cycle, const char* what) {
    if (mismatches++ < kShown)
        std::printf("{\"mismatch\":{\"output\":\"%s\",\"vector\":%ld,\"index\":%ld,"
                    "\"expected\":%" PRId64 ",\"got\":%" PRId64 ",\"cycle\":%" PRIu64
                    ",\"what\":\"%s\"}}\n",
                    stream.name, vector, index, expected, got, cycle, what);
}

void compare(Stream& stream, long vector, std::uint64_t cycle) {
    if (stream.next >= stream.beats)
        return complain(stream, vector, stream.elements, 0, 0, cycle, "extra beat");
    const std::uint64_t expected =
        stream.words[static_cast<std::size_t>(vector * stream.beats + stream.next)];
    const int perBeat = 64 / stream.bits;
    for (int i = 0; i < perBeat && stream.data != expected; ++i) {
        const long index = stream.next * perBeat + i;
        const std::int64_t want = element(stream, expected, i), got = element(stream, stream.data, i);
        if (want != got)
            complain(stream, vector, index, want, got, cycle,
                     index < stream.elements ? "element" : "padding");
    }
    const bool last = stream.next + 1 == stream.beats;
    if (last != stream.last)
        complain(stream, vector, stream.next * perBeat, last, stream.last, cycle, "tlast");
    ++stream.next;
}

)";

constexpr const char* kTail = R"(
void parse(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if (a.rfind("+dir=", 0) == 0) options.dir = a.substr(5);
        if (a.rfind("+vcd=", 0) == 0) options.vcd = a.substr(5);
        if (a.rfind("+vectors=", 0) == 0) options.vectors = std::atol(a.c_str() + 9);
        if (a.rfind("+seed=", 0) == 0) options.random = std::strtoull(a.c_str() + 6, nullptr, 10);
        if (a.rfind("+gaps=", 0) == 0) options.gaps = a != "+gaps=0";
@options@    }
}

class Bench {
public:
    Bench() : top_(new Top) {
#ifdef MARQUETRY_TRACE
        if (!options.vcd.empty()) {
            Verilated::traceEverOn(true);
            trace_.reset(new Waveforms);
            top_->trace(trace_.get(), 99);
            trace_->open(options.vcd.c_str());
        }
#endif
        top_->aresetn = 0;
        top_->start = 0;
        for (int i = 0; i < 4; ++i)
            clock(0);
        top_->aresetn = 1;
    }

    ~Bench() {
#ifdef MARQUETRY_TRACE
        if (trace_)
            trace_->close();
#endif
        top_->final();
    }

    bool run(long vector) {
        for (Stream& s : inputs) s.next = 0, s.valid = false;
        for (Stream& s : outputs) s.next = 0, s.held = false;
        top_->start = 1;
        clock(vector);
        top_->start = 0;
        std::uint64_t idle = 0;
        while (!top_->done) {
            idle = clock(vector) ? 0 : idle + 1;
            if (idle > kPatience) {
                complain(outputs[0], vector, outputs[0].next, 0, 0, top_->cycles, "timeout");
                return false;
            }
        }
        for (Stream& s : outputs)
            if (s.next != s.beats)
                complain(s, vector, s.next * (64 / s.bits), s.beats, s.next, top_->cycles,
                         "missing beats");
        return true;
    }

    std::uint64_t cycles() const { return top_->cycles; }
@count@    bool error() const { return top_->error; }

private:
    /// One clock; true when the cycle counter or a stream moved.
    bool clock(long vector) {
        for (Stream& s : inputs) {
            if (!s.valid && s.next < s.beats && (!options.gaps || (draw() & 3) != 0)) {
                s.valid = true;
                s.data = s.words[static_cast<std::size_t>(vector * s.beats + s.next)];
                s.last = s.next + 1 == s.beats;
            }
        }
        for (Stream& s : outputs)
            s.ready = !options.gaps || (draw() & 3) != 0;
        drive(*top_);
        top_->aclk = 0;
        top_->eval();
        dump();
        sample(*top_);
        const std::uint64_t before = top_->cycles@waited@;
        bool moved = @moved@;
        for (Stream& s : inputs) {
            if (s.valid && s.ready) {
                s.valid = false;
                ++s.next;
                moved = true;
            }
        }
        for (Stream& s : outputs) {
            if (s.held && (!s.valid || s.data != s.heldData))
                complain(s, vector, s.next * (64 / s.bits), 0, 0, before, "unstable stream");
            s.held = s.valid && !s.ready;
            s.heldData = s.data;
            if (s.valid && s.ready) {
                compare(s, vector, before);
                moved = true;
            }
        }
        top_->aclk = 1;
        top_->eval();
        dump();
        return moved || top_->cycles@waits@ != before;
    }

    void dump() {
#ifdef MARQUETRY_TRACE
        if (trace_)
            trace_->dump(time_++);
#endif
    }

    std::unique_ptr<Top> top_;
#ifdef MARQUETRY_TRACE
    std::unique_ptr<Waveforms> trace_;
    std::uint64_t time_ = 0;
#endif
};

} // namespace

@list@int main(int argc, char** argv) {
    Verilated::commandArgs(argc, argv);
    parse(argc, argv);
    for (Stream& s : inputs)
        if (!read(s, "in_")) return 2;
    for (Stream& s : outputs)
        if (!read(s, "out_")) return 2;
@read@    bool error = false;
    std::string cycles@counts@;
    {
        Bench bench;
        for (long v = 0; v < options.vectors && bench.run(v); ++v) {
            error = error || bench.error();
            cycles += (cycles.empty() ? "" : ",") + std::to_string(bench.cycles());
@add@        }
    }
    const bool pass = mismatches == 0 && !error;
    std::printf("{\"pass\":%s,\"vectors\":%ld,\"mismatches\":%ld,\"cycles\":[%s],@format@\"error\":%s}\n",
                pass ? "true" : "false", options.vectors, mismatches, cycles.c_str(),@values@
                error ? "true" : "false");
    return pass ? 0 : 1;
}
)";

std::string streamTable(const char* name, const std::vector<StreamPlan>& streams) {
    std::string text = cat("Stream ", name, "[] = {\n");
    for (const StreamPlan& s : streams)
        text += cat("    {\"", s.name, "\", ", s.elementBits, ", ",
                    ir::info(s.tensor.scalar).isSigned ? "true" : "false", ", ", s.beats, ", ",
                    s.tensor.elements(), ", {}},\n");
    return text + "};\n\n";
}

/// What the bench calls the wires of the top.
std::string accessors(const RtlPlan& plan, const DesignNames& names) {
    std::string text = "void drive(Top& top) {\n";
    for (std::size_t i = 0; i < plan.loads.size(); ++i) {
        const rtl::AxisNames& port = names.loads[i];
        text +=
            cat("    top.", port.tdata, " = inputs[", i, "].data;\n    top.", port.tvalid,
                " = inputs[", i, "].valid;\n    top.", port.tlast, " = inputs[", i, "].last;\n");
    }
    for (std::size_t i = 0; i < plan.stores.size(); ++i)
        text += cat("    top.", names.stores[i].tready, " = outputs[", i, "].ready;\n");
    if (names.memory)
        text += driveMemory(benchMemory(plan, *names.memory));
    text += "}\n\nvoid sample(const Top& top) {\n";
    for (std::size_t i = 0; i < plan.loads.size(); ++i)
        text += cat("    inputs[", i, "].ready = top.", names.loads[i].tready, ";\n");
    for (std::size_t i = 0; i < plan.stores.size(); ++i) {
        const rtl::AxisNames& port = names.stores[i];
        text += cat("    outputs[", i, "].data = top.", port.tdata, ";\n    outputs[", i,
                    "].valid = top.", port.tvalid, ";\n    outputs[", i, "].last = top.",
                    port.tlast, ";\n");
    }
    if (names.memory)
        text += sampleMemory(benchMemory(plan, *names.memory));
    return text + "}\n";
}

/// For each counter of the hardware's waits: its field in what is printed, and its port.
std::string ofCounters(
    const WeightPorts<std::string>& memory,
    const std::function<std::string(const std::string& field, const std::string& port)>& text) {
    std::string all = text("stalls", memory.stalls);
    if (memory.write)
        all +=
            text("stalls_loads", memory.stallsLoads) + text("stalls_stores", memory.stallsStores);
    return all;
}

/// What is put into the text for a memory; without one nothing is there.
BenchPlaces placesOf(const DesignNames& names) {
    if (!names.memory)
        return {{"@waited@", ""}, {"@waits@", ""},  {"@options@", ""}, {"@moved@", "false"},
                {"@count@", ""},  {"@read@", ""},   {"@counts@", ""},  {"@add@", ""},
                {"@format@", ""}, {"@values@", ""}, {"@list@", ""}};
    // A clock in which the hardware waits for external memory is none in which it works.
    const std::string stalls = cat(" - top_->", names.memory->stalls);
    const auto each = [&](const char* before, const char* between, const char* behind) {
        return ofCounters(*names.memory, [&](const std::string& field, const std::string&) {
            return cat(before, field, between, *between != 0 ? field : "", behind);
        });
    };
    return {
        {"@waited@", stalls},
        {"@waits@", stalls},
        {"@list@", "void add(std::string& list, std::uint64_t count) {\n"
                   "    list += (list.empty() ? \"\" : \",\") + std::to_string(count);\n"
                   "}\n\n"},
        {"@options@", "        memory.take(a);\n"},
        {"@moved@", "memory.moved"},
        {"@count@", ofCounters(*names.memory,
                               [](const std::string& field, const std::string& port) {
                                   return cat("    std::uint64_t ", field,
                                              "() const { return top_->", port, "; }\n");
                               })},
        {"@read@", "    if (!memory.read(options.dir + \"/../memory/weights.bin\")) return 2;\n"},
        {"@counts@", each(", ", "", "")},
        {"@add@", each("            add(", ", bench.", "());\n")},
        {"@format@", each("\\\"", "", "\\\":[%s],")},
        {"@values@", each("\n                ", "", ".c_str(),")}};
}

} // namespace

std::string writeVerilatorTestbench(const RtlPlan& plan, const DesignNames& names) {
    const std::string top = "V" + names.top;
    std::string text =
        cat("// Testbench of ", plan.name, " for Verilator.\n#include \"", top, ".h\"\n", kHead);
    const std::string shown =
        cat("constexpr long kShown = ", kShownMismatches,
            ";\nconstexpr std::uint64_t kPatience = 100000;\nusing Top = ", top, ";\n\n");
    text.insert(text.find("struct Stream {"), shown);
    text += streamTable("inputs", plan.loads) + streamTable("outputs", plan.stores);
    if (names.memory) {
        text.insert(text.find("#include <memory>"), "#include <deque>\n");
        // What a request complains of are the outputs.
        text += memoryStruct(benchMemory(plan, *names.memory));
    }
    return text + accessors(plan, names) + filledIn(kTail, placesOf(names));
}

} // namespace marquetry::hdl
