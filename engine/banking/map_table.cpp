#include "engine/banking/map_table.h"

#include "engine/banking/starts.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace marquetry::banking {

namespace {

bool disjoint(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    for (std::size_t w = 0; w < a.size(); ++w) {
        if ((a[w] & b[w]) != 0)
            return false;
    }
    return true;
}

bool subset(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    for (std::size_t w = 0; w < a.size(); ++w) {
        if ((a[w] & ~b[w]) != 0)
            return false;
    }
    return true;
}

std::vector<std::uint64_t> common(const std::vector<std::uint64_t>& a,
                                  const std::vector<std::uint64_t>& b) {
    std::vector<std::uint64_t> both(a.size());
    for (std::size_t w = 0; w < a.size(); ++w)
        both[w] = a[w] & b[w];
    return both;
}

std::int64_t bankUnder(const ir::FlatMap& map, const Address& x) {
    std::int64_t u = 0;
    for (std::size_t d = 0; d < x.size(); ++d)
        u += map.alpha[d] * x[d];
    return u / map.block % map.banks;
}

} // namespace

Incidents incidentsOf(const AccessPattern& pattern, std::size_t most) {
    Incidents incidents;
    std::set<std::vector<Address>> seen;
    for (const Collision& collision : pattern.collisions) {
        for (const Starts& starts : collision.starts) {
            if (pointsOf(starts) + static_cast<double>(seen.size()) > static_cast<double>(most)) {
                incidents.complete = false;
                return incidents;
            }
            std::vector<std::int64_t> t(starts.spans.size());
            while (true) {
                std::vector<Address> addresses = {starts.base};
                for (std::size_t s = 0; s < t.size(); ++s) {
                    for (std::size_t d = 0; d < pattern.dims.size(); ++d)
                        addresses[0][d] += t[s] * starts.spans[s].step[d];
                }
                for (const Address& delta : collision.deltas) {
                    addresses.push_back(addresses[0]);
                    for (std::size_t d = 0; d < pattern.dims.size(); ++d)
                        addresses.back()[d] += delta[d];
                }
                seen.insert(std::move(addresses));
                std::size_t s = t.size();
                while (s > 0 && ++t[s - 1] == starts.spans[s - 1].trips)
                    t[--s] = 0;
                if (s == 0)
                    break;
            }
        }
    }
    incidents.addresses.assign(seen.begin(), seen.end());
    return incidents;
}

MapTable::Bits MapTable::togetherUnder(const ir::FlatMap& map) const {
    Bits bits((incidents_.addresses.size() + 63) / 64);
    for (std::size_t k = 0; k < incidents_.addresses.size(); ++k) {
        const std::vector<Address>& addresses = incidents_.addresses[k];
        const std::int64_t bank = bankUnder(map, addresses[0]);
        bool together = true;
        for (std::size_t a = 1; together && a < addresses.size(); ++a)
            together = bankUnder(map, addresses[a]) == bank;
        if (together)
            bits[k / 64] |= std::uint64_t{1} << (k % 64);
    }
    return bits;
}

/// All maps of `banks` banks that look at `dims` only.
void MapTable::addMaps(Entries& entries, const std::vector<std::size_t>& dims, std::int64_t banks,
                       std::int64_t maxBlock) {
    std::set<Bits> seen;
    const auto cost = static_cast<std::int64_t>(1 + incidents_.addresses.size() / 32);
    for (std::int64_t block = 1; block <= maxBlock; ++block) {
        const std::int64_t modulus = banks * block;
        ir::FlatMap map{std::vector<std::int64_t>(pattern_.dims.size()), block, banks};
        while (true) {
            std::int64_t g = block;
            for (const std::size_t d : dims)
                g = std::gcd(g, map.alpha[d]);
            if (g == 1) {
                if (!complete_ || !spend_(cost)) {
                    complete_ = false;
                    return;
                }
                Bits together = togetherUnder(map);
                if (seen.insert(together).second) {
                    used_ += 2 * together.size() * sizeof(std::uint64_t) + sizeof(Entry);
                    entries.push_back({std::move(together), map});
                    if (used_ > memoryBytes_) {
                        complete_ = false;
                        outOfMemory_ = true;
                        return;
                    }
                }
            }
            std::size_t k = dims.size();
            while (k > 0 && ++map.alpha[dims[k - 1]] == modulus)
                map.alpha[dims[--k]] = 0;
            if (k == 0)
                break;
        }
    }
}

/// A map that leaves more together than another one of as many banks is never needed.
void MapTable::keepLeast(Entries& entries) const {
    std::ranges::stable_sort(entries, {}, [](const Entry& e) {
        int count = 0;
        for (const std::uint64_t word : e.together)
            count += __builtin_popcountll(word);
        return count;
    });
    constexpr std::size_t kMostCompared = 4000;
    if (entries.size() > kMostCompared)
        return;
    Entries kept;
    for (Entry& entry : entries) {
        const bool needed = std::ranges::none_of(
            kept, [&](const Entry& other) { return subset(other.together, entry.together); });
        if (needed)
            kept.push_back(std::move(entry));
    }
    entries = std::move(kept);
}

const MapTable::Entries& MapTable::flatMaps(std::int64_t banks) {
    const auto [slot, fresh] = flat_.try_emplace(banks);
    Entries& entries = slot->second;
    if (!fresh)
        return entries;
    std::vector<std::size_t> dims(pattern_.dims.size());
    std::iota(dims.begin(), dims.end(), std::size_t{0});
    constexpr std::int64_t kMaxBlock = 8;
    addMaps(entries, dims, banks, kMaxBlock);
    keepLeast(entries);
    return entries;
}

const MapTable::Entries& MapTable::mapsOfDim(std::size_t dim, std::int64_t banks) {
    const auto [slot, fresh] = byDim_.try_emplace({dim, banks});
    Entries& entries = slot->second;
    if (!fresh)
        return entries;
    addMaps(entries, {dim}, banks, pattern_.dims[dim]);
    keepLeast(entries);
    return entries;
}

bool MapTable::extendHierarchical(std::size_t dim, std::int64_t rest, const Bits& together,
                                  std::vector<ir::FlatMap>& chosen) {
    if (dim == pattern_.dims.size())
        return rest == 1 &&
               std::ranges::all_of(together, [](std::uint64_t word) { return word == 0; });
    for (std::int64_t banks = 1; banks <= rest; ++banks) {
        if (rest % banks != 0)
            continue;
        if (banks == 1) {
            chosen.push_back({std::vector<std::int64_t>(pattern_.dims.size()), 1, 1});
            if (extendHierarchical(dim + 1, rest, together, chosen))
                return true;
            chosen.pop_back();
            continue;
        }
        const Entries& entries = mapsOfDim(dim, banks);
        for (const Entry& entry : entries) {
            if (!spend_(1)) {
                complete_ = false;
                return false;
            }
            chosen.push_back(entry.map);
            if (extendHierarchical(dim + 1, rest / banks, common(together, entry.together), chosen))
                return true;
            chosen.pop_back();
        }
    }
    return false;
}

std::optional<std::vector<ir::FlatMap>> MapTable::hierarchical(std::int64_t banks) {
    if (!incidents_.complete) {
        complete_ = false;
        return std::nullopt;
    }
    std::vector<ir::FlatMap> chosen;
    const Bits all((incidents_.addresses.size() + 63) / 64, ~std::uint64_t{0});
    Bits start = all;
    if (incidents_.addresses.size() % 64 != 0 && !start.empty())
        start.back() = (std::uint64_t{1} << (incidents_.addresses.size() % 64)) - 1;
    if (extendHierarchical(0, banks, start, chosen))
        return chosen;
    return std::nullopt;
}

bool MapTable::extendVector(std::int64_t rest, std::int64_t least, const Bits& together,
                            std::vector<ir::FlatMap>& chosen) {
    const bool last = chosen.size() + 1 == pattern_.dims.size();
    for (std::int64_t banks = least; banks <= rest; ++banks) {
        if (rest % banks != 0 || (last && banks != rest) ||
            (banks != rest && rest / banks < banks) || (chosen.empty() && banks == rest))
            continue;
        const Entries& entries = flatMaps(banks);
        for (const Entry& entry : entries) {
            if (!spend_(1)) {
                complete_ = false;
                return false;
            }
            chosen.push_back(entry.map);
            if (banks == rest
                    ? disjoint(together, entry.together)
                    : extendVector(rest / banks, banks, common(together, entry.together), chosen))
                return true;
            chosen.pop_back();
        }
    }
    return false;
}

std::optional<std::vector<ir::FlatMap>> MapTable::vector(std::int64_t banks) {
    if (!incidents_.complete) {
        complete_ = false;
        return std::nullopt;
    }
    std::vector<ir::FlatMap> chosen;
    const Bits all((incidents_.addresses.size() + 63) / 64, ~std::uint64_t{0});
    if (pattern_.dims.size() > 1 && extendVector(banks, 2, all, chosen))
        return chosen;
    return std::nullopt;
}

} // namespace marquetry::banking
