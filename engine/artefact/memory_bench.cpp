#include "engine/artefact/memory_bench.h"

#include "engine/artefact/write_bench.h"
#include "engine/design/weight_image.h"

namespace marquetry::hdl {

namespace {

/// Requests that wait for their beats, at most.
constexpr int kMostRequests = 64;

constexpr const char* kStruct = R"(struct Memory {
    struct Request {
        std::uint64_t address;
        long beats;
        std::uint64_t ready;
    };
    std::vector<unsigned char> image;
    std::deque<Request> requests;
    bool random = true;
    long error = 0;            // the beat that is answered with an error
    std::uint64_t stall = 0;   // clocks that the first request waits
    std::uint64_t now = 1;     // clocks
    std::uint64_t due = 0;     // of the next beat, in clocks / kMilliBytes
    long given = 0;
    bool arready = false, rvalid = false, rlast = false, moved = false;
    unsigned rresp = 0;
    const unsigned char* beat = nullptr;
@members@
    void take(const std::string& a) {
        if (a.rfind("+memory=", 0) == 0) random = a != "+memory=0";
        if (a.rfind("+memory_error=", 0) == 0) error = std::atol(a.c_str() + 14);
        if (a.rfind("+memory_stall=", 0) == 0) stall = std::strtoull(a.c_str() + 14, nullptr, 10);
@options@    }

    bool read(const std::string& path) {
        std::FILE* file = std::fopen(path.c_str(), "rb");
        if (!file) {
            std::fprintf(stderr, "cannot read %s\n", path.c_str());
            return false;
        }
        image.resize(kImageBytes);
        const bool whole = std::fread(image.data(), 1, image.size(), file) == image.size();
        std::fclose(file);
@poison@        return whole;
    }

    void prepare() {
        ++now;
        moved = !requests.empty() && now < requests.front().ready; // nobody else can
        arready = requests.size() < kMostRequests && (!random || (draw() & 3) != 0);
        if (rvalid)
            return; // until it is taken
        rvalid = !requests.empty() && now >= requests.front().ready &&
                 due <= now * kMilliBytes && (!random || (draw() & 3) != 0);
        if (!rvalid)
            return;
        beat = image.data() + (requests.front().address - kBase);
        rlast = requests.front().beats == 1;
        rresp = ++given == error ? 2 : 0;
    }

    void edge(bool arvalid, std::uint64_t address, unsigned length, bool rready) {
        if (arvalid && arready) {
            const std::uint64_t bytes = (length + 1ul) * kBeatBytes;
            if (address < kBase || address + bytes > kBase + kImageBytes ||
                address / 4096 != (address + bytes - 1) / 4096) {
                complain(outputs[0], 0, 0, 0, static_cast<std::int64_t>(address), now,
                         "address of a read");
                address = kBase;
            }
            const std::uint64_t latency =
                random ? kLatency / 2 + draw() % (2 * kLatency + 2) : kLatency;
            requests.push_back({address, static_cast<long>(length + 1), now + latency + stall});
            stall = 0;
            moved = true;
        }
        if (rvalid && rready) {
            rvalid = false;
            moved = true;
            const std::uint64_t from = (now - 1) * kMilliBytes; // a part of a clock is not lost
            due = (due > from ? due : from) + kBeatBytes * 1000;
            requests.front().address += kBeatBytes;
            if (--requests.front().beats == 0)
                requests.pop_front();
        }
    }
} memory;

)";

/// What hardware that writes adds to the struct.
BenchPlaces placesOf(const BenchMemory& memory) {
    if (!memory.writes)
        return {{"@members@", ""}, {"@options@", ""}, {"@poison@", ""}};
    return {{"@members@", writeMembers()},
            {"@options@", "        if (a.rfind(\"+memory_write_error=\", 0) == 0) writeError = "
                          "std::atol(a.c_str() + 20);\n"
                          "        if (a.rfind(\"+memory_write_stall=\", 0) == 0) writeStall = "
                          "std::strtoull(a.c_str() + 20, nullptr, 10);\n"},
            {"@poison@", "        poison();\n"}};
}

} // namespace

WriteBench MemoryBench::writes() {
    return {b_, memory_, complain_};
}

void MemoryBench::declare() {
    const auto bits = static_cast<int>(8 * memory_.beatBytes);
    b_.line("reg  [7:0] image [0:", memory_.bytes - 1, "];");
    b_.line("wire [", rtl::kAxiAddressBits - 1, ":0] araddr;");
    b_.line("wire [7:0] arlen;");
    b_.line("wire arvalid, rready;");
    b_.line("reg  arready, rvalid, rlast, rtaken;");
    b_.line("reg  [1:0] rresp;");
    b_.line("reg  ", range(bits), "rdata;");
    b_.line("reg  [", rtl::kAxiAddressBits - 1, ":0] asked [0:", kMostRequests - 1, "];");
    b_.line("reg  [63:0] memory_now, memory_due;");
    b_.line("integer asked_for, answered, beat, given, memory_random, memory_error, "
            "memory_stall, image_file;");
    b_.line("reg  [63:0] asked_ready [0:", kMostRequests - 1, "];");
    if (memory_.writes) {
        b_.line("integer asked_beats [0:", kMostRequests - 1, "];");
        writes().declare();
    }
    if (!memory_.stalls.empty())
        b_.line("wire [63:0] stalls", memory_.writes ? ", stalls_loads, stalls_stores;" : ";");
}

std::string MemoryBench::countsFormat(bool writes) {
    return std::string(",\\\"stalls\\\":%0d") +
           (writes ? ",\\\"stalls_loads\\\":%0d,\\\"stalls_stores\\\":%0d" : "");
}

std::string MemoryBench::counts() const {
    return memory_.writes ? ", stalls, stalls_loads, stalls_stores" : ", stalls";
}

void MemoryBench::connect() {
    const rtl::AxiReadNames& p = memory_.port;
    b_.line("    .", p.araddr, "(araddr), .", p.arlen, "(arlen), .", p.arsize, "(), .", p.arburst,
            "(),");
    b_.line("    .", p.arcache, "(), .", p.arprot, "(), .", p.arvalid, "(arvalid), .", p.arready,
            "(arready),");
    b_.line("    .", p.rdata, "(rdata), .", p.rresp, "(rresp), .", p.rlast, "(rlast), .", p.rvalid,
            "(rvalid), .", p.rready, "(rready),");
    if (memory_.writes)
        writes().connect();
    if (!memory_.base.empty())
        b_.line("    .", memory_.base, "(64'd", kBenchBase, "), .", memory_.reload, "(1'b0), .",
                memory_.stalls, "(stalls),");
    if (!memory_.stallsLoads.empty())
        b_.line("    .", memory_.stallsLoads, "(stalls_loads), .", memory_.stallsStores,
                "(stalls_stores),");
}

/// Takes requests and lets beats go, at the clock's edge.
void MemoryBench::requests() {
    const std::int64_t last = kBenchBase + memory_.bytes;
    b_.line("always @(posedge aclk) begin");
    b_.line("    if (arvalid & arready) begin");
    b_.line("        asked[asked_for % ", kMostRequests, "] = araddr;");
    b_.line("        if (araddr < ", kBenchBase, " || araddr + (arlen + 1) * ", memory_.beatBytes,
            " > ", last, " || araddr[11:0] + (arlen + 1) * ", memory_.beatBytes, " > 4096) begin");
    complain_("            ", "address of a read", "0, 0, araddr");
    b_.line("            asked[asked_for % ", kMostRequests, "] = ", kBenchBase, ";");
    b_.line("        end");
    b_.line("        asked_ready[asked_for % ", kMostRequests,
            "] = memory_now + (memory_random == 0 ? ", memory_.latency, " : ", memory_.latency / 2,
            " + $unsigned($random(seed)) % ", 2 * memory_.latency + 2, ") + memory_stall;");
    if (memory_.writes)
        b_.line("        asked_beats[asked_for % ", kMostRequests, "] = arlen + 1;");
    b_.line("        memory_stall = 0;");
    b_.line("        asked_for = asked_for + 1;");
    b_.line("        moved = 1'b1;");
    b_.line("    end");
    // Nobody else can go on.
    b_.line("    if (asked_for != answered && memory_now < asked_ready[answered % ", kMostRequests,
            "])");
    b_.line("        moved = 1'b1;");
    b_.line("    rtaken = rvalid & rready;");
    b_.line("    if (rtaken) begin");
    b_.line("        moved = 1'b1;");
    // A part of a clock is not lost.
    b_.line("        if (memory_due < (memory_now - 1) * ", memory_.milliBytesPerClock, ")");
    b_.line("            memory_due = (memory_now - 1) * ", memory_.milliBytesPerClock, ";");
    b_.line("        memory_due = memory_due + ", memory_.beatBytes * 1000, ";");
    b_.line("        beat = rlast ? 0 : beat + 1;");
    b_.line("        if (rlast)");
    b_.line("            answered = answered + 1;");
    b_.line("    end");
    if (memory_.writes)
        writes().requests();
    b_.line("end");
}

/// Between the edges.
void MemoryBench::beats() {
    const std::string now = "(memory_random == 0 || ($random(seed) & 3) != 0)";
    const std::string at = cat("answered % ", kMostRequests);
    b_.line("always @(negedge aclk) begin");
    b_.line("    memory_now = memory_now + 1;");
    b_.line("    arready = asked_for - answered < ", kMostRequests, " && ", now, ";");
    b_.line("    if (!rvalid || rtaken) begin");
    b_.line("        rvalid = asked_for != answered && memory_now >= asked_ready[", at, "] &&");
    b_.line("            memory_due <= memory_now * ", memory_.milliBytesPerClock, " && ", now,
            ";");
    b_.line("        if (rvalid) begin");
    b_.line("            for (image_file = 0; image_file < ", memory_.beatBytes,
            "; image_file = image_file + 1)");
    b_.line("                rdata[8*image_file +: 8] = image[asked[", at, "] - ", kBenchBase,
            " + beat * ", memory_.beatBytes, " + image_file];");
    // Those that read weights alone ask for whole bursts.
    b_.line("            rlast = beat == ",
            memory_.writes ? cat("asked_beats[", at, "] - 1") : cat(design::kBurstBeats - 1), ";");
    b_.line("            given = given + 1;");
    b_.line("            rresp = given == memory_error ? 2'd2 : 2'd0;");
    b_.line("        end");
    b_.line("        rtaken = 1'b0;");
    b_.line("    end");
    if (memory_.writes)
        writes().answers();
    b_.line("end");
}

void MemoryBench::drive() {
    requests();
    beats();
}

void MemoryBench::begin() {
    b_.line("    if (!$value$plusargs(\"memory=%d\", memory_random)) memory_random = 1;");
    b_.line("    if (!$value$plusargs(\"memory_error=%d\", memory_error)) memory_error = 0;");
    b_.line("    if (!$value$plusargs(\"memory_stall=%d\", memory_stall)) memory_stall = 0;");
    b_.line(
        "    memory_now = 1; memory_due = 0; asked_for = 0; answered = 0; beat = 0; given = 0;");
    b_.line("    arready = 1'b0; rvalid = 1'b0; rlast = 1'b0; rtaken = 1'b0; rresp = 2'd0;");
    b_.line("    $sformat(file, \"%0s/../memory/weights.bin\", dir);");
    b_.line("    image_file = $fopen(file, \"rb\");");
    b_.line("    if (image_file == 0 || $fread(image, image_file) != ", memory_.bytes, ") begin");
    complain_("        ", "memory/weights.bin", "0, 0, 0");
    b_.line("    end");
    b_.line("    if (image_file != 0) $fclose(image_file);");
    if (memory_.writes)
        writes().begin();
}

std::string memoryStruct(const BenchMemory& memory) {
    return cat("constexpr std::uint64_t kBase = ", kBenchBase, ", kImageBytes = ", memory.bytes,
               ", kBeatBytes = ", memory.beatBytes,
               ";\nconstexpr std::uint64_t kMilliBytes = ", memory.milliBytesPerClock,
               ", kLatency = ", memory.latency,
               ";\nconstexpr std::size_t kMostRequests = ", kMostRequests, ";\n",
               memory.writes ? writeConstants(memory) : "", "\n",
               filledIn(kStruct, placesOf(memory)));
}

std::string driveMemory(const BenchMemory& memory) {
    const rtl::AxiReadNames& p = memory.port;
    std::string text = cat("    memory.prepare();\n    top.", memory.base, " = kBase;\n    top.",
                           memory.reload, " = 0;\n    top.", p.arready,
                           " = memory.arready;\n    top.", p.rvalid, " = memory.rvalid;\n    top.",
                           p.rlast, " = memory.rlast;\n    top.", p.rresp, " = memory.rresp;\n");
    // Of at most 64 bits a port is a number, of more an array of numbers of 32.
    return text +
           cat("    if (memory.rvalid)\n        std::memcpy(&top.", p.rdata,
               ", memory.beat, kBeatBytes);\n") +
           (memory.writes ? driveWrites(memory) : "");
}

std::string sampleMemory(const BenchMemory& memory) {
    const rtl::AxiReadNames& p = memory.port;
    return cat("    memory.edge(top.", p.arvalid, ", top.", p.araddr, ", top.", p.arlen, ", top.",
               p.rready, ");\n") +
           (memory.writes ? sampleWrites(memory) : "");
}

} // namespace marquetry::hdl
