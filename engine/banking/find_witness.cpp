// Witnesses of conflicts: found by running the loops, so that they also check the closed form.
#include "engine/banking/find_witness.h"

#include "engine/banking/conflict.h"
#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

constexpr std::int64_t kMostWitnessSteps = std::int64_t{1} << 21;

using Ranges = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// The next point, the last generator fastest; false after the last one.
bool advance(std::vector<std::int64_t>& point, const Ranges& ranges) {
    for (std::size_t g = ranges.size(); g > 0; --g) {
        if (++point[g - 1] <= ranges[g - 1].second)
            return true;
        point[g - 1] = ranges[g - 1].first;
    }
    return false;
}

/// Runs one set of lanes until all its addresses share a bank.
std::optional<Witness> runSet(const AccessPattern& pattern, const std::vector<ir::FlatMap>& maps,
                              std::size_t group, const std::vector<std::size_t>& set,
                              std::int64_t& budget) {
    const ir::UnrolledNest& nest = pattern.nests[pattern.groups[group].nest];
    std::vector<std::size_t> lanes;
    for (const std::size_t k : set)
        lanes.push_back(pattern.groups[group].lanes[k]);
    const auto ranges = ir::generatorRanges(nest, lanes, pattern.dims);
    if (!ranges)
        return std::nullopt;
    Witness witness{group, set, {}, {}, 0};
    for (const auto& [lo, hi] : *ranges)
        witness.iteration.push_back(lo);
    for (; budget > 0; --budget) {
        witness.addresses.clear();
        bool shared = true;
        for (const std::size_t l : lanes) {
            Address x = addressAt(nest.lanes[l], witness.iteration);
            shared = shared && isRunning(nest.lanes[l], witness.iteration) &&
                     ir::isInside(x, pattern.dims) &&
                     std::ranges::find(witness.addresses, x) == witness.addresses.end();
            if (!shared)
                break;
            const std::int64_t bank = bankOf(maps, x);
            shared = witness.addresses.empty() || bank == witness.bank;
            witness.bank = bank;
            witness.addresses.push_back(std::move(x));
        }
        if (shared)
            return witness;
        if (!advance(witness.iteration, *ranges))
            return std::nullopt;
    }
    return std::nullopt;
}

bool sameCopy(const std::vector<std::size_t>& set, std::size_t group, bool write,
              const std::vector<std::vector<std::int64_t>>& copyOf) {
    if (copyOf.empty() || write)
        return true;
    return std::ranges::all_of(
        set, [&](std::size_t k) { return copyOf[group][k] == copyOf[group][set[0]]; });
}

} // namespace

std::optional<Witness> findWitness(const AccessPattern& pattern,
                                   const std::vector<ir::FlatMap>& maps,
                                   const std::vector<std::vector<std::int64_t>>& copyOf) {
    std::int64_t budget = kMostWitnessSteps;
    const auto tryAll = [&](const auto& sets, bool closedForm) -> std::optional<Witness> {
        for (const auto& set : sets) {
            if (!sameCopy(set.lanes, set.group, pattern.groups[set.group].write, copyOf))
                continue;
            if constexpr (requires { set.collision; }) {
                if (closedForm && !collides(maps, set.collision))
                    continue;
            }
            if (auto witness = runSet(pattern, maps, set.group, set.lanes, budget))
                return witness;
        }
        return std::nullopt;
    };
    if (auto witness = tryAll(pattern.laneCollisions, true))
        return witness;
    return tryAll(pattern.unresolved, false);
}

} // namespace marquetry::banking
