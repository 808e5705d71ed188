#include "engine/banking/access_window.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace marquetry::banking {

namespace {

constexpr std::int64_t kMostIterations = std::int64_t{1} << 62;

/// Scatters example values; the same ones whenever the iteration comes again.
std::uint64_t scattered(std::uint64_t value) {
    value += 0x9E3779B97F4A7C15ULL;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
    return value ^ (value >> 31);
}

void markConflicts(std::vector<LaneAt>& lanes, int ports) {
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::set<Address>> met;
    const auto key = [](const LaneAt& lane) {
        return std::tuple(lane.group, lane.copy, lane.bank);
    };
    for (const LaneAt& lane : lanes)
        if (lane.happens)
            met[key(lane)].insert(lane.address);
    for (LaneAt& lane : lanes)
        lane.conflict = lane.happens && met[key(lane)].size() > static_cast<std::size_t>(ports);
}

std::vector<std::pair<std::int64_t, std::int64_t>> rangesOfUnknowns(const ir::UnrolledNest& nest,
                                                                    const ir::Shape& dims) {
    if (std::ranges::none_of(nest.generators, &ir::Generator::unknown))
        return {};
    std::vector<std::size_t> lanes(nest.lanes.size());
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    auto ranges = ir::generatorRanges(nest, lanes, dims);
    if (!ranges)
        return {};
    for (auto& [lo, hi] : *ranges)
        if (hi - lo > 1) { // the ranges are rounded outwards by one
            ++lo;
            --hi;
        }
    return *std::move(ranges);
}

} // namespace

bool AccessWindow::conflicts() const {
    return std::ranges::any_of(lanes, [](const LaneAt& lane) { return lane.conflict; });
}

Iterations::Iterations(std::shared_ptr<const AccessPattern> pattern)
    : pattern_(std::move(pattern)) {
    for (const ir::UnrolledNest& nest : pattern_->nests)
        unknowns_.push_back(rangesOfUnknowns(nest, pattern_->dims));
}

std::int64_t Iterations::count(std::size_t nest) const {
    std::int64_t count = 1;
    for (const ir::Generator& generator : pattern_->nests[nest].generators)
        if (!generator.unknown())
            count = std::min(kMostIterations,
                             checkedMul(count, generator.trips).value_or(kMostIterations));
    return count;
}

std::vector<std::int64_t> Iterations::pointOf(std::size_t nest, std::int64_t iteration) const {
    const std::vector<ir::Generator>& generators = pattern_->nests[nest].generators;
    std::vector<std::int64_t> point(generators.size());
    std::int64_t rest = iteration;
    for (std::size_t g = point.size(); g-- > 0;) {
        if (generators[g].unknown())
            continue;
        point[g] = rest % generators[g].trips;
        rest /= generators[g].trips;
    }
    const std::vector<Range>& ranges = unknowns_[nest];
    for (std::size_t g = 0; g < ranges.size(); ++g) {
        if (!generators[g].unknown())
            continue;
        const auto [lo, hi] = ranges[g];
        const auto span = static_cast<std::uint64_t>(std::max<std::int64_t>(hi - lo + 1, 1));
        const auto seed = static_cast<std::uint64_t>(iteration) * 64 + g;
        point[g] = lo + static_cast<std::int64_t>(scattered(seed) % span);
    }
    return point;
}

std::int64_t Iterations::iterationOf(std::size_t nest,
                                     const std::vector<std::int64_t>& point) const {
    std::int64_t iteration = 0;
    for (std::size_t g = 0; g < point.size(); ++g) {
        const ir::Generator& generator = pattern_->nests[nest].generators[g];
        if (!generator.unknown())
            iteration = iteration * generator.trips + point[g];
    }
    return iteration;
}

AccessWindow Iterations::windowAt(const Scheme& scheme, std::size_t nest,
                                  std::vector<std::int64_t> point) const {
    const AccessPattern& pattern = *pattern_;
    AccessWindow window{nest, std::move(point), {}};
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        const Group& group = pattern.groups[g];
        if (group.nest != nest)
            continue;
        for (std::size_t k = 0; k < group.lanes.size(); ++k) {
            const ir::MemoryLane& lane = pattern.lane(g, k);
            LaneAt at{g, k, group.write, false, addressAt(lane, window.point), 0, 0, 0, false};
            at.happens = isRunning(lane, window.point) && ir::isInside(at.address, pattern.dims);
            if (at.happens) {
                at.bank = scheme.bank(at.address);
                at.offset = scheme.offset(at.address);
            }
            if (!group.write && !scheme.copyOf.empty())
                at.copy = scheme.copyOf[g][k];
            window.lanes.push_back(std::move(at));
        }
    }
    markConflicts(window.lanes, pattern.ports);
    return window;
}

} // namespace marquetry::banking
