#include "engine/ir/memory_lanes.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::ir {

namespace {

using Interval = std::pair<std::int64_t, std::int64_t>;
using Point = std::vector<std::int64_t>;

/// Lane numbers per loop of lane combination `index`; the last loop varies fastest.
Point laneIds(const MemoryNest& nest, std::int64_t index) {
    Point ids(nest.loops.size());
    for (std::size_t j = nest.loops.size(); j-- > 0;) {
        ids[j] = index % nest.loops[j].parallel;
        index /= nest.loops[j].parallel;
    }
    return ids;
}

/// Index of the generator of each (symbol, lane ids it depends on); they are made on first use.
class Unknowns {
public:
    Unknowns(const MemoryNest& nest, std::vector<Generator>& generators)
        : nest_(nest), generators_(generators) {}

    std::size_t generator(std::size_t symbol, const Point& ids) {
        Point key = {static_cast<std::int64_t>(symbol)};
        std::string suffix;
        for (const std::size_t loop : nest_.symbols[symbol].loops) {
            key.push_back(ids[loop]);
            if (nest_.loops[loop].parallel > 1)
                suffix += "@" + nest_.loops[loop].name + "=" + std::to_string(ids[loop]);
        }
        const auto [entry, fresh] = index_.emplace(key, generators_.size());
        if (fresh)
            generators_.push_back({"?" + nest_.symbols[symbol].name + suffix, 0});
        return entry->second;
    }

private:
    const MemoryNest& nest_;
    std::vector<Generator>& generators_;
    std::map<Point, std::size_t> index_;
};

/// Whether the lane's address depends on the generator.
bool moves(const MemoryLane& lane, std::size_t g) {
    return std::ranges::any_of(lane.matrix, [&](const auto& row) { return row[g] != 0; });
}

MemoryLane makeLane(const MemoryNest& nest, std::size_t reference, const Point& ids,
                    Unknowns& unknowns) {
    MemoryLane lane;
    lane.reference = reference;
    lane.ids = ids;
    for (std::size_t j = 0; j < nest.loops.size(); ++j)
        lane.trips.push_back(std::max<std::int64_t>(
            0, ceilDiv(std::max<std::int64_t>(0, nest.loops[j].trips() - ids[j]),
                       nest.loops[j].parallel)));
    for (const AffineForm& form : nest.references[reference].index) {
        Point row;
        std::int64_t offset = form.constant;
        for (std::size_t j = 0; j < nest.loops.size(); ++j) {
            const MemoryLoop& loop = nest.loops[j];
            row.push_back(form.coefficients[j] * loop.step * loop.parallel);
            offset += form.coefficients[j] * (loop.begin + loop.step * ids[j]);
        }
        for (std::size_t s = 0; s < form.symbols.size(); ++s) {
            if (form.symbols[s] == 0)
                continue;
            const std::size_t generator = unknowns.generator(s, ids);
            if (row.size() <= generator)
                row.resize(generator + 1);
            row[generator] += form.symbols[s];
        }
        lane.matrix.push_back(std::move(row));
        lane.offset.push_back(offset);
    }
    return lane;
}

/// Range of Σ row · k over the counters of a lane, the unknown values left out.
Interval rangeOf(const MemoryLane& lane, std::size_t dim, std::size_t without) {
    Interval range{lane.offset[dim], lane.offset[dim]};
    for (std::size_t g = 0; g < lane.trips.size(); ++g) {
        const std::int64_t span = g == without ? 0 : lane.matrix[dim][g] * (lane.trips[g] - 1);
        (span < 0 ? range.first : range.second) += span;
    }
    return range;
}

bool hasUnknown(const MemoryLane& lane, std::size_t dim, std::size_t but = SIZE_MAX) {
    for (std::size_t g = lane.trips.size(); g < lane.matrix[dim].size(); ++g) {
        if (g != but && lane.matrix[dim][g] != 0)
            return true;
    }
    return false;
}

/// Counts the iterations of a lane whose known dimensions are inside.
Presence countLane(const MemoryLane& lane, const Shape& dims, std::int64_t limit) {
    Presence counted;
    counted.total = checkedProduct(lane.trips).value_or(INT64_MAX);
    bool always = true;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (hasUnknown(lane, d))
            continue;
        const Interval range = rangeOf(lane, d, SIZE_MAX);
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
    Point point(lane.trips.size());
    for (std::int64_t index = 0; index < counted.total; ++index) {
        std::int64_t rest = index;
        for (std::size_t g = point.size(); g-- > 0; rest /= lane.trips[g])
            point[g] = rest % lane.trips[g];
        bool inside = true;
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
    return counted;
}

/// Bounds of an unknown value by the dimensions of one lane in which it is the only one.
std::optional<Interval> boundsBy(const MemoryLane& lane, std::size_t generator, const Shape& dims) {
    std::optional<Interval> bounds;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t factor = lane.matrix[d][generator];
        if (factor == 0 || hasUnknown(lane, d, generator))
            continue;
        const Interval rest = rangeOf(lane, d, generator);
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

std::int64_t laneCount(const MemoryNest& nest) {
    std::int64_t count = static_cast<std::int64_t>(nest.references.size());
    for (const MemoryLoop& loop : nest.loops)
        count = checkedMul(count, loop.parallel).value_or(INT64_MAX);
    return count;
}

UnrolledNest unroll(const MemoryNest& nest) {
    UnrolledNest unrolled;
    for (const MemoryLoop& loop : nest.loops)
        unrolled.generators.push_back({loop.name, ceilDiv(loop.trips(), loop.parallel)});
    Unknowns unknowns(nest, unrolled.generators);
    const auto references = static_cast<std::int64_t>(nest.references.size());
    const std::int64_t combinations = references == 0 ? 0 : laneCount(nest) / references;
    for (std::size_t r = 0; r < nest.references.size(); ++r) {
        for (std::int64_t c = 0; c < combinations; ++c) {
            MemoryLane lane = makeLane(nest, r, laneIds(nest, c), unknowns);
            if (std::ranges::all_of(lane.trips, [](std::int64_t t) { return t > 0; }))
                unrolled.lanes.push_back(std::move(lane));
        }
    }
    for (MemoryLane& lane : unrolled.lanes) {
        for (auto& row : lane.matrix)
            row.resize(unrolled.generators.size());
    }
    return unrolled;
}

Presence presence(const UnrolledNest& nest, std::size_t reference, const Shape& dims) {
    Presence sum;
    const std::int64_t limit =
        kEnumerationLimit / std::max<std::int64_t>(1, static_cast<std::int64_t>(nest.lanes.size()));
    for (const MemoryLane& lane : nest.lanes) {
        if (lane.reference != reference)
            continue;
        const Presence one = countLane(lane, dims, limit);
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
    return true;
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
        std::optional<Interval> range;
        bool used = false;
        for (const std::size_t l : lanes) {
            const MemoryLane& lane = nest.lanes[l];
            if (!moves(lane, g))
                continue;
            used = true;
            const auto one = boundsBy(lane, g, dims);
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
    for (std::size_t a = 0; a < writers.size(); ++a) {
        for (std::size_t b = a + 1; b < writers.size() && complete; ++b) {
            const MemoryLane& first = nest.lanes[writers[a]];
            const MemoryLane& second = nest.lanes[writers[b]];
            // Equal matrices: the addresses are equal always or never.
            if (first.matrix == second.matrix && first.offset != second.offset)
                continue;
            auto ranges = generatorRanges(nest, {writers[a], writers[b]}, dims);
            if (!ranges)
                continue;
            for (std::size_t g = 0; g < ranges->size(); ++g) {
                // Both lanes run in the first trip of every loop.
                if (!moves(first, g) && !moves(second, g))
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
    return {std::nullopt, complete};
}

} // namespace marquetry::ir
