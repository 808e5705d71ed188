#include "engine/lower_design/step_table.h"

#include <algorithm>

namespace marquetry::hdl {

Expr StepTable::atOnce(const std::string& name, int width, const Values& values) {
    return add(atOnce_, name, width, values);
}

Expr StepTable::registered(const std::string& name, int width, const Values& values) {
    return add(registered_, name, width, values);
}

Expr StepTable::add(std::vector<Constant>& table, const std::string& name, int width,
                    const Values& values) {
    std::optional<std::int64_t> common;
    bool varies = false;
    for (const auto& value : values) {
        varies |= value && common && *value != *common;
        common = common ? common : value;
    }
    if (!varies)
        return rtl::constant(common.value_or(0), width);
    table.push_back({module_.reg(name, rtl::bits(width)), values});
    return table.back().word;
}

void StepTable::fill(rtl::Block& block, const std::vector<Constant>& table) const {
    for (const Constant& constant : table)
        block.set(constant.word, constantLike(constant.word, 0));
    std::vector<std::pair<std::int64_t, rtl::Block::Body>> rows;
    for (std::size_t step = 0; step < table.front().values.size(); ++step) {
        const auto body = [&, step](rtl::Block& row) {
            for (const Constant& constant : table)
                if (constant.values[step].value_or(0) != 0)
                    row.set(constant.word, constantLike(constant.word, *constant.values[step]));
        };
        if (std::ranges::any_of(table, [&](const Constant& constant) {
                return constant.values[step].value_or(0) != 0;
            }))
            rows.emplace_back(static_cast<std::int64_t>(step), body);
    }
    block.select(step_, rows, [](rtl::Block&) {});
}

void StepTable::write(const Expr& clock) {
    if (!atOnce_.empty()) {
        module_.note("What a step is set up with, and what it chooses.");
        module_.combinational([&](rtl::Block& block) { fill(block, atOnce_); });
    }
    if (!registered_.empty()) {
        module_.note("What it counts and adds.");
        module_.clocked(clock, [&](rtl::Block& block) { fill(block, registered_); });
    }
}

} // namespace marquetry::hdl
