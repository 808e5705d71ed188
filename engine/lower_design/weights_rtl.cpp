#include "engine/lower_design/design_modules.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Some beats of external memory at a time.
void loadedWords(rtl::Module& m, const UnitPlan& unit, const Expr& clock, const rtl::Memory& words,
                 std::int64_t width) {
    const LoadedWeights& loaded = *unit.loaded;
    m.note("Parts of a word as they come from external memory.");
    const Expr we = m.input("load_we", rtl::bits(loaded.parts()));
    const Expr at = m.input("load_address", rtl::bits(unit.weightAddressBits));
    const std::int64_t part = std::min(width, loaded.together * loaded.beatBits);
    const Expr data = m.input("load_data", rtl::bits(part));
    m.clocked(clock, [&](rtl::Block& b) {
        for (std::int64_t p = 0; p < loaded.parts(); ++p)
            b.when(we.bit(p), [&](rtl::Block& then) {
                const std::int64_t bits = std::min(part, width - p * part);
                then.set(words[at].slice(p * part, bits), data.slice(0, bits));
            });
    });
}

} // namespace

rtl::ModulePtr weightsModule(const RtlPlan& plan, const UnitPlan& unit, const SharedText& weights) {
    const std::int64_t width = unit.multipliers(plan.lanes) * unit.weightBits;
    rtl::Module m(unit.module + "_weights");
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
    m.comment(cat("Cycles: 1 per read. Resources: block RAM for ", unit.weightWords, " words of ",
                  width, " bits."));
    const Expr clock = m.input("aclk");
    const Expr address = m.input("address", rtl::bits(unit.weightAddressBits));
    const Expr q = m.outputRegister("q", rtl::bits(width));
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
