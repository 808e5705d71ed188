#include "engine/lower_design/design_library.h"

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

/// Factors of one row, and how wide their products are kept.
struct RowForm {
    int lanes, operandBits, weightBits;
    bool operandSigned, weightSigned;

    int operand() const { return operandBits + (operandSigned ? 0 : 1); }
    int weight() const { return weightBits + (weightSigned ? 0 : 1); }
    int product() const { return std::min(32, operand() + weight()); }
};

Expr factor(const Expr& word, const Size& lane, int width, bool isSigned) {
    const Expr element = word.slice(lane * width, width);
    return isSigned ? element.asSigned() : rtl::join({rtl::constant(0, 1), element}).asSigned();
}

/// Plain words, though they are signed: of a sum of signed products yosys synth_ice40 -dsp makes
/// one block with two multipliers and mistakes their registers for each other.
Expr summand(const Expr& word, int width) {
    return word.extended(width).asUnsigned();
}

/// The sum of `count` words of an array, a level of registers after the other. Each is one bit
/// wider, 32 bits at most.
Expr adderTree(rtl::Module& m, const Expr& clock, rtl::Memory words, int count) {
    for (int level = 2; count > 1; count /= 2, ++level) {
        const auto wider =
            static_cast<int>(std::min<std::int64_t>(32, words.net()->type.width.value() + 1));
        const rtl::Memory sums =
            m.memory(cat("sums_", level), rtl::signedBits(wider), count / 2, RamStyle::Registers);
        m.repeat(cat("level_", level), count / 2, [&](const Size& i) {
            const Expr sum = summand(words[rtl::number(Size(2) * i)], wider) +
                             summand(words[rtl::number(Size(2) * i + 1)], wider);
            m.clocked(clock, [&](rtl::Block& b) { b.set(sums[rtl::number(i)], sum); });
        });
        words = sums;
    }
    return words[rtl::constant(0, 32)];
}

/// A multiplier's product, two clocks after the weight came and one after its operand.
Expr multiplier(rtl::Module& m, const Expr& clock, const RowForm& f, const Expr& operand,
                const Expr& weight, const std::string& ending) {
    const Expr a = m.wire("a" + ending, operand);
    const Expr b = m.reg("b" + ending, rtl::signedBits(f.weight()));
    const Expr full = m.wire("full" + ending, product(a, b));
    const Expr kept =
        m.regKeptIf("KEEP_PRODUCT_REGISTERS", "product" + ending, rtl::signedBits(f.product()));
    m.clocked(clock, [&](rtl::Block& block) {
        block.set(b, weight);
        block.set(kept, full.resized(f.product()));
    });
    return kept;
}

/// The sum of the products that `lane` makes, registered behind each level of adders.
template <class Lane>
Expr sumOfLanes(rtl::Module& m, const Expr& clock, const RowForm& f, const Lane& lane) {
    if (f.lanes == 1)
        return lane(0, "");
    const int wider = std::min(32, f.product() + 1);
    const rtl::Memory sums =
        m.memory("sums_1", rtl::signedBits(wider), f.lanes / 2, RamStyle::Registers);
    m.repeat("pair", f.lanes / 2, [&](const Size& i) {
        const Expr low = lane(Size(2) * i, "_0");
        const Expr high = lane(Size(2) * i + 1, "_1");
        m.clocked(clock, [&](rtl::Block& b) {
            b.set(sums[rtl::number(i)], summand(low, wider) + summand(high, wider));
        });
    });
    return adderTree(m, clock, sums, f.lanes / 2);
}

ModulePtr rowModule(const std::string& name, const RowForm& f) {
    rtl::Module m(name);
    m.comment(f.lanes == 1 ? std::string("Lane: a multiplier and its accumulator, modulo 2^32.")
                           : cat("Row of multipliers: Dot[", f.lanes,
                                 "] and its accumulator, modulo 2^32."));
    m.comment("Cycles: one word per clock; a weight meets its operand one clock after it came.");
    m.comment(cat("Resources: ", f.lanes, " multipliers of ", f.operand(), " x ", f.weight(),
                  " bits, no RAM."));
    m.comment("KEEP_PRODUCT_REGISTERS is for targets whose DSP inference mistakes the tree's");
    m.comment("registers for the multipliers' own (Yosys synth_ice40 -dsp).");
    const Expr clock = m.input("aclk");
    const Expr accumulate = m.input("accumulate");
    const Expr first = m.input("first");
    const Expr operand = m.input("operand", bits(f.lanes * f.operandBits));
    const Expr weight = m.input("weight", bits(f.lanes * f.weightBits));
    const Expr sum = m.outputRegister("sum", bits(32));
    m.lint("lint_off UNUSEDSIGNAL");
    const auto lane = [&](const Size& i, const std::string& ending) {
        return multiplier(m, clock, f, factor(operand, i, f.operandBits, f.operandSigned),
                          factor(weight, i, f.weightBits, f.weightSigned), ending);
    };
    const Expr all = sumOfLanes(m, clock, f, lane);
    m.lint("lint_on UNUSEDSIGNAL");
    const Expr total = m.wire("total", all.extended(32).asUnsigned());
    m.clocked(clock, [&](rtl::Block& b) {
        b.when(accumulate,
               [&](rtl::Block& then) { then.set(sum, choose(first, total, sum + total)); });
    });
    return finished(std::move(m));
}

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

ModulePtr DesignLibrary::row(const UnitPlan& unit) {
    const RowForm form{static_cast<int>(plan_.lanes), unit.operandBits, unit.weightBits,
                       unit.operandSigned, unit.weightSigned};
    return once(cat("row_", form.operandSigned ? "i" : "u", form.operandBits, "_",
                    form.weightSigned ? "i" : "u", form.weightBits),
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
