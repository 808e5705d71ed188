#include "engine/artefact/write_bench.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

/// Bursts that wait for their beats or their answers, and beats that are not in the image yet.
constexpr int kMostWrites = 64;
constexpr int kMostBeats = 1024;

constexpr const char* kNow = "(memory_random == 0 || ($random(seed) & 3) != 0)";

std::string ofBurst(const char* array, const char* count) {
    return cat(array, "[", count, " % ", kMostWrites, "]");
}

constexpr const char* kMembers = R"(
    struct Write {
        std::uint64_t address;
        std::size_t beats;
        bool lost; // it may not be written
        std::uint64_t ready;
    };
    struct Beat {
        std::vector<unsigned char> data, strobes;
        bool last;
        bool operator==(const Beat& other) const {
            return data == other.data && strobes == other.strobes && last == other.last;
        }
    };
    std::deque<Write> writes; // in their order; of the first `whole` all beats have come
    std::deque<Beat> beats;   // that are not in the image
    std::size_t whole = 0, gathered = 0; // the second one: of those beats
    std::size_t asked = 0;                // beats of all that is in `writes` and not in the image
    long writeError = 0; // the burst that is answered with an error
    std::uint64_t writeStall = 0, takesFrom = 0; // clocks that the first burst waits; until when
    long stored = 0;
    bool awready = false, wready = false, bvalid = false, awHeld = false, wHeld = false;
    unsigned bresp = 0, heldLength = 0;
    std::uint64_t heldAddress = 0;
    Beat heldBeat;

    static void wrong(const char* what, std::uint64_t value, std::uint64_t at) {
        complain(outputs[0], 0, 0, 0, static_cast<std::int64_t>(value), at, what);
    }

    // Nobody may count on what was there before the first run.
    void poison() {
        for (std::size_t at = kWritten; random && at < image.size(); ++at)
            image[at] = static_cast<unsigned char>(draw());
    }

    void prepareWrites() {
        moved = moved || (whole > 0 && now < writes.front().ready);
        moved = moved || now < takesFrom;
        awready = writeStall == 0 && now >= takesFrom && writes.size() < kMostWrites &&
                  (!random || (draw() & 3) != 0);
        wready = beats.size() < kMostBeats && due <= now * kMilliBytes &&
                 (beats.size() < asked || (random && (draw() & 1) != 0)) &&
                 (!random || (draw() & 3) != 0);
        if (bvalid)
            return; // until it is taken
        bvalid = whole > 0 && now >= writes.front().ready && (!random || (draw() & 3) != 0);
        if (bvalid)
            store(writes.front());
    }

    void store(const Write& write) {
        bresp = ++stored == writeError ? 2 : 0;
        for (std::size_t k = 0; k < write.beats; ++k) {
            for (std::size_t byte = 0; byte < kBeatBytes && !write.lost; ++byte)
                if (beats.front().strobes[byte / 8] >> (byte % 8) & 1)
                    image[write.address - kBase + k * kBeatBytes + byte] = beats.front().data[byte];
            beats.pop_front();
        }
        gathered -= write.beats;
        asked -= write.beats;
    }

    void answered(bool bready) {
        if (!bvalid || !bready)
            return;
        bvalid = false;
        moved = true;
        writes.pop_front();
        --whole;
    }

    void request(bool awvalid, std::uint64_t address, unsigned length, bool formed) {
        if (awHeld && (!awvalid || address != heldAddress || length != heldLength))
            wrong("a write that is not held", address, now);
        awHeld = awvalid && !awready;
        heldAddress = address;
        heldLength = length;
        if (awvalid && writeStall != 0) {
            takesFrom = now + writeStall;
            writeStall = 0;
        }
        if (!awvalid || !awready)
            return;
        const std::uint64_t bytes = (length + 1ul) * kBeatBytes;
        const bool lost = address < kBase + kWritten || address + bytes > kBase + kImageBytes ||
                          address / 4096 != (address + bytes - 1) / 4096 ||
                          address % kBeatBytes != 0;
        if (lost)
            wrong("address of a write", address, now);
        if (!formed)
            wrong("form of a write", address, now);
        writes.push_back({address, length + 1ul, lost, 0});
        asked += length + 1ul;
        moved = true;
    }

    void put(bool wvalid, const void* data, const void* strobes, bool last) {
        const auto* from = static_cast<const unsigned char*>(data);
        const auto* lanes = static_cast<const unsigned char*>(strobes);
        const Beat beat = {{from, from + kBeatBytes}, {lanes, lanes + kStrobeBytes}, last};
        if (wHeld && (!wvalid || !(beat == heldBeat)))
            wrong("a beat that is not held", 0, now);
        wHeld = wvalid && !wready;
        heldBeat = beat;
        if (!wvalid || !wready)
            return;
        beats.push_back(beat);
        moved = true;
        const std::uint64_t before = (now - 1) * kMilliBytes; // a part of a clock is not lost
        due = (due > before ? due : before) + kBeatBytes * 1000;
    }

    void gather() {
        if (whole == writes.size() || beats.size() - gathered < writes[whole].beats)
            return;
        Write& write = writes[whole];
        for (std::size_t k = 0; k < write.beats; ++k)
            if (beats[gathered + k].last != (k + 1 == write.beats))
                wrong("wlast", write.address, now);
        write.ready = now + (random ? kLatency / 2 + draw() % (2 * kLatency + 2) : kLatency);
        gathered += write.beats;
        ++whole;
    }
)";

} // namespace

void WriteBench::declare() {
    const auto bits = static_cast<int>(8 * memory_.beatBytes);
    const auto strobes = static_cast<int>(memory_.beatBytes);
    b_.line("wire [", rtl::kAxiAddressBits - 1, ":0] awaddr;");
    b_.line("wire [7:0] awlen;");
    b_.line("wire [2:0] awsize;");
    b_.line("wire [1:0] awburst;");
    b_.line("wire awvalid, wvalid, wlast, bready;");
    b_.line("wire ", range(bits), "wdata;");
    b_.line("wire ", range(strobes), "wstrb;");
    b_.line("reg  awready, wready, bvalid, btaken, aw_waits, w_waits, wlast_before;");
    b_.line("reg  [1:0] bresp;");
    b_.line("reg  [", rtl::kAxiAddressBits - 1, ":0] awaddr_before;");
    b_.line("reg  [7:0] awlen_before;");
    b_.line("reg  ", range(bits), "wdata_before;");
    b_.line("reg  ", range(strobes), "wstrb_before;");
    b_.line("reg  [", rtl::kAxiAddressBits - 1, ":0] write_at [0:", kMostWrites - 1, "];");
    b_.line("integer write_beats [0:", kMostWrites - 1, "];");
    b_.line("reg  write_lost [0:", kMostWrites - 1, "];");
    b_.line("reg  [63:0] write_ready [0:", kMostWrites - 1, "];");
    b_.line("reg  ", range(bits), "put_beats [0:", kMostBeats - 1, "];");
    b_.line("reg  ", range(strobes), "put_strobes [0:", kMostBeats - 1, "];");
    b_.line("reg  put_ends [0:", kMostBeats - 1, "];");
    b_.line("integer writes_asked, writes_whole, writes_answered, beats_asked, beats_put,");
    b_.line("    beats_whole, beats_stored, put_beat, put_byte, put_at, memory_write_error,");
    b_.line("    memory_write_stall;");
    b_.line("reg  [63:0] writes_from;");
}

void WriteBench::connect() {
    const rtl::AxiWriteNames& p = port_;
    b_.line("    .", p.awaddr, "(awaddr), .", p.awlen, "(awlen), .", p.awsize, "(awsize), .",
            p.awburst, "(awburst),");
    b_.line("    .", p.awcache, "(), .", p.awprot, "(), .", p.awvalid, "(awvalid), .", p.awready,
            "(awready),");
    b_.line("    .", p.wdata, "(wdata), .", p.wstrb, "(wstrb), .", p.wlast, "(wlast), .", p.wvalid,
            "(wvalid), .", p.wready, "(wready),");
    b_.line("    .", p.bresp, "(bresp), .", p.bvalid, "(bvalid), .", p.bready, "(bready),");
}

void WriteBench::requests() {
    b_.line("    btaken = bvalid & bready;");
    b_.line("    if (btaken) begin");
    b_.line("        moved = 1'b1;");
    b_.line("        writes_answered = writes_answered + 1;");
    b_.line("    end");
    checkHeld();
    takeRequest();
    takeBeat();
    gather();
    // Nobody else can go on.
    b_.line("    if (memory_now < writes_from || (writes_whole != writes_answered && memory_now < ",
            ofBurst("write_ready", "writes_answered"), "))");
    b_.line("        moved = 1'b1;");
}

void WriteBench::checkHeld() {
    b_.line("    if (aw_waits === 1'b1 && (awvalid !== 1'b1 || awaddr !== awaddr_before || "
            "awlen !== awlen_before)) begin");
    complain_("        ", "a write that is not held", "0, 0, awaddr");
    b_.line("    end");
    b_.line("    if (w_waits === 1'b1 && (wvalid !== 1'b1 || wdata !== wdata_before || "
            "wstrb !== wstrb_before || wlast !== wlast_before)) begin");
    complain_("        ", "a beat that is not held", "0, 0, 0");
    b_.line("    end");
    b_.line("    aw_waits = awvalid & ~awready; awaddr_before = awaddr; awlen_before = awlen;");
    b_.line("    w_waits = wvalid & ~wready; wdata_before = wdata; wstrb_before = wstrb; "
            "wlast_before = wlast;");
}

void WriteBench::takeRequest() {
    const std::int64_t first = kBenchBase + memory_.writes->from;
    const std::int64_t last = kBenchBase + memory_.bytes;
    const std::string bytes = cat("(awlen + 1) * ", memory_.beatBytes);
    b_.line("    if (awvalid && memory_write_stall != 0) begin");
    b_.line("        writes_from = memory_now + memory_write_stall;");
    b_.line("        memory_write_stall = 0;");
    b_.line("    end");
    b_.line("    if (awvalid & awready) begin");
    b_.line("        ", ofBurst("write_at", "writes_asked"), " = awaddr - ", kBenchBase, ";");
    b_.line("        ", ofBurst("write_beats", "writes_asked"), " = awlen + 1;");
    b_.line("        ", ofBurst("write_lost", "writes_asked"), " = awaddr < ", first,
            " || awaddr + ", bytes, " > ", last, " ||");
    b_.line("            awaddr[11:0] + ", bytes, " > 4096 || awaddr % ", memory_.beatBytes,
            " != 0;");
    b_.line("        if (", ofBurst("write_lost", "writes_asked"), ") begin");
    complain_("            ", "address of a write", "0, 0, awaddr");
    b_.line("        end");
    b_.line("        if (awsize !== ", bitsFor(memory_.beatBytes), " || awburst !== 1) begin");
    complain_("            ", "form of a write", "0, 0, awaddr");
    b_.line("        end");
    b_.line("        beats_asked = beats_asked + awlen + 1;");
    b_.line("        writes_asked = writes_asked + 1;");
    b_.line("        moved = 1'b1;");
    b_.line("    end");
}

void WriteBench::takeBeat() {
    const std::string at = cat("[beats_put % ", kMostBeats, "]");
    b_.line("    if (wvalid & wready) begin");
    b_.line("        put_beats", at, " = wdata;");
    b_.line("        put_strobes", at, " = wstrb;");
    b_.line("        put_ends", at, " = wlast;");
    b_.line("        beats_put = beats_put + 1;");
    b_.line("        moved = 1'b1;");
    // A part of a clock is not lost.
    b_.line("        if (memory_due < (memory_now - 1) * ", memory_.milliBytesPerClock, ")");
    b_.line("            memory_due = (memory_now - 1) * ", memory_.milliBytesPerClock, ";");
    b_.line("        memory_due = memory_due + ", memory_.beatBytes * 1000, ";");
    b_.line("    end");
}

/// Of a burst all beats have come.
void WriteBench::gather() {
    const std::string beats = ofBurst("write_beats", "writes_whole");
    b_.line("    if (writes_whole != writes_asked && beats_put - beats_whole >= ", beats,
            ") begin");
    b_.line("        for (put_beat = 1; put_beat <= ", beats, "; put_beat = put_beat + 1)");
    b_.line("            if (put_ends[(beats_whole + put_beat - 1) % ", kMostBeats,
            "] !== (put_beat == ", beats, ")) begin");
    complain_("                ", "wlast", "0, 0, put_beat");
    b_.line("            end");
    b_.line("        beats_whole = beats_whole + ", beats, ";");
    b_.line("        ", ofBurst("write_ready", "writes_whole"),
            " = memory_now + (memory_random == 0 ? ", memory_.latency, " : ", memory_.latency / 2,
            " + $unsigned($random(seed)) % ", 2 * memory_.latency + 2, ");");
    b_.line("        writes_whole = writes_whole + 1;");
    b_.line("    end");
}

void WriteBench::answers() {
    b_.line("    awready = memory_write_stall == 0 && memory_now >= writes_from && "
            "writes_asked - writes_answered < ",
            kMostWrites, " && ", kNow, ";");
    b_.line("    wready = beats_put - beats_stored < ", kMostBeats,
            " && memory_due <= memory_now * ", memory_.milliBytesPerClock, " &&");
    b_.line("        (beats_put < beats_asked || (memory_random != 0 && ($random(seed) & 1) != 0)) "
            "&& ",
            kNow, ";");
    b_.line("    if (!bvalid || btaken) begin");
    b_.line("        bvalid = writes_whole != writes_answered && memory_now >= ",
            ofBurst("write_ready", "writes_answered"), " && ", kNow, ";");
    b_.line("        if (bvalid)");
    b_.line("            bresp = writes_answered + 1 == memory_write_error ? 2'd2 : 2'd0;");
    b_.line("        if (bvalid) begin");
    store();
    b_.line("        end");
    b_.line("        btaken = 1'b0;");
    b_.line("    end");
}

/// What the burst that is answered brought goes into the image.
void WriteBench::store() {
    const std::string beats = ofBurst("write_beats", "writes_answered");
    b_.line("            for (put_beat = 0; put_beat < ", beats,
            "; put_beat = put_beat + 1) begin");
    b_.line("                put_at = ", ofBurst("write_at", "writes_answered"), " + put_beat * ",
            memory_.beatBytes, ";");
    b_.line("                for (put_byte = 0; put_byte < ", memory_.beatBytes,
            "; put_byte = put_byte + 1)");
    b_.line("                    if (put_strobes[(beats_stored + put_beat) % ", kMostBeats,
            "][put_byte] && !", ofBurst("write_lost", "writes_answered"), ")");
    b_.line(
        "                        image[put_at + put_byte] = put_beats[(beats_stored + put_beat) "
        "% ",
        kMostBeats, "][8*put_byte +: 8];");
    b_.line("            end");
    b_.line("            beats_stored = beats_stored + ", beats, ";");
}

void WriteBench::begin() {
    b_.line("    if (!$value$plusargs(\"memory_write_error=%d\", memory_write_error)) "
            "memory_write_error = 0;");
    b_.line("    if (!$value$plusargs(\"memory_write_stall=%d\", memory_write_stall)) "
            "memory_write_stall = 0;");
    b_.line("    writes_from = 0;");
    b_.line("    awready = 1'b0; wready = 1'b0; bvalid = 1'b0; btaken = 1'b0; bresp = 2'd0;");
    b_.line("    aw_waits = 1'b0; w_waits = 1'b0;");
    b_.line("    writes_asked = 0; writes_whole = 0; writes_answered = 0; beats_asked = 0; "
            "beats_put = 0;");
    b_.line("    beats_whole = 0; beats_stored = 0;");
    // Nobody may count on what was there before the first run.
    b_.line("    if (memory_random != 0)");
    b_.line("        for (put_byte = ", memory_.writes->from, "; put_byte < ", memory_.bytes,
            "; put_byte = put_byte + 1)");
    b_.line("            image[put_byte] = $random(seed);");
}

std::string writeConstants(const BenchMemory& memory) {
    return cat("constexpr std::uint64_t kWritten = ", memory.writes->from,
               ", kStrobeBytes = ", ceilDiv(memory.beatBytes, 8),
               ";\nconstexpr std::size_t kMostWrites = ", kMostWrites,
               ", kMostBeats = ", kMostBeats, ";\n");
}

std::string writeMembers() {
    return kMembers;
}

std::string driveWrites(const BenchMemory& memory) {
    const rtl::AxiWriteNames& p = memory.writes->port;
    return cat("    memory.prepareWrites();\n    top.", p.awready, " = memory.awready;\n    top.",
               p.wready, " = memory.wready;\n    top.", p.bvalid, " = memory.bvalid;\n    top.",
               p.bresp, " = memory.bresp;\n");
}

std::string sampleWrites(const BenchMemory& memory) {
    const rtl::AxiWriteNames& p = memory.writes->port;
    return cat("    memory.answered(top.", p.bready, ");\n    memory.request(top.", p.awvalid,
               ", top.", p.awaddr, ", top.", p.awlen, ", top.", p.awsize,
               " == ", bitsFor(memory.beatBytes), " && top.", p.awburst,
               " == 1);\n    memory.put(top.", p.wvalid, ", &top.", p.wdata, ", &top.", p.wstrb,
               ", top.", p.wlast, ");\n    memory.gather();\n");
}

} // namespace marquetry::hdl
