#include "engine/ir/checked_use.h"

namespace marquetry::ir {

Result<Value> checkedUse(const Program& program, Value use, Diagnostics& warnings) {
    const OpInfo& op = info(use.op);
    std::vector<Type> types;
    std::vector<Range> ranges;
    for (const ValueId operand : use.operands) {
        types.push_back(program.value(operand).type);
        ranges.push_back(program.value(operand).range);
    }
    const auto type = inferType(use.op, types, use.params, warnings);
    if (!type)
        return type.error();
    use.type = *type;
    use.macs = op.macs(types, use.params);
    const Range exact = op.range(types, ranges, use.params);
    use.range = fullRange(use.type.scalar);
    if (exact.lo >= use.range.lo && exact.hi <= use.range.hi) {
        use.range = exact;
        return use;
    }
    warnings.push_back(
        makeWarning("may-wrap",
                    "the result of " + std::string(op.name) + " can lie anywhere from " +
                        std::to_string(exact.lo) + " to " + std::to_string(exact.hi) +
                        ": it may wrap in " + std::string(info(use.type.scalar).name),
                    "narrow the operands with requant, or give random weights a smaller range"));
    return use;
}

} // namespace marquetry::ir
