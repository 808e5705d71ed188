#include "engine/banking/region.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

/// A counter of the region: it moves the address by `step` per unit.
struct Counter {
    Address step;
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    bool unknown = false; ///< any integer: lo and hi mean nothing yet
};

struct Bounds {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
};

class RegionBuilder {
public:
    RegionBuilder(std::span<const ir::MemoryLane* const> lanes,
                  const std::vector<ir::Generator>& generators, const ir::Shape& dims)
        : lanes_(lanes), dims_(dims) {
        for (std::size_t g = 0; g < generators.size(); ++g)
            addCounter(g, generators[g]);
    }

    Region build() {
        Region region;
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            const Bounds bounds = boundsOf(d);
            if (bounds.lo > bounds.hi)
                return emptyRegion();
            if (alwaysWithin(d, bounds))
                continue;
            if (!constrain(d, bounds))
                return region;
        }
        region.closedForm = true;
        region.starts.base = lanes_[0]->offset;
        for (const Counter& counter : counters_) {
            if (counter.unknown)
                continue; // moves nothing: another unknown value has taken its dimension
            if (counter.lo > counter.hi)
                return emptyRegion();
            for (std::size_t d = 0; d < dims_.size(); ++d)
                region.starts.base[d] += counter.step[d] * counter.lo;
            const bool moves =
                std::ranges::any_of(counter.step, [](std::int64_t step) { return step != 0; });
            if (moves && counter.hi > counter.lo)
                region.starts.spans.push_back({counter.step, counter.hi - counter.lo + 1});
        }
        return region;
    }

private:
    static Region emptyRegion() {
        Region region;
        region.closedForm = true;
        region.empty = true;
        return region;
    }

    void addCounter(std::size_t g, const ir::Generator& generator) {
        Counter counter;
        counter.unknown = generator.unknown() && generator.most < 0;
        counter.hi = generator.most;
        bool moves = false;
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            counter.step.push_back(lanes_[0]->matrix[d][g]);
            moves = moves || counter.step.back() != 0;
        }
        if (!generator.unknown()) {
            counter.hi = INT64_MAX;
            for (const ir::MemoryLane* lane : lanes_)
                counter.hi = std::min(counter.hi, lane->trips[g] - 1);
        }
        if (moves)
            counters_.push_back(std::move(counter));
    }

    /// Of Σ step · counter in dimension d, so that every lane is inside.
    Bounds boundsOf(std::size_t d) const {
        std::int64_t least = INT64_MAX;
        std::int64_t most = INT64_MIN;
        for (const ir::MemoryLane* lane : lanes_) {
            least = std::min(least, lane->offset[d]);
            most = std::max(most, lane->offset[d]);
        }
        return {-least, dims_[d] - 1 - most};
    }

    std::vector<std::size_t> movers(std::size_t d) const {
        std::vector<std::size_t> found;
        for (std::size_t c = 0; c < counters_.size(); ++c) {
            if (counters_[c].step[d] != 0)
                found.push_back(c);
        }
        return found;
    }

    bool movesOnly(const Counter& counter, std::size_t d) const {
        for (std::size_t e = 0; e < dims_.size(); ++e) {
            if (e != d && counter.step[e] != 0)
                return false;
        }
        return true;
    }

    bool alwaysWithin(std::size_t d, const Bounds& bounds) const {
        std::int64_t lo = 0;
        std::int64_t hi = 0;
        for (const Counter& counter : counters_) {
            const std::int64_t step = counter.step[d];
            if (step == 0)
                continue;
            if (counter.unknown)
                return false;
            lo += std::min(step * counter.lo, step * counter.hi);
            hi += std::max(step * counter.lo, step * counter.hi);
        }
        return lo >= bounds.lo && hi <= bounds.hi;
    }

    bool constrain(std::size_t d, const Bounds& bounds) {
        std::vector<std::size_t> moving = movers(d);
        if (moving.empty()) { // a constant outside
            counters_.push_back({Address(dims_.size()), 1, 0, false});
            return true;
        }
        if (moving.size() > 1 && !makeFree(d, moving) && !join(d, moving))
            return false;
        moving = movers(d);
        if (moving.size() == 1)
            bound(counters_[moving[0]], d, bounds);
        return true;
    }

    static void bound(Counter& counter, std::size_t d, const Bounds& bounds) {
        const std::int64_t step = counter.step[d];
        const std::int64_t a = step > 0 ? bounds.lo : -bounds.hi;
        const std::int64_t b = step > 0 ? bounds.hi : -bounds.lo;
        const std::int64_t size = step > 0 ? step : -step;
        const std::int64_t lo = -floorDiv(-a, size);
        const std::int64_t hi = floorDiv(b, size);
        counter.lo = counter.unknown ? lo : std::max(counter.lo, lo);
        counter.hi = counter.unknown ? hi : std::min(counter.hi, hi);
        counter.unknown = false;
    }

    /// An unknown value that moves nothing else, by one: the dimension takes every value.
    bool makeFree(std::size_t d, const std::vector<std::size_t>& moving) {
        for (const std::size_t c : moving) {
            const Counter& counter = counters_[c];
            if (!counter.unknown || !movesOnly(counter, d) || std::abs(counter.step[d]) != 1)
                continue;
            for (const std::size_t other : moving) {
                if (other != c)
                    counters_[other].step[d] = 0;
            }
            return true;
        }
        return false;
    }

    /// Several counters as one, when they move nothing else and leave no gaps.
    bool join(std::size_t d, std::vector<std::size_t> moving) {
        for (const std::size_t c : moving) {
            if (counters_[c].unknown || !movesOnly(counters_[c], d))
                return false;
        }
        std::ranges::sort(moving, {},
                          [&](std::size_t c) { return std::abs(counters_[c].step[d]); });
        const std::int64_t unit = std::abs(counters_[moving[0]].step[d]);
        std::int64_t length = 1;
        std::int64_t least = 0;
        for (const std::size_t c : moving) {
            const Counter& counter = counters_[c];
            const std::int64_t step = std::abs(counter.step[d]);
            if (step % unit != 0 || step > unit * length)
                return false;
            length += step / unit * (counter.hi - counter.lo);
            least += std::min(counter.step[d] * counter.lo, counter.step[d] * counter.hi);
        }
        // least = unit · q + r: the joined counter starts at q, the rest goes to the base.
        Counter joined{Address(dims_.size()), 0, length - 1, false};
        joined.step[d] = unit;
        if (least % unit != 0)
            return false;
        joined.lo = least / unit;
        joined.hi = joined.lo + length - 1;
        for (const std::size_t c : moving)
            counters_[c].step[d] = 0;
        counters_.push_back(std::move(joined));
        return true;
    }

    std::span<const ir::MemoryLane* const> lanes_;
    const ir::Shape& dims_;
    std::vector<Counter> counters_;
};

/// Whether b continues a along span s: equal but for a shift by a multiple of its step.
bool joinAlong(Starts& a, const Starts& b, std::size_t s) {
    if (a.spans.size() != b.spans.size())
        return false;
    for (std::size_t k = 0; k < a.spans.size(); ++k) {
        if (a.spans[k].step != b.spans[k].step || (k != s && a.spans[k].trips != b.spans[k].trips))
            return false;
    }
    const Address& step = a.spans[s].step;
    std::optional<std::int64_t> shift;
    for (std::size_t d = 0; d < step.size(); ++d) {
        const std::int64_t difference = b.base[d] - a.base[d];
        if (step[d] == 0) {
            if (difference != 0)
                return false;
            continue;
        }
        if (difference % step[d] != 0 || (shift && *shift != difference / step[d]))
            return false;
        shift = difference / step[d];
    }
    const std::int64_t by = shift.value_or(0);
    if (by > a.spans[s].trips || -by > b.spans[s].trips)
        return false;
    const std::int64_t lo = std::min<std::int64_t>(0, by);
    const std::int64_t hi = std::max(a.spans[s].trips, by + b.spans[s].trips);
    for (std::size_t d = 0; d < step.size(); ++d)
        a.base[d] += lo * step[d];
    a.spans[s].trips = hi - lo;
    return true;
}

bool joinStarts(Starts& a, const Starts& b) {
    if (a == b)
        return true;
    for (std::size_t s = 0; s < a.spans.size(); ++s) {
        if (joinAlong(a, b, s))
            return true;
    }
    return false;
}

} // namespace

Region regionOf(std::span<const ir::MemoryLane* const> lanes,
                const std::vector<ir::Generator>& generators, const ir::Shape& dims) {
    return RegionBuilder(lanes, generators, dims).build();
}

void mergeStarts(std::vector<Starts>& starts) {
    std::ranges::sort(starts);
    starts.erase(std::ranges::unique(starts).begin(), starts.end());
    constexpr std::size_t kMost = 256; // enumerated points do not join: no need to try them all
    if (starts.size() > kMost)
        return;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = 0; a < starts.size(); ++a) {
            for (std::size_t b = a + 1; b < starts.size(); ++b) {
                if (!joinStarts(starts[a], starts[b]))
                    continue;
                starts.erase(starts.begin() + static_cast<std::ptrdiff_t>(b));
                changed = true;
                break;
            }
        }
    }
}

} // namespace marquetry::banking
