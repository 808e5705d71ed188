#include "engine/ir/memory_lanes.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <numeric>

namespace marquetry::ir {

namespace {

using Interval = std::pair<std::int64_t, std::int64_t>;
using Point = std::vector<std::int64_t>;

/// Whether the lane's address depends on the generator.
bool moves(const MemoryLane& lane, std::size_t g) {
    return std::ranges::any_of(lane.matrix, [&](const auto& row) { return row[g] != 0; });
}

using Generators = std::vector<Generator>;

/// Range of Σ row · k over the counters of a lane, those of drifting loops too; what can be any
/// integer is left out.
Interval rangeOf(const MemoryLane& lane, const Generators& generators, std::size_t dim,
                 std::size_t without) {
    Interval range{lane.offset[dim], lane.offset[dim]};
    for (std::size_t g = 0; g < lane.matrix[dim].size(); ++g) {
        const std::int64_t last = g < lane.trips.size() ? lane.trips[g] - 1 : generators[g].most;
        const std::int64_t span = g == without || last < 0 ? 0 : lane.matrix[dim][g] * last;
        (span < 0 ? range.first : range.second) += span;
    }
    return range;
}

/// Whether the counters that all lanes share do not say where a lane is in the dimension.
bool hasUnknown(const MemoryLane& lane, std::size_t dim) {
    const auto& row = lane.matrix[dim];
    return std::any_of(row.begin() + std::ssize(lane.trips), row.end(),
                       [](std::int64_t factor) { return factor != 0; });
}

/// Whether something that can be any integer, but for one generator, moves the lane there.
bool hasFree(const MemoryLane& lane, const Generators& generators, std::size_t dim,
             std::size_t but = SIZE_MAX) {
    for (std::size_t g = lane.trips.size(); g < generators.size(); ++g) {
        if (g != but && generators[g].most < 0 && lane.matrix[dim][g] != 0)
            return true;
    }
    return false;
}

/// Whether the limits that are known hold; unknown values are left out.
bool mayRun(const MemoryLane& lane, const Point& counters) {
    return std::ranges::all_of(lane.limits, [&](const LaneLimit& limit) {
        std::int64_t left = limit.constant;
        for (std::size_t g = 0; g < limit.row.size(); ++g) {
            if (g >= counters.size() && limit.row[g] != 0)
                return true;
            left += g < counters.size() ? limit.row[g] * counters[g] : 0;
        }
        return left >= 0;
    });
}

/// Counts the iterations of a lane whose known dimensions are inside.
Presence countLane(const MemoryLane& lane, const Generators& generators, const Shape& dims,
                   std::int64_t limit) {
    Presence counted;
    counted.total = checkedProduct(lane.trips).value_or(INT64_MAX);
    bool always = lane.limits.empty();
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (hasFree(lane, generators, d))
            continue;
        const Interval range = rangeOf(lane, generators, d, SIZE_MAX);
        if (range.second < 0 || range.first >= dims[d])
            return counted;
        always = always && range.first >= 0 && range.second < dims[d];
    }
    counted.inside = counted.total;
    if (always)
        return counted;
    if (counted.total > limit)
        return {1, counted.total, false};
    counted.inside = 0;
    std::int64_t ended = 0;
    Point point(lane.trips.size());
    for (std::int64_t index = 0; index < counted.total; ++index) {
        std::int64_t rest = index;
        for (std::size_t g = point.size(); g-- > 0; rest /= lane.trips[g])
            point[g] = rest % lane.trips[g];
        bool inside = mayRun(lane, point);
        ended += inside ? 0 : 1;
        for (std::size_t d = 0; inside && d < dims.size(); ++d) {
            if (hasUnknown(lane, d))
                continue;
            std::int64_t x = lane.offset[d];
            for (std::size_t g = 0; g < point.size(); ++g)
                x += lane.matrix[d][g] * point[g];
            inside = x >= 0 && x < dims[d];
        }
        counted.inside += inside ? 1 : 0;
    }
    counted.total -= ended;
    return counted;
}

/// Bounds of an unknown value by the dimensions of one lane in which it is the only one.
std::optional<Interval> boundsBy(const MemoryLane& lane, const Generators& generators,
                                 std::size_t generator, const Shape& dims) {
    std::optional<Interval> bounds;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t factor = lane.matrix[d][generator];
        if (factor == 0 || hasFree(lane, generators, d, generator))
            continue;
        const Interval rest = rangeOf(lane, generators, d, generator);
        Interval here{-rest.second, dims[d] - 1 - rest.first};
        if (factor < 0)
            here = {-here.second, -here.first};
        const std::int64_t size = factor < 0 ? -factor : factor;
        // Rounded outwards: a value too many is found outside the array later.
        here = {here.first / size - 1, here.second / size + 1};
        bounds = bounds ? Interval{std::max(bounds->first, here.first),
                                   std::min(bounds->second, here.second)}
                        : here;
    }
    return bounds;
}

} // namespace

Presence presence(const UnrolledNest& nest, std::size_t reference, const Shape& dims) {
    Presence sum;
    const std::int64_t limit =
        kEnumerationLimit / std::max<std::int64_t>(1, static_cast<std::int64_t>(nest.lanes.size()));
    for (const MemoryLane& lane : nest.lanes) {
        if (lane.reference != reference)
            continue;
        const Presence one = countLane(lane, nest.generators, dims, limit);
        sum.total = checkedAdd(sum.total, one.total).value_or(INT64_MAX);
        sum.inside = checkedAdd(sum.inside, one.inside).value_or(INT64_MAX);
        sum.exact = sum.exact && one.exact;
    }
    return sum;
}

std::vector<std::int64_t> addressAt(const MemoryLane& lane,
                                    const std::vector<std::int64_t>& point) {
    std::vector<std::int64_t> address = lane.offset;
    for (std::size_t d = 0; d < address.size(); ++d) {
        for (std::size_t g = 0; g < point.size(); ++g)
            address[d] += lane.matrix[d][g] * point[g];
    }
    return address;
}

bool isInside(const std::vector<std::int64_t>& address, const Shape& dims) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (address[d] < 0 || address[d] >= dims[d])
            return false;
    }
    return true;
}

bool isRunning(const MemoryLane& lane, const std::vector<std::int64_t>& point) {
    for (std::size_t g = 0; g < lane.trips.size(); ++g) {
        if (point[g] >= lane.trips[g])
            return false;
    }
    return std::ranges::all_of(lane.limits, [&](const LaneLimit& limit) {
        return std::inner_product(limit.row.begin(), limit.row.end(), point.begin(),
                                  limit.constant) >= 0;
    });
}

bool dependsOn(const MemoryLane& lane, std::size_t generator) {
    return moves(lane, generator) || std::ranges::any_of(lane.limits, [&](const LaneLimit& limit) {
               return limit.row[generator] != 0;
           });
}

std::optional<std::vector<Interval>> generatorRanges(const UnrolledNest& nest,
                                                     const std::vector<std::size_t>& lanes,
                                                     const Shape& dims) {
    std::vector<Interval> ranges;
    for (std::size_t g = 0; g < nest.generators.size(); ++g) {
        if (!nest.generators[g].unknown()) {
            ranges.emplace_back(0, nest.generators[g].trips - 1);
            continue;
        }
        const std::int64_t most = nest.generators[g].most;
        if (most >= 0) {
            const bool used = std::ranges::any_of(
                lanes, [&](std::size_t l) { return dependsOn(nest.lanes[l], g); });
            ranges.emplace_back(0, used ? most : 0);
            continue;
        }
        std::optional<Interval> range;
        bool used = false;
        for (const std::size_t l : lanes) {
            const MemoryLane& lane = nest.lanes[l];
            if (!moves(lane, g))
                continue;
            used = true;
            const auto one = boundsBy(lane, nest.generators, g, dims);
            if (!one)
                return std::nullopt;
            range = range ? Interval{std::min(range->first, one->first),
                                     std::max(range->second, one->second)}
                          : *one;
        }
        if (used && range->first > range->second)
            return std::nullopt;
        ranges.push_back(used ? *range : Interval{0, 0});
    }
    return ranges;
}

DoubleWriteSearch findDoubleWrite(const MemoryNest& source, const UnrolledNest& nest,
                                  const Shape& dims) {
    std::vector<std::size_t> writers;
    for (std::size_t l = 0; l < nest.lanes.size(); ++l) {
        if (source.references[nest.lanes[l].reference].write)
            writers.push_back(l);
    }
    std::int64_t budget = kEnumerationLimit;
    bool complete = true;
    bool bounded = true; // an unknown value that nothing bounds is not tried
    for (std::size_t a = 0; a < writers.size(); ++a) {
        for (std::size_t b = a + 1; b < writers.size() && complete; ++b) {
            const MemoryLane& first = nest.lanes[writers[a]];
            const MemoryLane& second = nest.lanes[writers[b]];
            // Equal matrices: the addresses are equal always or never.
            if (first.matrix == second.matrix && first.offset != second.offset)
                continue;
            auto ranges = generatorRanges(nest, {writers[a], writers[b]}, dims);
            if (!ranges) {
                bounded = false;
                continue;
            }
            for (std::size_t g = 0; g < ranges->size(); ++g) {
                // Both lanes run in the first trip of every loop.
                if (!dependsOn(first, g) && !dependsOn(second, g))
                    (*ranges)[g].second = (*ranges)[g].first;
            }
            std::int64_t steps = 1;
            for (const auto& [lo, hi] : *ranges)
                steps = checkedMul(steps, hi - lo + 1).value_or(INT64_MAX);
            Point point;
            for (const auto& [lo, hi] : *ranges)
                point.push_back(lo);
            if (steps > budget)
                complete = false;
            for (std::int64_t k = 0; k < steps && budget > 0; ++k, --budget) {
                const Point x = addressAt(first, point);
                if (isRunning(first, point) && isRunning(second, point) && isInside(x, dims) &&
                    x == addressAt(second, point))
                    return {DoubleWrite{writers[a], writers[b], point, x}};
                for (std::size_t g = point.size(); g-- > 0;) {
                    if (++point[g] <= (*ranges)[g].second)
                        break;
                    point[g] = (*ranges)[g].first;
                }
            }
        }
    }
    return {std::nullopt, complete && bounded};
}

} // namespace marquetry::ir
