#include "engine/lower_design/operand_register.h"

#include "engine/rtl/netlist.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

bool zeroPadding(const UnitPlan& unit) {
    return std::ranges::all_of(unit.padValues, [](std::int64_t value) { return value == 0; });
}

std::string paddingNote(const UnitPlan& unit) {
    if (zeroPadding(unit))
        return "Zero padding: words outside the input count as zero.";
    std::string values;
    for (const std::int64_t value : unit.padValues)
        values += (values.empty() ? "" : " or ") + std::to_string(value);
    return cat("Padding: elements outside the input count as ", values, ".");
}

/// What words outside the input count as.
Expr paddingWord(rtl::Module& m, const UnitPlan& unit, const Expr& padValue, int width) {
    if (zeroPadding(unit))
        return rtl::zeros(width);
    const std::int64_t mask = (std::int64_t{1} << unit.operandBits) - 1;
    Alternatives values;
    for (std::size_t k = 0; k < unit.padValues.size(); ++k) {
        const Expr selected = unit.padValues.size() == 1 ? rtl::constant(1, 1)
                                                         : padValue == static_cast<std::int64_t>(k);
        values.emplace_back(selected, rtl::constant(unit.padValues[k] & mask, unit.operandBits));
    }
    return m.wire("padding", firstOf(values, {})).repeated(width / unit.operandBits);
}

} // namespace

Expr operandRegister(rtl::Module& m, const Clocking& clocking, const UnitPlan& unit,
                     const OperandPorts& ports) {
    const Expr& operand = ports.operand;
    const Expr result = m.reg("operand_q", operand.type());
    Expr next = operand;
    if (ports.outside.size() != rtl::Size(0)) {
        m.note(paddingNote(unit));
        const Expr read = m.reg("outside_read", ports.outside.type());
        const Expr outside = m.reg("outside_q", ports.outside.type());
        m.clocked(clocking.clock, [&](rtl::Block& b) {
            b.set(read, ports.outside);
            b.set(outside, read);
        });
        const int word = static_cast<int>(unit.maskLanes) * unit.operandBits;
        const Expr padding = paddingWord(m, unit, ports.padValue, word);
        std::vector<Expr> words; // the last one first
        for (int k = operand.width() / word; k-- > 0;)
            words.push_back(choose(outside.bit(k), padding, operand.slice(k * word, word)));
        next = rtl::join(words);
    }
    m.clocked(clocking.clock, [&](rtl::Block& b) { b.set(result, next); });
    return result;
}

} // namespace marquetry::hdl
