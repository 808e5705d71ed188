#include "widgets/memories/access_window.h"

#include "engine/support/checked_math.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace marquetry::widgets {

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
    std::map<std::tuple<std::size_t, std::int64_t, std::int64_t>, std::set<banking::Address>> met;
    const auto key = [](const LaneAt& lane) {
        return std::tuple(lane.group, lane.copy, lane.bank);
    };
    for (const LaneAt& lane : lanes)
        if (lane.happens)
            met[key(lane)].insert(lane.address);
    for (LaneAt& lane : lanes)
        lane.conflict = lane.happens && met[key(lane)].size() > static_cast<std::size_t>(ports);
}

} // namespace

bool AccessWindow::conflicts() const {
    return std::ranges::any_of(lanes, [](const LaneAt& lane) { return lane.conflict; });
}

std::int64_t iterationCount(const banking::Pattern& pattern, std::size_t nest) {
    std::int64_t count = 1;
    for (const ir::Generator& generator : pattern.nests[nest].generators)
        if (!generator.unknown())
            count = std::min(kMostIterations,
                             checkedMul(count, generator.trips).value_or(kMostIterations));
    return count;
}

std::vector<std::int64_t> pointOf(const banking::Pattern& pattern, std::size_t nest,
                                  std::int64_t iteration) {
    const ir::UnrolledNest& unrolled = pattern.nests[nest];
    std::vector<std::int64_t> point(unrolled.generators.size());
    std::int64_t rest = iteration;
    for (std::size_t g = point.size(); g-- > 0;) {
        if (unrolled.generators[g].unknown())
            continue;
        point[g] = rest % unrolled.generators[g].trips;
        rest /= unrolled.generators[g].trips;
    }
    std::vector<std::size_t> lanes(unrolled.lanes.size());
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
    const auto ranges = ir::generatorRanges(unrolled, lanes, pattern.dims);
    for (std::size_t g = 0; ranges && g < point.size(); ++g) {
        if (!unrolled.generators[g].unknown())
            continue;
        // The ranges are rounded outwards by one.
        const bool wide = (*ranges)[g].second - (*ranges)[g].first > 1;
        const std::int64_t lo = (*ranges)[g].first + (wide ? 1 : 0);
        const std::int64_t hi = (*ranges)[g].second - (wide ? 1 : 0);
        const auto span = static_cast<std::uint64_t>(std::max<std::int64_t>(hi - lo + 1, 1));
        const auto seed = static_cast<std::uint64_t>(iteration) * 64 + g;
        point[g] = lo + static_cast<std::int64_t>(scattered(seed) % span);
    }
    return point;
}

std::int64_t iterationOf(const banking::Pattern& pattern, std::size_t nest,
                         const std::vector<std::int64_t>& point) {
    std::int64_t iteration = 0;
    for (std::size_t g = 0; g < point.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (!generator.unknown())
            iteration = iteration * generator.trips + point[g];
    }
    return iteration;
}

AccessWindow windowAt(const banking::Pattern& pattern, const banking::Scheme& scheme,
                      std::size_t nest, std::vector<std::int64_t> point) {
    AccessWindow window{nest, std::move(point), {}};
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        const banking::Group& group = pattern.groups[g];
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

QString pointText(const banking::Pattern& pattern, std::size_t nest,
                  const std::vector<std::int64_t>& point) {
    QStringList parts;
    for (std::size_t g = 0; g < point.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (generator.split)
            continue;
        parts << QStringLiteral("%1 = %2%3")
                     .arg(QString::fromStdString(generator.name))
                     .arg(generator.valueAt(point[g]))
                     .arg(generator.unknown() ? QStringLiteral("?") : QString());
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace marquetry::widgets
