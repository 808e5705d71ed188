#include "engine/lower_design/step_table.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <utility>

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

/// `steps`: of each row, one that has it.
void StepTable::fill(rtl::Block& block, const std::vector<Constant>& table, const Expr& index,
                     const std::vector<std::size_t>& steps) const {
    for (const Constant& constant : table)
        block.set(constant.word, constantLike(constant.word, 0));
    std::vector<std::pair<std::int64_t, rtl::Block::Body>> rows;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const auto body = [&table, step = steps[k]](rtl::Block& row) {
            for (const Constant& constant : table)
                if (constant.values[step].value_or(0) != 0)
                    row.set(constant.word, constantLike(constant.word, *constant.values[step]));
        };
        if (std::ranges::any_of(table, [&](const Constant& constant) {
                return constant.values[steps[k]].value_or(0) != 0;
            }))
            rows.emplace_back(static_cast<std::int64_t>(k), body);
    }
    block.select(index, rows, [](rtl::Block&) {});
}

/// What a table is looked up by, and of each of its rows a step: the step itself, or where most
/// steps are like others, the number of a row that they share. Behind the last step a table has the
/// first step's row then, and zeros otherwise: nobody reads it there.
void StepTable::declareRows(const std::string& name, const std::vector<Constant>& table,
                            Expr& index, std::vector<std::size_t>& steps) {
    constexpr std::size_t kFewSteps = 32;
    const std::size_t all = table.front().values.size();
    std::map<std::vector<std::int64_t>, std::size_t> known;
    std::vector<std::size_t> rowOf, first;
    for (std::size_t step = 0; step < all; ++step) {
        std::vector<std::int64_t> row;
        for (const Constant& constant : table)
            row.push_back(constant.values[step].value_or(0));
        const auto [at, fresh] = known.try_emplace(std::move(row), first.size());
        rowOf.push_back(at->second);
        if (fresh)
            first.push_back(step);
    }
    if (all < kFewSteps || 2 * first.size() > all) {
        index = step_;
        for (std::size_t step = 0; step < all; ++step)
            steps.push_back(step);
        return;
    }
    index = module_.reg(name, rtl::bits(bitsFor(std::ssize(first))));
    module_.combinational([&](rtl::Block& block) {
        block.set(index, constantLike(index, 0));
        std::vector<std::pair<std::int64_t, rtl::Block::Body>> rows;
        for (std::size_t step = 0; step < all; ++step)
            if (rowOf[step] != 0)
                rows.emplace_back(static_cast<std::int64_t>(step), [&, step](rtl::Block& row) {
                    row.set(index, constantLike(index, static_cast<std::int64_t>(rowOf[step])));
                });
        block.select(step_, rows, [](rtl::Block&) {});
    });
    steps = std::move(first);
}

void StepTable::write(const Expr& clock) {
    Expr index;
    std::vector<std::size_t> steps;
    if (!atOnce_.empty()) {
        module_.note("What a step is set up with, and what it chooses.");
        declareRows("setup_row", atOnce_, index, steps);
        module_.combinational([&](rtl::Block& block) { fill(block, atOnce_, index, steps); });
    }
    steps.clear();
    if (!registered_.empty()) {
        module_.note("What it counts and adds.");
        declareRows("count_row", registered_, index, steps);
        module_.clocked(clock, [&](rtl::Block& block) { fill(block, registered_, index, steps); });
    }
}

} // namespace marquetry::hdl
