// Banking by enumeration: what the loops access, in which bank and at which offset it lies, and
// the fewest banks of any scheme. Reads the checked item and nothing of engine/banking.
#pragma once

#include "engine/ir/memory_program.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace marquetry::banking::oracle {

using Address = std::vector<std::int64_t>;
using Maps = std::vector<ir::FlatMap>;

struct Access {
    std::size_t nest = 0;
    std::size_t reference = 0;
    std::vector<std::int64_t> lane; ///< lane number per loop
    Address address;
};

/// One cycle: all accesses of one kind in one iteration that happen.
using Cycle = std::vector<Access>;

inline bool inside(const Address& x, const ir::Shape& dims) {
    for (std::size_t d = 0; d < dims.size(); ++d) {
        if (x[d] < 0 || x[d] >= dims[d])
            return false;
    }
    return true;
}

/// Calls visit(values) for all combinations 0 ≤ value_k < counts_k.
inline void forAll(const std::vector<std::int64_t>& counts,
                   const std::function<void(const std::vector<std::int64_t>&)>& visit) {
    std::vector<std::int64_t> values(counts.size());
    while (true) {
        visit(values);
        std::size_t k = counts.size();
        while (k > 0 && ++values[k - 1] >= counts[k - 1])
            values[--k] = 0;
        if (k == 0)
            return;
    }
}

/// Values of an iterator whose end is no number that are tried: more than any array here has rows.
inline constexpr std::int64_t kMostValues = 8;

/// The parallel loops in whose lanes loop j is at a place of its own: those that its end, or the
/// end of a loop around it, depends on.
inline std::set<std::size_t> apart(const ir::MemoryNest& nest, std::size_t j) {
    std::set<std::size_t> loops;
    for (std::size_t k = 0; k <= j; ++k) {
        if (!nest.loops[k].bound)
            continue;
        const ir::AffineForm& bound = *nest.loops[k].bound;
        std::set<std::size_t> named;
        for (std::size_t p = 0; p < bound.coefficients.size(); ++p)
            if (bound.coefficients[p] != 0)
                named.insert(p);
        for (std::size_t s = 0; s < bound.symbols.size(); ++s)
            if (bound.symbols[s] != 0)
                named.insert(nest.symbols[s].loops.begin(), nest.symbols[s].loops.end());
        for (const std::size_t p : named)
            if (nest.loops[p].parallel > 1)
                loops.insert(p);
    }
    return loops;
}

/// Every cycle of the item. Unknown values run over −reach … reach.
inline std::vector<Cycle> cyclesOf(const ir::MemoryProgram& memory, std::int64_t reach) {
    std::vector<Cycle> cycles;
    for (std::size_t n = 0; n < memory.nests.size(); ++n) {
        const ir::MemoryNest& nest = memory.nests[n];
        std::vector<std::int64_t> rounds;
        std::vector<std::int64_t> lanes;
        for (const ir::MemoryLoop& loop : nest.loops) {
            std::int64_t values = 0;
            const std::int64_t end = loop.bound ? loop.begin + kMostValues : loop.end;
            for (std::int64_t v = loop.begin; v < end; v += loop.step)
                ++values;
            rounds.push_back((values + loop.parallel - 1) / loop.parallel);
            lanes.push_back(loop.parallel);
        }
        // The copies of each unknown value, and the place of each in a list of values.
        std::map<std::pair<std::size_t, Address>, std::size_t> copies;
        forAll(lanes, [&](const Address& lane) {
            for (std::size_t s = 0; s < nest.symbols.size(); ++s) {
                Address key;
                for (const std::size_t loop : nest.symbols[s].loops)
                    key.push_back(lane[loop]);
                copies.emplace(std::pair(s, key), copies.size());
            }
        });
        std::vector<std::int64_t> span(copies.size(), 2 * reach + 1);
        // The rounds of loops whose lanes are apart come behind, in the same list.
        std::vector<std::set<std::size_t>> drifts;
        for (std::size_t j = 0; j < nest.loops.size(); ++j)
            drifts.push_back(apart(nest, j));
        const auto roundKey = [&](std::size_t j, const Address& lane) {
            Address key;
            for (const std::size_t loop : drifts[j])
                key.push_back(lane[loop]);
            return std::pair(nest.symbols.size() + j, key);
        };
        forAll(lanes, [&](const Address& lane) {
            for (std::size_t j = 0; j < nest.loops.size(); ++j)
                if (!drifts[j].empty() && copies.emplace(roundKey(j, lane), copies.size()).second)
                    span.push_back(rounds[j]);
        });
        std::vector<std::int64_t> common = rounds;
        for (std::size_t j = 0; j < nest.loops.size(); ++j)
            if (!drifts[j].empty())
                common[j] = 1;
        forAll(common, [&](const Address& round) {
            forAll(span, [&](const Address& unknown) {
                Cycle reads;
                Cycle writes;
                forAll(lanes, [&](const Address& lane) {
                    Address iterator;
                    for (std::size_t j = 0; j < lanes.size(); ++j) {
                        const ir::MemoryLoop& loop = nest.loops[j];
                        const std::int64_t at =
                            drifts[j].empty() ? round[j] : unknown[copies.at(roundKey(j, lane))];
                        iterator.push_back(loop.begin + loop.step * (loop.parallel * at + lane[j]));
                        std::int64_t end = loop.end;
                        if (loop.bound) {
                            end = loop.bound->constant;
                            for (std::size_t p = 0; p < j; ++p)
                                end += loop.bound->coefficients[p] * iterator[p];
                            for (std::size_t s = 0; s < loop.bound->symbols.size(); ++s) {
                                Address key;
                                for (const std::size_t k : nest.symbols[s].loops)
                                    key.push_back(lane[k]);
                                end +=
                                    loop.bound->symbols[s] * (unknown[copies.at({s, key})] - reach);
                            }
                        }
                        if (iterator.back() >= end)
                            return;
                    }
                    for (std::size_t r = 0; r < nest.references.size(); ++r) {
                        Address x;
                        for (const ir::AffineForm& form : nest.references[r].index) {
                            std::int64_t value = form.constant;
                            for (std::size_t j = 0; j < iterator.size(); ++j)
                                value += form.coefficients[j] * iterator[j];
                            for (std::size_t s = 0; s < form.symbols.size(); ++s) {
                                Address key;
                                for (const std::size_t loop : nest.symbols[s].loops)
                                    key.push_back(lane[loop]);
                                value += form.symbols[s] * (unknown[copies.at({s, key})] - reach);
                            }
                            x.push_back(value);
                        }
                        if (inside(x, memory.type.dims))
                            (nest.references[r].write ? writes : reads).push_back({n, r, lane, x});
                    }
                });
                for (Cycle* cycle : {&reads, &writes}) {
                    if (!cycle->empty())
                        cycles.push_back(std::move(*cycle));
                }
            });
        });
    }
    return cycles;
}

/// The distinct sets of addresses of the cycles.
inline std::vector<std::vector<Address>> addressSets(const std::vector<Cycle>& cycles) {
    std::set<std::vector<Address>> sets;
    for (const Cycle& cycle : cycles) {
        std::set<Address> addresses;
        for (const Access& access : cycle)
            addresses.insert(access.address);
        if (addresses.size() > 1)
            sets.insert({addresses.begin(), addresses.end()});
    }
    return {sets.begin(), sets.end()};
}

inline std::int64_t bankOf(const Maps& maps, const Address& x) {
    std::int64_t bank = 0;
    for (const ir::FlatMap& map : maps) {
        if (map.form == ir::MapForm::Parity) {
            bool odd = false;
            for (std::size_t d = 0; d < x.size(); ++d) {
                for (std::int64_t both = x[d] & map.alpha[d]; both != 0; both /= 2)
                    odd ^= both % 2 != 0;
            }
            bank = bank * 2 + (odd ? 1 : 0);
            continue;
        }
        const std::int64_t u =
            std::inner_product(x.begin(), x.end(), map.alpha.begin(), std::int64_t{0});
        bank = bank * map.banks + u / map.block % map.banks;
    }
    return bank;
}

inline bool conflictFree(const Maps& maps, const std::vector<std::vector<Address>>& sets,
                         int ports) {
    for (const auto& set : sets) {
        std::map<std::int64_t, int> load;
        for (const Address& x : set) {
            if (++load[bankOf(maps, x)] > ports)
                return false;
        }
    }
    return true;
}

/// Fewer banks have too few ports for the largest cycle.
inline std::int64_t pigeonhole(const std::vector<std::vector<Address>>& sets, int ports) {
    std::size_t largest = 1;
    for (const auto& set : sets)
        largest = std::max(largest, set.size());
    return (static_cast<std::int64_t>(largest) + ports - 1) / ports;
}

/// Searches the forms of the design by trying everything: flat with B ≤ extent, hierarchical with
/// B_i ≤ extent, vectors of 2 … n flat maps with B ≤ 8, for one number of banks.
class Exhaustive {
public:
    Exhaustive(const ir::Shape& dims, std::vector<std::vector<Address>> sets, int ports)
        : dims_(dims), sets_(std::move(sets)), ports_(static_cast<std::size_t>(ports)) {
        std::set<std::vector<Address>> distinct;
        for (const auto& set : sets_) {
            if (set.size() > ports_)
                choose(set, 0, {}, distinct);
        }
        incidents_.assign(distinct.begin(), distinct.end());
    }

    bool possible(std::int64_t banks) {
        const std::int64_t widest = *std::max_element(dims_.begin(), dims_.end());
        std::vector<std::size_t> all(dims_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        if (incidents_.empty() || tables(all, banks, widest).contains(Bits(size())))
            return true;
        if (dims_.size() == 1)
            return false;
        Bits whole(size(), ~std::uint64_t{0});
        return hierarchical(0, banks, whole) || vectors(banks, dims_.size(), whole, true);
    }

private:
    using Bits = std::vector<std::uint64_t>;
    using Table = std::set<Bits>;

    std::size_t size() const { return (incidents_.size() + 63) / 64; }

    /// All (ports + 1)-subsets: no bank may hold one.
    void choose(const std::vector<Address>& set, std::size_t from, std::vector<Address> chosen,
                std::set<std::vector<Address>>& distinct) {
        if (chosen.size() == ports_ + 1) {
            distinct.insert(chosen);
            return;
        }
        for (std::size_t k = from; k < set.size(); ++k) {
            chosen.push_back(set[k]);
            choose(set, k + 1, chosen, distinct);
            chosen.pop_back();
        }
    }

    const Table& tables(const std::vector<std::size_t>& axes, std::int64_t banks,
                        std::int64_t maxBlock) {
        Table& table = tables_[{axes, {banks, maxBlock}}];
        if (!table.empty())
            return table;
        for (std::int64_t block = 1; block <= maxBlock; ++block) {
            forAll(std::vector<std::int64_t>(axes.size(), banks * block), [&](const Address& a) {
                ir::FlatMap map{Address(dims_.size()), block, banks};
                for (std::size_t k = 0; k < axes.size(); ++k)
                    map.alpha[axes[k]] = a[k];
                const Maps one = {map};
                Bits bits(size());
                for (std::size_t k = 0; k < incidents_.size(); ++k) {
                    const std::int64_t bank = bankOf(one, incidents_[k][0]);
                    const bool together =
                        std::all_of(incidents_[k].begin(), incidents_[k].end(),
                                    [&](const Address& x) { return bankOf(one, x) == bank; });
                    if (together)
                        bits[k / 64] |= std::uint64_t{1} << (k % 64);
                }
                table.insert(std::move(bits));
            });
        }
        return table;
    }

    bool clean(const Bits& bits) const {
        for (std::size_t k = 0; k < incidents_.size(); ++k) {
            if ((bits[k / 64] >> (k % 64) & 1) != 0)
                return false;
        }
        return true;
    }

    static Bits both(const Bits& a, const Bits& b) {
        Bits result(a.size());
        for (std::size_t k = 0; k < a.size(); ++k)
            result[k] = a[k] & b[k];
        return result;
    }

    bool hierarchical(std::size_t dim, std::int64_t banks, const Bits& together) {
        if (dim == dims_.size())
            return banks == 1 && clean(together);
        for (std::int64_t n = 1; n <= banks; ++n) {
            if (banks % n != 0)
                continue;
            for (const Bits& bits : tables({dim}, n, dims_[dim])) {
                if (hierarchical(dim + 1, banks / n, both(together, bits)))
                    return true;
            }
        }
        return false;
    }

    bool vectors(std::int64_t banks, std::size_t most, const Bits& together, bool first) {
        if (banks == 1)
            return clean(together);
        if (most == 0)
            return false;
        std::vector<std::size_t> all(dims_.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        for (std::int64_t n = 2; n <= (first ? banks - 1 : banks); ++n) {
            if (banks % n != 0)
                continue;
            for (const Bits& bits : tables(all, n, 8)) {
                if (vectors(banks / n, most - 1, both(together, bits), false))
                    return true;
            }
        }
        return false;
    }

    ir::Shape dims_;
    std::vector<std::vector<Address>> sets_;
    std::size_t ports_;
    std::vector<std::vector<Address>> incidents_;
    std::map<std::pair<std::vector<std::size_t>, std::pair<std::int64_t, std::int64_t>>, Table>
        tables_;
};

/// Whether some matrix over GF(2) keeps all sets apart in 2^bits banks: all matrices are tried.
inline bool parityPossible(const ir::Shape& dims, const std::vector<std::vector<Address>>& sets,
                           int ports, int bits) {
    std::vector<std::int64_t> counts;
    for (int row = 0; row < bits; ++row) {
        for (const std::int64_t extent : dims) {
            std::int64_t masks = 1;
            while (masks < extent)
                masks *= 2;
            counts.push_back(masks);
        }
    }
    bool possible = false;
    forAll(counts, [&](const std::vector<std::int64_t>& masks) {
        if (possible)
            return;
        Maps maps;
        for (std::size_t at = 0; at < masks.size(); at += dims.size())
            maps.push_back(
                ir::parityMap({masks.begin() + static_cast<std::ptrdiff_t>(at),
                               masks.begin() + static_cast<std::ptrdiff_t>(at + dims.size())}));
        possible = conflictFree(maps, sets, ports);
    });
    return possible;
}

} // namespace marquetry::banking::oracle
