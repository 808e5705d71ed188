#include "engine/lower_design/design_modules.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// What a loader writes: some beats of external memory at a time.
struct LoadPorts {
    LoadPorts(rtl::Module& m, const UnitPlan& unit, std::int64_t width)
        : word(width),
          part(std::min(width, unit.loaded->together * unit.loaded->beatBits)),
          parts(unit.loaded->parts()) {
        m.note("Parts of a word as they come from external memory.");
        enable = m.input("load_we", rtl::bits(parts));
        address = m.input("load_address", rtl::bits(unit.weightAddressBits));
        data = m.input("load_data", rtl::bits(part));
    }
    std::int64_t bits(std::int64_t k) const { return std::min(part, word - k * part); }

    std::int64_t word, part; ///< bits
    std::int64_t parts;
    Expr enable, address, data;
};

void loadedWords(rtl::Module& m, const UnitPlan& unit, const Expr& clock, const rtl::Memory& words,
                 std::int64_t width) {
    const LoadPorts load(m, unit, width);
    m.clocked(clock, [&](rtl::Block& b) {
        for (std::int64_t k = 0; k < load.parts; ++k)
            b.when(load.enable.bit(k), [&](rtl::Block& then) {
                then.set(words[load.address].slice(k * load.part, load.bits(k)),
                         load.data.slice(0, load.bits(k)));
            });
    });
}

/// Memories of LUTs have no enables for parts of a word: each part is a memory.
void wordsInLuts(rtl::Module& m, const UnitPlan& unit, const Expr& clock, const Expr& address,
                 const Expr& q) {
    const LoadPorts load(m, unit, q.width());
    std::vector<Expr> read(static_cast<std::size_t>(load.parts)); // the last one first
    for (std::int64_t k = 0; k < load.parts; ++k) {
        const rtl::Memory words = m.memory(cat("words_", k), rtl::bits(load.bits(k)),
                                           unit.weightWords, rtl::RamStyle::Distributed);
        m.clocked(clock, [&](rtl::Block& b) {
            b.when(load.enable.bit(k), [&](rtl::Block& then) {
                then.set(words[load.address], load.data.slice(0, load.bits(k)));
            });
        });
        read[static_cast<std::size_t>(load.parts - 1 - k)] = words[address];
    }
    m.clocked(clock, [&](rtl::Block& b) { b.set(q, rtl::join(read)); });
}

void comment(rtl::Module& m, const RtlPlan& plan, const UnitPlan& unit, std::int64_t width) {
    if (unit.lanewise())
        m.comment(cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ",
                      plan.lanes * unit.span,
                      " weights, one per lane, every call in its own run of words."));
    else
        m.comment(cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ", unit.parallel,
                      " rows of ", plan.lanes * unit.span,
                      " weights, every call in its own run of words."));
    m.comment(cat("A word is read as a whole; the first ", unit.lanewise() ? "lane" : "row",
                  " is in its lowest bits."));
    m.comment(cat("Cycles: 1 per read. Resources: ", unit.lutWeights ? "LUT RAM" : "block RAM",
                  " for ", unit.weightWords, " words of ", width, " bits."));
}

} // namespace

rtl::ModulePtr weightsModule(const RtlPlan& plan, const UnitPlan& unit, const SharedText& weights) {
    const std::int64_t width = unit.multipliers(plan.lanes) * unit.weightBits;
    rtl::Module m(unit.module + "_weights");
    comment(m, plan, unit, width);
    const Expr clock = m.input("aclk");
    const Expr address = m.input("address", rtl::bits(unit.weightAddressBits));
    const Expr q = m.outputRegister("q", rtl::bits(width));
    if (unit.lutWeights) {
        wordsInLuts(m, unit, clock, address, q);
        return finished(std::move(m));
    }
    const bool written = unit.holds || unit.loaded;
    const rtl::Memory words = m.memory("words", rtl::bits(width), unit.weightWords,
                                       written ? rtl::RamStyle::Block : rtl::RamStyle::BlockRom);
    if (!unit.loaded)
        m.fill(words, weights);
    m.clocked(clock, [&](rtl::Block& b) { b.set(q, words[address]); });
    if (unit.loaded)
        loadedWords(m, unit, clock, words, width);
    if (!unit.holds)
        return finished(std::move(m));
    m.note("A row of a word at a time: what takes the place of weights.");
    const std::int64_t row = plan.lanes * unit.span * unit.weightBits;
    const Expr we = m.input("held_we", rtl::bits(unit.weightRows()));
    const Expr at = m.input("held_address", rtl::bits(unit.weightAddressBits));
    const Expr word = m.input("held_word", rtl::bits(row));
    m.clocked(clock, [&](rtl::Block& b) {
        for (std::int64_t r = 0; r < unit.weightRows(); ++r)
            b.when(we.bit(r),
                   [&](rtl::Block& then) { then.set(words[at].slice(r * row, row), word); });
    });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
