#include "engine/lower_design/stream_walk.h"

#include "engine/lower_design/ring_address.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;

StreamWalk walkOf(const RtlPlan& plan, const StreamPlan& stream) {
    StreamWalk w;
    const SlotPlan& slot = plan.slots[stream.slot];
    w.chunksPerWord = slot.storedLanes / stream.perCycle;
    w.chunksPerPixel = ceilDiv(stream.tensor.channels, stream.perCycle);
    w.pixels = stream.tensor.pixels;
    w.base = stream.tensor.base;
    std::int64_t end = -1;
    for (const StreamPart& part : stream.parts)
        w.ends.push_back(end += part.pixels);
    if (w.ends.size() == 1)
        w.ends.clear();
    if (stream.tensor.rowWords > 0) {
        w.rowPixels = stream.tensor.width;
        w.rowSkip = stream.tensor.rowWords - w.rowPixels * stream.tensor.wordsPerPixel;
    }
    w.addressBits = slot.addressBits;
    w.wraps = slot.wraps;
    w.wordBits = static_cast<int>(slot.turnBanks) * slot.bankBits;
    w.slotBits = w.wordBits / static_cast<int>(slot.storedLanes);
    return w;
}

bool StreamWalk::alike() const {
    for (std::size_t k = 0; k < ends.size(); ++k)
        if (ends[k] + 1 != static_cast<std::int64_t>(k + 1) * (ends.front() + 1))
            return false;
    return true;
}

void StreamWalk::declare(rtl::Module& m) {
    chunk = m.reg("chunk", bits(bitsFor(chunksPerWord)));
    pixelChunk = m.reg("pixel_chunk", bits(bitsFor(chunksPerPixel)));
    pixel = m.reg("pixel", bits(bitsFor(pixels)));
    pixelLast = m.reg("pixel_last");
    address = m.reg("address", bits(addressBits));
    place = ringAddress(m, "place", address, wraps).resized(addressBits);
    pixelEnd = m.wire("pixel_end", pixelChunk == chunksPerPixel - 1);
    wordEnd = m.wire("word_end", pixelEnd | (chunk == chunksPerWord - 1));
    last = m.wire("last", pixelEnd & pixelLast);
    if (!ends.empty()) {
        part = m.reg("part", bits(bitsFor(std::ssize(ends))));
        partEnd = m.reg("part_end", pixel.type());
        streamLast = last & (part == std::ssize(ends) - 1);
    } else {
        streamLast = last;
    }
    if (rowSkip == 0)
        return;
    column = m.reg("column", bits(bitsFor(rowPixels)));
    rowEnd = m.wire("row_end", pixelEnd & (column == rowPixels - 1));
}

void StreamWalk::lookUp(rtl::Block& b) const {
    if (ends.empty() || alike())
        return;
    std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
    for (std::size_t k = 0; k + 1 < ends.size(); ++k)
        cases.emplace_back(static_cast<std::int64_t>(k), [this, k](rtl::Block& then) {
            then.set(partEnd, constantLike(partEnd, ends[k]));
        });
    b.select(part, cases,
             [this](rtl::Block& then) { then.set(partEnd, constantLike(partEnd, ends.back())); });
}

void StreamWalk::start(rtl::Block& b) const {
    for (const Expr& counter : {chunk, pixelChunk, pixel})
        b.set(counter, constantLike(counter, 0));
    b.set(pixelLast, rtl::constant(pixels == 1 || singlePixels() ? 1 : 0, 1));
    b.set(address, constantLike(address, base));
    if (!ends.empty()) {
        b.set(part, constantLike(part, 0));
        b.set(partEnd, constantLike(partEnd, ends.front()));
    }
    if (rowSkip > 0)
        b.set(column, constantLike(column, 0));
}

void StreamWalk::advance(rtl::Block& b) const {
    b.set(chunk, choose(wordEnd, constantLike(chunk, 0), chunk + 1));
    b.set(pixelChunk, choose(pixelEnd, constantLike(pixelChunk, 0), pixelChunk + 1));
    b.when(pixelEnd, [&](rtl::Block& then) {
        then.set(pixel, pixel + 1);
        if (!singlePixels())
            then.set(pixelLast, ends.empty() ? pixel == std::max<std::int64_t>(pixels - 2, 0)
                                             : pixel + 1 == partEnd);
    });
    if (!ends.empty())
        b.when(last, [&](rtl::Block& then) {
            then.set(part, part + 1);
            if (alike())
                then.set(partEnd, partEnd + constantLike(partEnd, ends.front() + 1));
        });
    const Expr one = constantLike(address, 1);
    const Expr step = rowSkip > 0 ? choose(rowEnd, constantLike(address, rowSkip + 1), one) : one;
    b.when(wordEnd, [&](rtl::Block& then) { then.set(address, place + step); });
    if (rowSkip > 0)
        b.when(pixelEnd, [&](rtl::Block& then) {
            then.set(column, choose(rowEnd, constantLike(column, 0), column + 1));
        });
}

MoverPorts declareMover(rtl::Module& m, bool loads) {
    MoverPorts ports;
    ports.clock = m.input("aclk");
    ports.reset = m.input("aresetn");
    ports.setup = m.input("setup");
    ports.active = m.input("active");
    ports.axis = loads ? rtl::axisInput(m, "", 64) : rtl::axisOutputRegisters(m, "", 64);
    ports.advance = m.output("advance");
    ports.finished = m.output("finished");
    return ports;
}

void describeStream(rtl::Module& m, const RtlPlan& plan, const StreamPlan& s, const char* what) {
    const design::StoredTensor& t = s.tensor;
    m.comment(cat(what, " of \"", s.port, "\": ", t.pixels, " pixels of ", t.channels,
                  " channels, ", s.elementBits, "-bit elements, ", s.perCycle, " per clock."));
    m.comment(cat("Slot ", plan.slots[s.slot].name, ", words ", t.base, " to ",
                  t.base + t.words() - 1, "."));
    m.comment(
        cat("Cycles: ", s.cycles, ". Resources: counters, one word and one beat of registers."));
}

} // namespace marquetry::hdl
