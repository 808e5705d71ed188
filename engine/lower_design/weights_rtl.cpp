#include "engine/lower_design/design_modules.h"

namespace marquetry::hdl {

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
    const rtl::Memory words = m.memory("words", rtl::bits(width), unit.weightWords,
                                       unit.holds ? rtl::RamStyle::Block : rtl::RamStyle::BlockRom);
    m.fill(words, weights);
    m.clocked(clock, [&](rtl::Block& b) { b.set(q, words[address]); });
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
