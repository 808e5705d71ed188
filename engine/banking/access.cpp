#include "engine/banking/access.h"

#include "engine/banking/dephasing.h"
#include "engine/banking/region.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

namespace marquetry::banking {

namespace {

using LaneSet = std::vector<std::size_t>;
using Deltas = std::vector<Address>;
using Clock = std::chrono::steady_clock;

Address difference(const Address& to, const Address& from) {
    Address delta(to.size());
    for (std::size_t d = 0; d < to.size(); ++d)
        delta[d] = to[d] - from[d];
    return delta;
}

/// Calls visit(point) for every point of the generators that the lanes depend on. False: more than
/// `budget` points are left, nothing was visited.
template <class Visitor>
bool enumeratePoints(const ir::UnrolledNest& nest, const std::vector<std::size_t>& lanes,
                     const ir::Shape& dims, std::int64_t& budget, const Visitor& visit) {
    const auto ranges = ir::generatorRanges(nest, lanes, dims);
    if (!ranges)
        return false;
    std::vector<std::size_t> moving;
    std::vector<std::int64_t> point;
    std::int64_t steps = 1;
    for (std::size_t g = 0; g < ranges->size(); ++g) {
        const auto& [lo, hi] = (*ranges)[g];
        point.push_back(lo);
        const bool moves =
            std::ranges::any_of(lanes, [&](std::size_t l) { return dependsOn(nest.lanes[l], g); });
        if (!moves)
            continue;
        moving.push_back(g);
        steps = checkedMul(steps, hi - lo + 1).value_or(INT64_MAX);
    }
    if (steps > budget)
        return false;
    budget -= steps;
    for (std::int64_t k = 0; k < steps; ++k) {
        visit(point);
        for (std::size_t m = moving.size(); m-- > 0;) {
            const auto& [lo, hi] = (*ranges)[moving[m]];
            if (++point[moving[m]] <= hi)
                break;
            point[moving[m]] = lo;
        }
    }
    return true;
}

/// Makes the collisions of one pattern.
class Collector {
public:
    Collector(AccessPattern& pattern, const AccessParams& params, std::stop_token stop)
        : pattern_(pattern),
          params_(params),
          stop_(std::move(stop)),
          budget_(params.enumerationLimit),
          started_(Clock::now()) {}

    Status collect() {
        for (std::size_t g = 0; g < pattern_.groups.size(); ++g) {
            const auto size = static_cast<std::size_t>(pattern_.ports) + 1;
            if (laneSets(pattern_.groups[g].lanes.size(), size) > params_.maxLaneSets)
                return makeError("too-many-lanes",
                                 "one cycle has " +
                                     std::to_string(pattern_.groups[g].lanes.size()) +
                                     " accesses: too many sets of " + std::to_string(size) +
                                     " of them to look at",
                                 "lower 'par', or give the banks one port");
            LaneSet chosen;
            forEachSet(g, size, 0, chosen);
        }
        if (stop_.stop_requested())
            return makeError("cancelled", "looking at the accesses was stopped");
        for (auto& [deltas, starts] : merged_) {
            mergeStarts(starts);
            pattern_.collisions.push_back({deltas, starts});
        }
        return ok();
    }

private:
    static double laneSets(std::size_t lanes, std::size_t size) {
        double sets = 1;
        for (std::size_t k = 0; k < size; ++k)
            sets =
                sets * static_cast<double>(lanes > k ? lanes - k : 0) / static_cast<double>(k + 1);
        return sets;
    }

    void forEachSet(std::size_t group, std::size_t size, std::size_t from, LaneSet& chosen) {
        if (chosen.size() == size) {
            collectSet(group, chosen);
            return;
        }
        for (std::size_t k = from; k < pattern_.groups[group].lanes.size(); ++k) {
            chosen.push_back(k);
            forEachSet(group, size, k + 1, chosen);
            chosen.pop_back();
        }
    }

    /// Stopped, or past the limit; looks every 256 calls.
    bool late() {
        if ((++calls_ & 255) == 0) {
            const std::chrono::duration<double> passed = Clock::now() - started_;
            late_ = late_ || stop_.stop_requested() ||
                    (params_.seconds > 0 && passed.count() > params_.seconds);
        }
        return late_;
    }

    void collectSet(std::size_t group, const LaneSet& set) {
        std::vector<const ir::MemoryLane*> lanes;
        for (const std::size_t k : set)
            lanes.push_back(&pattern_.lane(group, k));
        const bool uniform = std::ranges::all_of(
            lanes, [&](const ir::MemoryLane* lane) { return lane->matrix == lanes[0]->matrix; });
        if (uniform && sharesAddress(lanes))
            return;
        if (late()) {
            pattern_.late = true;
            pattern_.unresolved.push_back({group, set});
            return;
        }
        const bool limited =
            std::ranges::any_of(lanes, [](const auto* lane) { return !lane->limits.empty(); });
        if (uniform && !limited && addClosedForm(group, set, lanes))
            return;
        if (enumerate(group, set))
            return;
        if (uniform && limited && addClosedForm(group, set, lanes))
            pattern_.relaxed = true;
        else
            pattern_.unresolved.push_back({group, set});
    }

    /// Without the lanes' limits. False: there is no closed form.
    bool addClosedForm(std::size_t group, const LaneSet& set,
                       const std::vector<const ir::MemoryLane*>& lanes) {
        const ir::UnrolledNest& nest = pattern_.nests[pattern_.groups[group].nest];
        Region region = regionOf(lanes, nest.generators, pattern_.dims);
        if (region.closedForm && !region.empty)
            addUniform(group, set, lanes, std::move(region.starts));
        return region.closedForm;
    }

    /// Lanes that differ only in when they end: one address, so no need of two banks.
    static bool sharesAddress(const std::vector<const ir::MemoryLane*>& lanes) {
        for (std::size_t a = 0; a < lanes.size(); ++a) {
            for (std::size_t b = a + 1; b < lanes.size(); ++b) {
                if (lanes[a]->offset == lanes[b]->offset)
                    return true;
            }
        }
        return false;
    }

    void addUniform(std::size_t group, const LaneSet& set,
                    const std::vector<const ir::MemoryLane*>& lanes, Starts starts) {
        Deltas deltas;
        for (std::size_t k = 1; k < lanes.size(); ++k)
            deltas.push_back(difference(lanes[k]->offset, lanes[0]->offset));
        add(group, set, std::move(deltas), {std::move(starts)});
    }

    /// False: there are too many iterations.
    bool enumerate(std::size_t group, const LaneSet& set) {
        const ir::UnrolledNest& nest = pattern_.nests[pattern_.groups[group].nest];
        std::vector<std::size_t> lanes;
        for (const std::size_t k : set)
            lanes.push_back(pattern_.groups[group].lanes[k]);
        std::map<Deltas, std::set<Address>> found;
        const bool done = enumeratePoints(
            nest, lanes, pattern_.dims, budget_, [&](const std::vector<std::int64_t>& point) {
                Deltas addresses;
                for (const std::size_t l : lanes) {
                    const ir::MemoryLane& lane = nest.lanes[l];
                    Address x = addressAt(lane, point);
                    if (!isRunning(lane, point) || !ir::isInside(x, pattern_.dims) ||
                        std::ranges::find(addresses, x) != addresses.end())
                        return;
                    addresses.push_back(std::move(x));
                }
                Deltas deltas;
                for (std::size_t k = 1; k < addresses.size(); ++k)
                    deltas.push_back(difference(addresses[k], addresses[0]));
                found[deltas].insert(addresses[0]);
            });
        if (!done)
            return false;
        for (const auto& [deltas, starts] : found) {
            std::vector<Starts> points;
            for (const Address& x : starts)
                points.push_back({x, {}});
            add(group, set, deltas, std::move(points));
        }
        return true;
    }

    void add(std::size_t group, const LaneSet& set, Deltas deltas, std::vector<Starts> starts) {
        mergeStarts(starts);
        merge(deltas, starts);
        pattern_.laneCollisions.push_back({group, set, {std::move(deltas), std::move(starts)}});
    }

    /// The same set of addresses is the same collision, whichever lane comes first: the first
    /// address is the least one.
    void merge(const Deltas& deltas, const std::vector<Starts>& starts) {
        Deltas all = deltas;
        all.insert(all.begin(), Address(pattern_.dims.size()));
        std::ranges::sort(all);
        const Address least = all.front();
        Deltas moved;
        for (std::size_t k = 1; k < all.size(); ++k)
            moved.push_back(difference(all[k], least));
        auto& target = merged_[moved];
        for (Starts start : starts) {
            for (std::size_t d = 0; d < least.size(); ++d)
                start.base[d] += least[d];
            target.push_back(std::move(start));
        }
    }

    AccessPattern& pattern_;
    const AccessParams& params_;
    std::stop_token stop_;
    std::int64_t budget_;
    Clock::time_point started_;
    unsigned calls_ = 0;
    bool late_ = false;
    std::map<Deltas, std::vector<Starts>> merged_;
};

void addGroups(AccessPattern& pattern, const ir::MemoryNest& source, std::size_t nest) {
    for (const bool write : {false, true}) {
        Group group{nest, write, {}, {}, {}, {}};
        const auto& lanes = pattern.nests[nest].lanes;
        for (std::size_t l = 0; l < lanes.size(); ++l) {
            if (source.references[lanes[l].reference].write != write)
                continue;
            const auto same = std::ranges::find_if(group.lanes, [&](std::size_t other) {
                return lanes[other].sameAddress(lanes[l]) && lanes[other].endsWith(lanes[l]);
            });
            if (same == group.lanes.end() || write) {
                group.lanes.push_back(l);
                group.broadcasts.push_back(0);
            } else {
                ++group.broadcasts[static_cast<std::size_t>(same - group.lanes.begin())];
            }
        }
        if (group.lanes.empty())
            continue;
        group.dephasings = dephasingsOf(source, pattern.nests[nest], group);
        group.why = lockstepText(pattern.nests[nest], group, group.dephasings);
        pattern.groups.push_back(std::move(group));
    }
}

} // namespace

Result<AccessPattern> accessPattern(const ir::MemoryProgram& memory, const AccessParams& params,
                                    std::stop_token stop) {
    AccessPattern pattern;
    pattern.dims = memory.type.dims;
    pattern.bits = ir::info(memory.type.scalar).bits;
    pattern.ports = memory.ports;
    for (const ir::MemoryNest& nest : memory.nests) {
        if (ir::laneCount(nest) > kMaxMemoryLanes)
            return makeError("too-many-lanes", "a loop makes more than " +
                                                   std::to_string(kMaxMemoryLanes) +
                                                   " accesses in one cycle");
        pattern.nests.push_back(unroll(nest));
        pattern.loops.push_back(nest.loops);
        std::vector<std::string> texts;
        for (const ir::MemoryReference& reference : nest.references)
            texts.push_back(reference.text);
        pattern.texts.push_back(std::move(texts));
        addGroups(pattern, nest, pattern.nests.size() - 1);
    }
    const Status collected = Collector(pattern, params, std::move(stop)).collect();
    if (!collected)
        return collected.error();
    return pattern;
}

Visited visitedBy(const AccessPattern& pattern, std::size_t group, std::size_t k) {
    const ir::UnrolledNest& nest = pattern.nests[pattern.groups[group].nest];
    const std::array<const ir::MemoryLane*, 1> lane = {&pattern.lane(group, k)};
    Region region = regionOf(lane, nest.generators, pattern.dims);
    Visited active;
    if (region.closedForm && lane[0]->limits.empty()) {
        if (!region.empty)
            active.starts.push_back(std::move(region.starts));
        return active;
    }
    std::set<Address> visited;
    std::int64_t budget = std::int64_t{1} << 18;
    active.exact =
        enumeratePoints(nest, {pattern.groups[group].lanes[k]}, pattern.dims, budget,
                        [&](const std::vector<std::int64_t>& point) {
                            Address x = addressAt(*lane[0], point);
                            if (isRunning(*lane[0], point) && ir::isInside(x, pattern.dims))
                                visited.insert(std::move(x));
                        });
    for (const Address& x : visited)
        active.starts.push_back({x, {}});
    return active;
}

} // namespace marquetry::banking
