#include "engine/ir/program.h"

#include "engine/support/checked_math.h"

#include <limits>

namespace marquetry::ir {

std::int64_t Program::macs() const {
    std::int64_t sum = 0;
    for (const Value& v : values)
        sum = checkedAdd(sum, v.macs).value_or(std::numeric_limits<std::int64_t>::max());
    return sum;
}

std::vector<int> Program::useCounts() const {
    std::vector<int> counts(values.size(), 0);
    for (const Value& v : values) {
        for (const ValueId operand : v.operands)
            ++counts[operand.index()];
    }
    for (const Output& output : outputs)
        ++counts[output.value.index()];
    return counts;
}

} // namespace marquetry::ir
