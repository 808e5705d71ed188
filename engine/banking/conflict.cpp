#include "engine/banking/conflict.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/parity_conflict.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace marquetry::banking {

namespace {

constexpr std::int64_t kMostPoints = std::int64_t{1} << 16;

std::int64_t mod(std::int64_t a, std::int64_t m) {
    const std::int64_t r = a % m;
    return r < 0 ? r + m : r;
}

/// α · x modulo m. No overflow: α and the entries of x inside an array are at most 2^31.
std::int64_t dotMod(const ir::FlatMap& map, const Address& x, std::int64_t m) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < x.size(); ++d) {
        if (map.alpha[d] != 0 && x[d] != 0)
            sum = (sum + mod(map.alpha[d] * x[d], m)) % m;
    }
    return sum;
}

/// Residues r = u mod B for which all addresses lie in one bank: lo ≤ r < hi.
struct Interval {
    std::int64_t lo = 0;
    std::int64_t hi = 0;
    bool whole(std::int64_t block) const { return lo == 0 && hi == block; }
};

Interval sameBank(const ir::FlatMap& map, const Collision& collision) {
    Interval interval{0, map.block};
    if (map.banks == 1)
        return interval;
    const std::int64_t modulus = map.banks * map.block;
    for (const Address& delta : collision.deltas) {
        const std::int64_t d = dotMod(map, delta, modulus);
        if (d < map.block)
            interval.hi = std::min(interval.hi, map.block - d);
        else if (d > modulus - map.block)
            interval.lo = std::max(interval.lo, modulus - d);
        else
            return {0, 0};
    }
    return interval;
}

struct Progression {
    std::int64_t step = 0;
    std::int64_t trips = 1;
};

/// {base + Σ t_j step_j} modulo m, as base + short counters + the subgroup of multiples of `unit`.
struct Residues {
    std::int64_t base = 0;
    std::int64_t unit = 1;
    std::vector<Progression> rest;

    Residues(std::int64_t start, std::vector<Progression> counters, std::int64_t m)
        : base(start), unit(m) {
        for (bool changed = true; changed;) {
            changed = false;
            std::erase_if(counters, [&](const Progression& c) {
                const std::int64_t g = std::gcd(unit, c.step);
                if (c.trips < unit / g)
                    return false;
                changed = changed || g != unit;
                unit = g;
                return true;
            });
        }
        for (const Progression& c : counters)
            rest.push_back({mod(c.step, unit), c.trips});
    }

    /// Calls visit(residue modulo unit) for all; stops when it yields true.
    template <class Visitor>
    bool any(const Visitor& visit) const {
        return anyFrom(0, mod(base, unit), visit);
    }

    double points() const {
        double count = 1;
        for (const Progression& c : rest)
            count *= static_cast<double>(c.trips);
        return count;
    }

private:
    template <class Visitor>
    bool anyFrom(std::size_t k, std::int64_t at, const Visitor& visit) const {
        if (k == rest.size())
            return visit(at);
        for (std::int64_t t = 0; t < rest[k].trips; ++t) {
            if (anyFrom(k + 1, at, visit))
                return true;
            at += rest[k].step;
            if (at >= unit)
                at -= unit;
        }
        return false;
    }
};

Residues residuesOf(const ir::FlatMap& map, const Starts& starts, std::int64_t m) {
    std::vector<Progression> counters;
    for (const Span& span : starts.spans)
        counters.push_back({dotMod(map, span.step, m), span.trips});
    return {dotMod(map, starts.base, m), std::move(counters), m};
}

bool mayMeet(const ir::FlatMap& map, const Starts& starts, const Interval& interval) {
    const Residues residues = residuesOf(map, starts, map.block);
    if (residues.points() > static_cast<double>(kMostPoints))
        return true; // too many to tell: taken as a conflict
    return residues.any([&](std::int64_t at) {
        return interval.lo + mod(at - interval.lo, residues.unit) < interval.hi;
    });
}

using Tuple = std::vector<std::int64_t>;

/// Whether every counter moves at most one of the maps, modulo `moduli`: then each map takes its
/// residues whatever the others do.
bool independent(const std::vector<const ir::FlatMap*>& maps, const Tuple& moduli,
                 const Starts& starts) {
    for (const Span& span : starts.spans) {
        int moved = 0;
        for (std::size_t m = 0; m < maps.size(); ++m)
            moved += dotMod(*maps[m], span.step, moduli[m]) != 0 ? 1 : 0;
        if (moved > 1)
            return false;
    }
    return true;
}

/// All combinations of residues that occur, one counter after the other; nothing when they are more
/// than kMostPoints.
std::optional<std::set<Tuple>> jointResidues(const std::vector<const ir::FlatMap*>& maps,
                                             const Tuple& moduli, const Starts& starts) {
    Tuple first;
    for (std::size_t m = 0; m < maps.size(); ++m)
        first.push_back(dotMod(*maps[m], starts.base, moduli[m]));
    std::set<Tuple> reached = {first};
    for (const Span& span : starts.spans) {
        Tuple step;
        for (std::size_t m = 0; m < maps.size(); ++m)
            step.push_back(dotMod(*maps[m], span.step, moduli[m]));
        std::vector<Tuple> front(reached.begin(), reached.end());
        for (std::int64_t t = 1; t < span.trips && !front.empty(); ++t) {
            std::vector<Tuple> next;
            for (Tuple& residues : front) {
                for (std::size_t m = 0; m < maps.size(); ++m)
                    residues[m] = (residues[m] + step[m]) % moduli[m];
                next.push_back(residues);
            }
            front.clear();
            for (Tuple& residues : next) {
                if (reached.insert(residues).second)
                    front.push_back(std::move(residues));
            }
            if (static_cast<std::int64_t>(reached.size()) > kMostPoints)
                return std::nullopt;
        }
    }
    return reached;
}

/// The maps whose interval is not whole, at one progression of first addresses.
class JointTest {
public:
    JointTest(Maps maps, const std::vector<Interval>& intervals) {
        for (std::size_t m = 0; m < maps.size(); ++m) {
            if (!intervals[m].whole(maps[m].block)) {
                maps_.push_back(&maps[m]);
                blocks_.push_back(maps[m].block);
                intervals_.push_back(intervals[m]);
            }
        }
    }

    bool meets(const Starts& starts) const {
        if (independent(maps_, blocks_, starts)) {
            for (std::size_t m = 0; m < maps_.size(); ++m) {
                if (!banking::mayMeet(*maps_[m], starts, intervals_[m]))
                    return false;
            }
            return true;
        }
        const auto reached = jointResidues(maps_, blocks_, starts);
        return !reached || // too many to tell: taken as a conflict
               std::ranges::any_of(*reached,
                                   [&](const Tuple& residues) { return inside(residues); });
    }

private:
    bool inside(const std::vector<std::int64_t>& residues) const {
        for (std::size_t m = 0; m < maps_.size(); ++m) {
            if (residues[m] < intervals_[m].lo || residues[m] >= intervals_[m].hi)
                return false;
        }
        return true;
    }

    std::vector<const ir::FlatMap*> maps_;
    Tuple blocks_;
    std::vector<Interval> intervals_;
};

} // namespace

bool collides(Maps maps, const Collision& collision) {
    if (collision.starts.empty())
        return false;
    if (isParity(maps))
        return parityCollides(maps, collision);
    // The common case, without memory: one map, or blocks of one.
    bool whole = true;
    for (const ir::FlatMap& map : maps) {
        const Interval interval = sameBank(map, collision);
        if (interval.lo >= interval.hi)
            return false;
        whole = whole && interval.whole(map.block);
    }
    if (whole)
        return true;
    if (maps.size() == 1) {
        const Interval interval = sameBank(maps[0], collision);
        return std::ranges::any_of(collision.starts,
                                   [&](const Starts& s) { return mayMeet(maps[0], s, interval); });
    }
    std::vector<Interval> intervals;
    for (const ir::FlatMap& map : maps)
        intervals.push_back(sameBank(map, collision));
    const JointTest test(maps, intervals);
    return std::ranges::any_of(collision.starts,
                               [&](const Starts& starts) { return test.meets(starts); });
}

std::optional<std::size_t> firstConflict(Maps maps, const AccessPattern& pattern) {
    for (std::size_t c = 0; c < pattern.collisions.size(); ++c) {
        if (collides(maps, pattern.collisions[c]))
            return c;
    }
    return std::nullopt;
}

namespace {

/// The banks of one map that its residues reach.
std::vector<std::int64_t> reachedBanks(const ir::FlatMap& map, const Starts& starts) {
    const std::int64_t modulus = map.banks * map.block;
    const Residues residues = residuesOf(map, starts, modulus);
    std::set<std::int64_t> reached;
    if (residues.points() > static_cast<double>(kMostPoints)) { // too many to tell: all
        for (std::int64_t b = 0; b < map.banks; ++b)
            reached.insert(b);
    }
    if (static_cast<std::int64_t>(reached.size()) == map.banks)
        return {reached.begin(), reached.end()};
    residues.any([&](std::int64_t at) {
        if (residues.unit == modulus)
            reached.insert(at / map.block);
        for (std::int64_t lo = 0; residues.unit < modulus && lo < modulus; lo += map.block) {
            if (mod(at - lo, residues.unit) < map.block)
                reached.insert(lo / map.block);
        }
        return static_cast<std::int64_t>(reached.size()) == map.banks;
    });
    return {reached.begin(), reached.end()};
}

/// Marks every combination of the banks that the maps reach.
void markProduct(Maps maps, const std::vector<std::vector<std::int64_t>>& perMap,
                 std::vector<bool>& seen) {
    std::vector<std::size_t> digit(maps.size());
    while (true) {
        std::int64_t bank = 0;
        for (std::size_t m = 0; m < maps.size(); ++m)
            bank = bank * maps[m].banks + perMap[m][digit[m]];
        seen[static_cast<std::size_t>(bank)] = true;
        std::size_t m = maps.size();
        while (m > 0 && ++digit[m - 1] == perMap[m - 1].size())
            digit[--m] = 0;
        if (m == 0)
            return;
    }
}

} // namespace

std::vector<bool> banksSeen(Maps maps, const Visited& visited) {
    if (isParity(maps))
        return parityBanksSeen(maps, visited);
    std::int64_t banks = 1;
    std::vector<const ir::FlatMap*> pointers;
    Tuple moduli;
    for (const ir::FlatMap& map : maps) {
        banks *= map.banks;
        pointers.push_back(&map);
        moduli.push_back(map.banks * map.block);
    }
    std::vector<bool> seen(static_cast<std::size_t>(banks), !visited.exact);
    for (const Starts& starts : visited.starts) {
        const auto reached = independent(pointers, moduli, starts)
                                 ? std::nullopt
                                 : jointResidues(pointers, moduli, starts);
        if (!reached) {
            std::vector<std::vector<std::int64_t>> perMap;
            for (const ir::FlatMap& map : maps)
                perMap.push_back(reachedBanks(map, starts));
            markProduct(maps, perMap, seen);
            continue;
        }
        for (const Tuple& residues : *reached) {
            std::int64_t bank = 0;
            for (std::size_t m = 0; m < maps.size(); ++m)
                bank = bank * maps[m].banks + residues[m] / maps[m].block;
            seen[static_cast<std::size_t>(bank)] = true;
        }
    }
    return seen;
}

std::optional<std::vector<std::vector<std::int64_t>>>
assignCopies(Maps maps, const AccessPattern& pattern, std::int64_t most) {
    std::vector<std::vector<const std::vector<std::size_t>*>> sets(pattern.groups.size());
    for (const LaneCollision& c : pattern.laneCollisions) {
        if (!collides(maps, c.collision))
            continue;
        if (pattern.groups[c.group].write)
            return std::nullopt;
        sets[c.group].push_back(&c.lanes);
    }
    for (const Unresolved& u : pattern.unresolved) {
        if (pattern.groups[u.group].write)
            return std::nullopt;
        sets[u.group].push_back(&u.lanes);
    }
    std::vector<std::vector<std::int64_t>> copyOf;
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        std::vector<std::int64_t> copies(pattern.groups[g].lanes.size(), -1);
        for (std::size_t lane = 0; lane < copies.size(); ++lane) {
            std::vector<bool> taken(static_cast<std::size_t>(most));
            for (const auto* set : sets[g]) {
                if (std::ranges::find(*set, lane) == set->end())
                    continue;
                // A copy is taken when all other lanes of the set read it.
                std::int64_t common = -2;
                for (const std::size_t other : *set) {
                    if (other == lane)
                        continue;
                    if (common == -2)
                        common = copies[other];
                    else if (common != copies[other])
                        common = -1;
                }
                if (common >= 0)
                    taken[static_cast<std::size_t>(common)] = true;
            }
            const auto free = std::ranges::find(taken, false);
            if (free == taken.end())
                return std::nullopt;
            copies[lane] = free - taken.begin();
        }
        copyOf.push_back(std::move(copies));
    }
    return copyOf;
}

} // namespace marquetry::banking
