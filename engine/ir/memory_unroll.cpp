// From a loop nest to its lanes.
#include "engine/ir/memory_lanes.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>

namespace marquetry::ir {

namespace {

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

/// The generators of what is unknown in a cycle, one per combination of the lane ids that it
/// depends on; they are made on first use.
class Unknowns {
public:
    Unknowns(const MemoryNest& nest, std::vector<Generator>& generators)
        : nest_(nest), generators_(generators), drift_(driftOf(nest)) {
        for (std::size_t j = 0; j < nest.loops.size(); ++j) {
            generators_[j].of = j;
            generators_[j].split = !drift_[j].empty();
            if (generators_[j].split)
                generators_[j].trips = 1;
        }
    }

    std::size_t symbol(std::size_t s, const Point& ids) {
        Generator value{"?" + nest_.symbols[s].name, 0};
        value.of = s;
        return copy(static_cast<std::int64_t>(s), nest_.symbols[s].loops, ids, std::move(value));
    }

    /// The counter of loop j in the lane.
    std::size_t counter(std::size_t j, const Point& ids) {
        if (drift_[j].empty())
            return j;
        Generator own = generators_[j];
        own.trips = 0;
        own.most = ceilDiv(nest_.loops[j].trips(), nest_.loops[j].parallel) - 1;
        own.split = false;
        return copy(-1 - static_cast<std::int64_t>(j), drift_[j], ids, std::move(own));
    }

    bool drifts(std::size_t j) const { return !drift_[j].empty(); }
    /// Largest value of the counter in the lane's nest.
    std::int64_t most(std::size_t generator) const {
        const Generator& g = generators_[generator];
        return g.unknown() ? g.most : g.trips - 1;
    }

private:
    std::size_t copy(std::int64_t key, const std::vector<std::size_t>& loops, const Point& ids,
                     Generator own) {
        Point full = {key};
        for (const std::size_t loop : loops) {
            full.push_back(ids[loop]);
            if (nest_.loops[loop].parallel > 1)
                own.name += "@" + nest_.loops[loop].name + "=" + std::to_string(ids[loop]);
        }
        const auto [entry, fresh] = index_.emplace(full, generators_.size());
        if (fresh)
            generators_.push_back(std::move(own));
        return entry->second;
    }

    const MemoryNest& nest_;
    std::vector<Generator>& generators_;
    std::vector<std::vector<std::size_t>> drift_;
    std::map<Point, std::size_t> index_;
};

void addTo(Point& row, std::size_t generator, std::int64_t amount) {
    if (row.size() <= generator)
        row.resize(generator + 1);
    row[generator] += amount;
}

/// Makes the lanes of a nest.
class LaneMaker {
public:
    LaneMaker(const MemoryNest& nest, std::vector<Generator>& generators)
        : nest_(nest), unknowns_(nest, generators) {}

    /// Nothing when no iteration has the lane.
    std::optional<MemoryLane> make(std::size_t reference, const Point& ids) {
        MemoryLane lane;
        lane.reference = reference;
        lane.ids = ids;
        for (std::size_t j = 0; j < nest_.loops.size(); ++j) {
            const MemoryLoop& loop = nest_.loops[j];
            const std::int64_t left = loop.trips() - ids[j];
            if (left <= 0)
                return std::nullopt;
            const std::int64_t trips = ceilDiv(left, loop.parallel);
            lane.trips.push_back(unknowns_.drifts(j) ? 1 : trips);
            if (unknowns_.drifts(j)) {
                LaneLimit limit{{}, trips - 1};
                addTo(limit.row, unknowns_.counter(j, ids), -1);
                if (!keep(lane, std::move(limit)))
                    return std::nullopt;
            }
        }
        for (std::size_t j = 0; j < nest_.loops.size(); ++j)
            if (!limitBy(lane, j))
                return std::nullopt;
        for (const AffineForm& form : nest_.references[reference].index) {
            LaneLimit value = valueOf(form, ids);
            lane.matrix.push_back(std::move(value.row));
            lane.offset.push_back(value.constant);
        }
        return lane;
    }

private:
    /// A form of the iterators as one of the generators.
    LaneLimit valueOf(const AffineForm& form, const Point& ids) {
        LaneLimit value{Point(nest_.loops.size()), form.constant};
        for (std::size_t j = 0; j < form.coefficients.size(); ++j) {
            const MemoryLoop& loop = nest_.loops[j];
            if (form.coefficients[j] == 0)
                continue;
            addTo(value.row, unknowns_.counter(j, ids),
                  form.coefficients[j] * loop.step * loop.parallel);
            value.constant += form.coefficients[j] * (loop.begin + loop.step * ids[j]);
        }
        for (std::size_t s = 0; s < form.symbols.size(); ++s)
            if (form.symbols[s] != 0)
                addTo(value.row, unknowns_.symbol(s, ids), form.symbols[s]);
        return value;
    }

    /// The iterator of loop j stays below the loop's bound. False: it never is.
    bool limitBy(MemoryLane& lane, std::size_t j) {
        const auto& bound = nest_.loops[j].bound;
        const auto known = [](std::int64_t symbol) { return symbol == 0; };
        if (!bound || !std::ranges::all_of(bound->symbols, known))
            return true;
        AffineForm distance = *bound;
        distance.coefficients.resize(nest_.loops.size());
        distance.coefficients[j] -= 1;
        distance.constant -= 1;
        return keep(lane, valueOf(distance, lane.ids));
    }

    /// Keeps a limit that matters. False: it never holds.
    bool keep(MemoryLane& lane, LaneLimit limit) {
        std::int64_t least = limit.constant;
        std::int64_t greatest = limit.constant;
        for (std::size_t g = 0; g < limit.row.size(); ++g) {
            const std::int64_t last = g < lane.trips.size() ? lane.trips[g] - 1 : unknowns_.most(g);
            (limit.row[g] < 0 ? least : greatest) += limit.row[g] * last;
        }
        if (least < 0)
            lane.limits.push_back(std::move(limit));
        return greatest >= 0;
    }

    const MemoryNest& nest_;
    Unknowns unknowns_;
};

} // namespace

std::int64_t laneCount(const MemoryNest& nest) {
    std::int64_t count = static_cast<std::int64_t>(nest.references.size());
    for (const MemoryLoop& loop : nest.loops)
        count = checkedMul(count, loop.parallel).value_or(INT64_MAX);
    return count;
}

std::vector<std::size_t> endDependsOn(const MemoryNest& nest, std::size_t j) {
    if (!nest.loops[j].bound)
        return {};
    const AffineForm& bound = *nest.loops[j].bound;
    std::vector<bool> used(nest.loops.size());
    for (std::size_t p = 0; p < bound.coefficients.size(); ++p)
        used[p] = bound.coefficients[p] != 0;
    for (std::size_t s = 0; s < bound.symbols.size(); ++s)
        for (const std::size_t p : nest.symbols[s].loops)
            used[p] = used[p] || bound.symbols[s] != 0;
    std::vector<std::size_t> parallel;
    for (std::size_t p = 0; p < j; ++p)
        if (used[p] && nest.loops[p].parallel > 1)
            parallel.push_back(p);
    return parallel;
}

std::vector<std::vector<std::size_t>> driftOf(const MemoryNest& nest) {
    std::vector<std::vector<std::size_t>> drift;
    std::vector<std::size_t> apart; // inner loops drift with outer ones
    for (std::size_t j = 0; j < nest.loops.size(); ++j) {
        for (const std::size_t p : endDependsOn(nest, j))
            if (std::ranges::find(apart, p) == apart.end())
                apart.push_back(p);
        std::ranges::sort(apart);
        drift.push_back(apart);
    }
    return drift;
}

UnrolledNest unroll(const MemoryNest& nest) {
    UnrolledNest unrolled;
    for (const MemoryLoop& loop : nest.loops)
        unrolled.generators.push_back({loop.name, ceilDiv(loop.trips(), loop.parallel), -1,
                                       loop.begin, loop.step * loop.parallel});
    LaneMaker lanes(nest, unrolled.generators);
    const auto references = static_cast<std::int64_t>(nest.references.size());
    const std::int64_t combinations = references == 0 ? 0 : laneCount(nest) / references;
    for (std::size_t r = 0; r < nest.references.size(); ++r) {
        for (std::int64_t c = 0; c < combinations; ++c) {
            if (auto lane = lanes.make(r, laneIds(nest, c)))
                unrolled.lanes.push_back(*std::move(lane));
        }
    }
    unrolled.counted = std::ranges::none_of(
        nest.loops, [](const MemoryLoop& loop) { return loop.bound.has_value(); });
    for (MemoryLane& lane : unrolled.lanes) {
        for (auto& row : lane.matrix)
            row.resize(unrolled.generators.size());
        for (LaneLimit& limit : lane.limits)
            limit.row.resize(unrolled.generators.size());
    }
    return unrolled;
}

} // namespace marquetry::ir
