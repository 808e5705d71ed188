// Witnesses of conflicts: found by running the loops, so that they also check the closed form.
#include "engine/banking/witness_text.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

constexpr std::int64_t kMostWitnessSteps = std::int64_t{1} << 21;

std::int64_t floorMod(std::int64_t a, std::int64_t m) {
    const std::int64_t r = a % m;
    return r < 0 ? r + m : r;
}

std::int64_t bankOf(const std::vector<ir::FlatMap>& maps, const Address& x) {
    std::int64_t bank = 0;
    for (const ir::FlatMap& map : maps) {
        std::int64_t u = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            u += map.alpha[d] * x[d];
        bank = bank * map.banks + floorMod(u / map.block, map.banks);
    }
    return bank;
}

/// Runs one set of lanes until all its addresses share a bank.
std::optional<Witness> runSet(const Pattern& pattern, const std::vector<ir::FlatMap>& maps,
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
        std::size_t g = ranges->size();
        for (; g > 0; --g) {
            if (++witness.iteration[g - 1] <= (*ranges)[g - 1].second)
                break;
            witness.iteration[g - 1] = (*ranges)[g - 1].first;
        }
        if (g == 0)
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

std::optional<Witness> findWitness(const Pattern& pattern, const std::vector<ir::FlatMap>& maps,
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

bool concerns(const Witness& witness, const Pattern& pattern, std::size_t g) {
    const ir::Generator& generator =
        pattern.nests[pattern.groups[witness.group].nest].generators[g];
    if (!generator.unknown())
        return !generator.split;
    return std::ranges::any_of(
        witness.lanes, [&](std::size_t k) { return dependsOn(pattern.lane(witness.group, k), g); });
}

std::string text(const Witness& witness, const Pattern& pattern) {
    std::string result;
    for (std::size_t k = 0; k < witness.lanes.size(); ++k)
        result += (k == 0                          ? ""
                   : k + 1 == witness.lanes.size() ? " and "
                                                   : ", ") +
                  pattern.laneText(witness.group, witness.lanes[k]);
    result += witness.lanes.size() == 2 ? " both" : " all";
    result += " hit bank " + std::to_string(witness.bank);
    const std::size_t nest = pattern.groups[witness.group].nest;
    std::string moment;
    for (std::size_t g = 0; g < witness.iteration.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (!concerns(witness, pattern, g))
            continue;
        moment += (moment.empty() ? " at " : ", ") + generator.name + " = " +
                  std::to_string(generator.valueAt(witness.iteration[g]));
    }
    return result + moment;
}

} // namespace marquetry::banking
