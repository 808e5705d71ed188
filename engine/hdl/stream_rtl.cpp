#include "engine/hdl/modules.h"

#include "engine/support/checked_math.h"

namespace marquetry::hdl {

namespace {

/// The walk over a stored tensor in stream order, in chunks of elements moved per clock.
struct Walk {
    std::int64_t chunksPerWord = 1;
    std::int64_t chunksPerPixel = 1;
    std::int64_t pixels = 1;
    int chunkBits = 1; ///< of the counter within a word
    int pixelChunkBits = 1;
    int pixelBits = 1;
    int addressBits = 1;
    int slotBits = 8; ///< per element
    int wordBits = 64;
};

Walk walkOf(const RtlPlan& plan, const StreamPlan& stream) {
    Walk w;
    const SlotPlan& slot = plan.slots[stream.slot];
    w.chunksPerWord = slot.storedLanes / stream.perCycle;
    w.chunksPerPixel = stream.tensor.channels / stream.perCycle;
    w.pixels = stream.tensor.pixels;
    w.chunkBits = bitsFor(w.chunksPerWord);
    w.pixelChunkBits = bitsFor(w.chunksPerPixel);
    w.pixelBits = bitsFor(w.pixels);
    w.addressBits = slot.addressBits;
    w.wordBits = static_cast<int>(slot.banks) * slot.bankBits;
    w.slotBits = w.wordBits / static_cast<int>(slot.storedLanes);
    return w;
}

std::vector<std::string> streamComment(const RtlPlan& plan, const StreamPlan& s, const char* what) {
    const design::StoredTensor& t = s.tensor;
    return {
        cat(what, " of \"", s.port, "\": ", t.pixels, " pixels of ", t.channels, " channels, ",
            s.elementBits, "-bit elements, ", s.perCycle, " per clock."),
        cat("Slot ", plan.slots[s.slot].name, ", words ", t.base, " to ", t.base + t.words() - 1,
            "."),
        cat("Cycles: ", s.cycles, ". Resources: counters, one word and one beat of registers.")};
}

void declareWalk(Body& body, const Walk& w) {
    body.line("reg ", range(w.chunkBits), "chunk;");
    body.line("reg ", range(w.pixelChunkBits), "pixel_chunk;");
    body.line("reg ", range(w.pixelBits), "pixel;");
    body.line("reg ", range(w.addressBits), "address;");
    body.line("wire pixel_end = pixel_chunk == ", literal(w.pixelChunkBits, w.chunksPerPixel - 1),
              ";");
    body.line("wire word_end = pixel_end | (chunk == ", literal(w.chunkBits, w.chunksPerWord - 1),
              ");");
    body.line("wire last = pixel_end & (pixel == ", literal(w.pixelBits, w.pixels - 1), ");");
}

void advanceWalk(Body& body, const Walk& w, const std::string& indent, const std::string& when) {
    body.line(indent, "if (", when, ") begin");
    body.line(indent, "    chunk <= word_end ? ", literal(w.chunkBits, 0), " : chunk + ",
              literal(w.chunkBits, 1), ";");
    body.line(indent, "    pixel_chunk <= pixel_end ? ", literal(w.pixelChunkBits, 0),
              " : pixel_chunk + ", literal(w.pixelChunkBits, 1), ";");
    body.line(indent, "    if (pixel_end)");
    body.line(indent, "        pixel <= pixel + ", literal(w.pixelBits, 1), ";");
    body.line(indent, "    if (word_end)");
    body.line(indent, "        address <= address + ", literal(w.addressBits, 1), ";");
    body.line(indent, "end");
}

void resetWalk(Body& body, const Walk& w, std::int64_t base, const std::string& indent) {
    body.line(indent, "chunk <= ", literal(w.chunkBits, 0), ";");
    body.line(indent, "pixel_chunk <= ", literal(w.pixelChunkBits, 0), ";");
    body.line(indent, "pixel <= ", literal(w.pixelBits, 0), ";");
    body.line(indent, "address <= ", literal(w.addressBits, base), ";");
}

/// Chunk bits padded to the slot's element width, one concatenation per element.
std::string widen(const std::string& chunk, int count, int from, int to) {
    if (from == to)
        return chunk;
    std::string text;
    for (int i = count; i-- > 0;)
        text += cat(i + 1 == count ? "" : ", ", literal(to - from, 0), ", ",
                    slice(chunk, count * from, i * from + from - 1, i * from));
    return "{" + text + "}";
}

} // namespace

namespace {

/// Elements of a beat that are not moved at once wait in `stock`, in order.
void chunksFromStock(Body& body, const StreamPlan& load, int heldBits) {
    const int element = load.elementBits;
    const int stockBits = static_cast<int>(load.perBeat - 1) * element;
    const int windowBits = stockBits + 64;
    const int chunkBits = static_cast<int>(load.perCycle) * element;
    body.line("reg ", range(heldBits), "held;");
    body.line("reg ", range(stockBits), "stock;");
    body.line("reg ", range(windowBits), "window;");
    body.line("wire take = held < ", literal(heldBits, load.perCycle), ";");
    body.line("always @* begin");
    body.line("    window = {64'h0, stock};");
    body.line("    case (held)");
    for (std::int64_t held = 0; held < load.perCycle; ++held) {
        const int low = static_cast<int>(held) * element;
        body.line("    ", literal(heldBits, held), ": ", slice("window", windowBits, low + 63, low),
                  " = tdata;");
    }
    body.line("    default: begin");
    body.line("    end");
    body.line("    endcase");
    body.line("end");
    body.line("wire ", range(chunkBits),
              "elements = ", slice("window", windowBits, chunkBits - 1, 0), ";");
    body.line("always @(posedge aclk) begin");
    body.line("    if (setup)");
    body.line("        held <= ", literal(heldBits, 0), ";");
    body.line("    else if (advance) begin");
    body.line("        held <= held + (take ? ", literal(heldBits, load.perBeat - load.perCycle),
              " : ", literal(heldBits, -load.perCycle), ");");
    body.line("        stock <= ",
              slice("window", windowBits, chunkBits + stockBits - 1, chunkBits), ";");
    body.line("    end");
    body.line("end");
    if (chunkBits + stockBits < windowBits)
        body.line("wire unused_window = &{1'b0, window};");
}

/// Counts beats: the last one must say so.
void checkLastBeat(Body& body, const StreamPlan& load) {
    const int bits = bitsFor(load.beats);
    body.line("reg ", range(bits), "beat;");
    body.line("assign bad = advance & tready & (tlast != (beat == ", literal(bits, load.beats - 1),
              "));");
    body.line("always @(posedge aclk) begin");
    body.line("    if (setup)");
    body.line("        beat <= ", literal(bits, 0), ";");
    body.line("    else if (advance & tready)");
    body.line("        beat <= beat + ", literal(bits, 1), ";");
    body.line("end");
}

} // namespace

Module loadModule(const RtlPlan& plan, const StreamPlan& load) {
    const Walk w = walkOf(plan, load);
    const bool whole = load.perCycle == load.perBeat;
    Module m;
    m.name = load.module;
    m.comment = streamComment(plan, load, "Loader");
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, 1, "aresetn"},
               {Direction::Input, 1, "setup"},
               {Direction::Input, 1, "active"},
               {Direction::Input, 64, "tdata"},
               {Direction::Input, 1, "tvalid"},
               {Direction::Input, 1, "tlast"},
               {Direction::Output, 1, "tready"},
               {Direction::Output, 1, "advance"},
               {Direction::Output, 1, "finished"},
               {Direction::Output, 1, "bad"},
               {Direction::OutputReg, 1, "we"},
               {Direction::OutputReg, w.addressBits, "waddr"},
               {Direction::OutputReg, w.wordBits, "wdata"}};
    Body body;
    declareWalk(body, w);
    if (!whole)
        chunksFromStock(body, load, bitsFor(load.perBeat));
    body.line("assign advance = active & ", whole ? "tvalid" : "(~take | tvalid)", ";");
    body.line("assign tready = active", whole ? "" : " & take", ";");
    body.line("assign finished = advance & last;");
    checkLastBeat(body, load);
    body.blank();
    body.line("always @(posedge aclk) begin");
    body.line("    we <= aresetn & advance & word_end;");
    body.line("    waddr <= address;");
    body.line("    if (setup) begin");
    resetWalk(body, w, load.tensor.base, "        ");
    body.line("        wdata <= {", w.wordBits, "{1'b0}};");
    body.line("    end else begin");
    advanceWalk(body, w, "        ", "advance");
    body.line("    end");
    const int step = w.slotBits * static_cast<int>(load.perCycle);
    const std::string chunk = widen(whole ? "tdata" : "elements", static_cast<int>(load.perCycle),
                                    load.elementBits, w.slotBits);
    for (std::int64_t i = 0; i < w.chunksPerWord; ++i) {
        body.line("    if (advance & (chunk == ", literal(w.chunkBits, i), "))");
        body.line("        ",
                  slice("wdata", w.wordBits, static_cast<int>(i + 1) * step - 1,
                        static_cast<int>(i) * step),
                  " <= ", chunk, ";");
    }
    body.line("end");
    m.body = body.text();
    return m;
}

namespace {

/// The chunk of the read word that the stream gets next, as wire `chosen`.
void chooseChunk(Body& body, const RtlPlan& plan, const StreamPlan& store, const Walk& w) {
    const int width = store.elementBits * static_cast<int>(store.perCycle);
    body.line("reg ", range(width), "chosen;");
    body.line("always @* begin");
    body.line("    case (chunk_1)");
    for (std::int64_t i = 0; i < w.chunksPerWord; ++i) {
        std::string text;
        for (std::int64_t e = store.perCycle; e-- > 0;) {
            const int low = static_cast<int>(i * store.perCycle + e) * w.slotBits;
            text += slice("q", w.wordBits, low + store.elementBits - 1, low);
            text += e > 0 ? ", " : "";
        }
        const bool other = i + 1 == w.chunksPerWord;
        body.line("    ", other ? std::string("default") : literal(w.chunkBits, i), ": chosen = {",
                  text, "};");
    }
    body.line("    endcase");
    body.line("end");
    if (w.slotBits != store.elementBits)
        body.line("wire unused_q = &{1'b0, q};");
    (void)plan;
}

void emitSingles(Body& body, const StreamPlan& store) {
    const int beatBits = bitsFor(store.perBeat);
    body.line("reg ", range(beatBits), "in_beat;");
    body.line("reg [63:0] partial;");
    body.line("reg [63:0] merged;");
    body.line("wire full = last_1 | (in_beat == ", literal(beatBits, store.perBeat - 1), ");");
    body.line("always @* begin");
    body.line("    merged = partial;");
    body.line("    case (in_beat)");
    for (std::int64_t i = 0; i < store.perBeat; ++i) {
        const int low = static_cast<int>(i) * store.elementBits;
        body.line("    ", i + 1 == store.perBeat ? std::string("default") : literal(beatBits, i),
                  ": ", slice("merged", 64, low + store.elementBits - 1, low), " = chosen;");
    }
    body.line("    endcase");
    body.line("end");
    body.line("always @(posedge aclk) begin");
    body.line("    if (setup) begin");
    body.line("        in_beat <= ", literal(beatBits, 0), ";");
    body.line("        partial <= 64'h0;");
    body.line("    end else if (go & valid_1) begin");
    body.line("        in_beat <= full ? ", literal(beatBits, 0), " : in_beat + ",
              literal(beatBits, 1), ";");
    body.line("        partial <= full ? 64'h0 : merged;");
    body.line("    end");
    body.line("end");
}

} // namespace

Module storeModule(const RtlPlan& plan, const StreamPlan& store) {
    const Walk w = walkOf(plan, store);
    const bool single = store.perCycle == 1 && store.perBeat > 1;
    Module m;
    m.name = store.module;
    m.comment = streamComment(plan, store, "Storer");
    m.comment.push_back("A full beat register stops the whole pipeline, so back-pressure loses "
                        "nothing.");
    m.ports = {{Direction::Input, 1, "aclk"},
               {Direction::Input, 1, "aresetn"},
               {Direction::Input, 1, "setup"},
               {Direction::Input, 1, "active"},
               {Direction::OutputReg, 64, "tdata"},
               {Direction::OutputReg, 1, "tvalid"},
               {Direction::OutputReg, 1, "tlast"},
               {Direction::Input, 1, "tready"},
               {Direction::Output, 1, "advance"},
               {Direction::Output, 1, "finished"},
               {Direction::Output, w.addressBits, "raddr"},
               {Direction::Input, w.wordBits, "q"}};
    Body body;
    declareWalk(body, w);
    body.line("reg issued;");
    body.line("reg valid_1;");
    body.line("reg last_1;");
    body.line("reg ", range(w.chunkBits), "chunk_1;");
    body.line("wire go = active & ~(tvalid & ~tready);");
    body.line("assign advance = go;");
    body.line("assign finished = go & tvalid & tlast;");
    body.line("assign raddr = address;");
    chooseChunk(body, plan, store, w);
    if (single)
        emitSingles(body, store);
    body.blank();
    body.line("always @(posedge aclk) begin");
    body.line("    if (setup) begin");
    resetWalk(body, w, store.tensor.base, "        ");
    body.line("        issued <= 1'b0;");
    body.line("    end else begin");
    advanceWalk(body, w, "        ", "go & ~issued");
    body.line("        if (go & last)");
    body.line("            issued <= 1'b1;");
    body.line("    end");
    body.line("    if (!aresetn | setup) begin");
    body.line("        valid_1 <= 1'b0;");
    body.line("        tvalid <= 1'b0;");
    body.line("    end else if (go) begin");
    body.line("        valid_1 <= ~issued;");
    body.line("        tvalid <= valid_1", single ? " & full" : "", ";");
    body.line("    end");
    body.line("    if (go) begin");
    body.line("        chunk_1 <= chunk;");
    body.line("        last_1 <= last & ~issued;");
    body.line("        tlast <= last_1;");
    body.line("        tdata <= ", single ? "merged" : "chosen", ";");
    body.line("    end");
    body.line("end");
    m.body = body.text();
    return m;
}

} // namespace marquetry::hdl
