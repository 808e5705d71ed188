#include "engine/lower_design/design_library.h"

#include "engine/lower_design/row.h"
#include "engine/rtl/library.h"
#include "engine/rtl/netlist.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::ModulePtr;
using rtl::RamStyle;
using rtl::Size;

namespace {

/// A lane of a pool. What `first` comes with begins a window.
ModulePtr poolLaneModule(const std::string& name, const UnitPlan& unit) {
    const bool maximum = unit.laneFunction == design::LaneFunction::Max;
    rtl::Module m(name);
    m.comment(maximum ? "Lane of a pool: the maximum of a window."
                      : "Lane of a pool: the sum of a window, modulo 2^32.");
    m.comment("Cycles: one element per clock. Resources: no multiplier, no RAM.");
    const Expr clock = m.input("aclk");
    const Expr accumulate = m.input("accumulate");
    const Expr first = m.input("first");
    const Expr operand = m.input("operand", bits(unit.operandBits));
    const int width = maximum ? unit.operandBits : 32;
    const Expr sum = m.outputRegister("sum", bits(width));
    const auto typed = [&](const Expr& word) {
        return unit.operandSigned ? word.asSigned() : word;
    };
    const Expr element = m.wire("element", typed(operand).extended(width).asUnsigned());
    const Expr more = maximum ? choose(typed(element) > typed(sum), element, sum) : sum + element;
    m.clocked(clock, [&](rtl::Block& b) {
        b.when(accumulate, [&](rtl::Block& then) { then.set(sum, choose(first, element, more)); });
    });
    return finished(std::move(m));
}

} // namespace

ModulePtr DesignLibrary::memory(bool lutRam) {
    return once(lutRam ? "lut_memory" : "block_memory", [&](const std::string& name) {
        return rtl::dualPortMemory(name, lutRam ? RamStyle::Distributed : RamStyle::Block);
    });
}

ModulePtr DesignLibrary::buffer(bool lutRam, bool rest) {
    return once(
        cat(lutRam ? "lut" : "block", "_slot", rest ? "_with_rest" : ""),
        [&](const std::string& name) { return rtl::memoryBanks(name, memory(lutRam), rest); });
}

namespace {

RowForm rowForm(const RtlPlan& plan, const UnitPlan& unit) {
    return {static_cast<int>(plan.lanes * unit.span), unit.operandBits, unit.weightBits,
            unit.operandSigned, unit.weightSigned};
}

/// Units that take one word share their rows' names.
std::string widthOf(const UnitPlan& unit) {
    return unit.span == 1 ? "" : cat("_of_", unit.span);
}

std::string factorsOf(const RowForm& form) {
    return cat(form.operandSigned ? "i" : "u", form.operandBits, "_", form.weightSigned ? "i" : "u",
               form.weightBits);
}

} // namespace

ModulePtr DesignLibrary::row(const UnitPlan& unit) {
    const RowForm form = rowForm(plan_, unit);
    return once("row_" + factorsOf(form) + widthOf(unit),
                [&](const std::string& name) { return rowModule(name, form); });
}

ModulePtr DesignLibrary::lane(const UnitPlan& unit) {
    const std::string operand = cat(unit.operandSigned ? "i" : "u", unit.operandBits);
    if (unit.pass)
        return once(cat(unit.laneFunction == design::LaneFunction::Max ? "max_" : "sum_", operand),
                    [&](const std::string& name) { return poolLaneModule(name, unit); });
    const RowForm form{1, unit.operandBits, unit.weightBits, unit.operandSigned, unit.weightSigned};
    return once(cat("lane_", operand, "_", unit.weightSigned ? "i" : "u", unit.weightBits),
                [&](const std::string& name) { return rowModule(name, form); });
}

ModulePtr DesignLibrary::pairedRows(const UnitPlan& unit) {
    const RowForm form = rowForm(plan_, unit);
    return once("rows_" + factorsOf(form) + widthOf(unit),
                [&](const std::string& name) { return pairedRowsModule(name, form); });
}

Expr DesignLibrary::later(rtl::Module& module, const Clocking& clocking, const std::string& name,
                          const Expr& word, int clocks) {
    if (clocks == 0)
        return word;
    const Expr q = module.wire(name, bits(word.size()));
    module.instance(once("delay_line", rtl::delayLine), name + "_line",
                    {{"aclk", clocking.clock}, {"d", word}, {"q", q}},
                    {{"WIDTH", word.size()}, {"CLOCKS", clocks}});
    return q;
}

Expr DesignLibrary::laterFromRegister(rtl::Module& module, const Clocking& clocking,
                                      const std::string& name, const Expr& word, int clocks) {
    if (clocks == 0)
        return word;
    const Expr early = later(module, clocking, name + "_early", word, clocks - 1);
    const Expr q = module.reg(name, bits(word.size()));
    module.clocked(clocking.clock, [&](rtl::Block& b) {
        b.when(~clocking.reset, [&](rtl::Block& then) { then.set(q, rtl::zeros(word.size())); });
        b.otherwise([&](rtl::Block& then) { then.set(q, early); });
    });
    return q;
}

Expr DesignLibrary::validLater(rtl::Module& module, const Clocking& clocking,
                               const std::string& name, const Expr& valid, int clocks) {
    if (clocks == 0)
        return valid;
    const Expr q = module.wire(name, bits(1));
    module.instance(once("valid_line", rtl::validLine), name + "_line",
                    {{"aclk", clocking.clock}, {"aresetn", clocking.reset}, {"d", valid}, {"q", q}},
                    {{"CLOCKS", clocks}, {"BITS", std::max(2, bitsFor(clocks + 1))}});
    return q;
}

Expr firstOf(const Alternatives& alternatives, const Expr& otherwise) {
    if (alternatives.empty())
        return otherwise;
    Expr result = alternatives.back().second;
    for (std::size_t k = alternatives.size() - 1; k-- > 0;)
        result = choose(alternatives[k].first, alternatives[k].second, result);
    return result;
}

Expr eitherOf(const std::vector<Expr>& conditions) {
    Expr result = rtl::constant(0, 1);
    for (const Expr& condition : conditions)
        result = result | condition;
    return result;
}

void leaveUnused(rtl::Module& module, const Expr& port) {
    module.wire("unused_" + port.node().net->wanted,
                rtl::allOf(rtl::join({rtl::constant(0, 1), port})));
}

Expr elements(rtl::Module& module, const std::string& name, const Elements& e) {
    return paddedElements(module, name, e, e.count);
}

Expr paddedElements(rtl::Module& module, const std::string& name, const Elements& e, int lanes) {
    const Expr zeros = rtl::zeros((lanes - e.count) * e.to);
    if (e.stored == e.taken && e.taken == e.to)
        return rtl::join({zeros, e.word.slice(0, e.count * e.stored)});
    const Expr wide = module.wire(name, bits(e.count * e.to));
    module.repeat(name + "_element", e.count, [&](const Size& i) {
        const Expr element = e.word.slice(i * e.stored, e.taken);
        module.assign(wide.slice(i * e.to, e.to),
                      (e.isSigned ? element.asSigned() : element).extended(e.to));
    });
    return rtl::join({zeros, wide});
}

} // namespace marquetry::hdl
