#include "engine/lower_design/design_modules.h"

namespace marquetry::hdl {

rtl::ModulePtr weightsModule(const RtlPlan& plan, const UnitPlan& unit, const SharedText& weights) {
    const std::int64_t width = unit.multipliers(plan.lanes) * unit.weightBits;
    rtl::Module m(unit.module + "_weights");
    if (unit.lanewise())
        m.comment(cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ", plan.lanes,
                      " weights, one per lane, every call in its own run of words."));
    else
        m.comment(cat("Weights of ", unit.name, ": ", unit.weightWords, " words of ", unit.parallel,
                      " rows of ", plan.lanes, " weights, every call in its own run of words."));
    m.comment(cat("A word is read as a whole; the first ", unit.lanewise() ? "lane" : "row",
                  " is in its lowest bits."));
    m.comment(cat("Cycles: 1 per read. Resources: block RAM for ", unit.weightWords, " words of ",
                  width, " bits."));
    const Expr clock = m.input("aclk");
    const Expr address = m.input("address", rtl::bits(unit.weightAddressBits));
    const Expr q = m.outputRegister("q", rtl::bits(width));
    const rtl::Memory words =
        m.memory("words", rtl::bits(width), unit.weightWords, rtl::RamStyle::BlockRom);
    m.fill(words, weights);
    m.clocked(clock, [&](rtl::Block& b) { b.set(q, words[address]); });
    return finished(std::move(m));
}

} // namespace marquetry::hdl
