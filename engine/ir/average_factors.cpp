#include "engine/ir/average_factors.h"

#include "engine/ir/op_functions.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

std::int64_t countInside(const cells::PoolAxis& axis, std::int64_t window) {
    const auto [from, to] = axis.inside(window);
    return to - from;
}

/// At an edge.
std::int64_t leastInside(const cells::PoolAxis& axis, std::int64_t windows) {
    return std::min(countInside(axis, 0), countInside(axis, windows - 1));
}

std::int64_t scaleOf(const Program& program, const Value& average) {
    const Type& x = program.value(average.operands[0]).type;
    return cells::averageScale(x, average.type.dims, average.params);
}

} // namespace

std::vector<std::int64_t> averageFactors(const Program& program, const Value& average) {
    const Type& x = program.value(average.operands[0]).type;
    const Shape& windows = average.type.dims;
    const cells::PoolAxis rows = cells::poolRows(x, average.params);
    const cells::PoolAxis columns = cells::poolColumns(x, average.params);
    const std::int64_t scale = scaleOf(program, average);
    std::vector<std::int64_t> factors;
    for (std::int64_t y = 0; y < windows[0]; ++y)
        for (std::int64_t column = 0; column < windows[1]; ++column)
            factors.push_back(scale / (countInside(rows, y) * countInside(columns, column)));
    return factors;
}

std::int64_t mostAverageFactor(const Program& program, const Value& average) {
    const Type& x = program.value(average.operands[0]).type;
    const Shape& windows = average.type.dims;
    const std::int64_t least = leastInside(cells::poolRows(x, average.params), windows[0]) *
                               leastInside(cells::poolColumns(x, average.params), windows[1]);
    return scaleOf(program, average) / least;
}

} // namespace marquetry::ir
