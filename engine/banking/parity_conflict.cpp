#include "engine/banking/parity_conflict.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/starts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace marquetry::banking {

namespace {

constexpr double kMostVisited = 1 << 20;

/// The indices modulo powers of two that no mask looks beyond, mixed radix.
class IndexResidues {
public:
    IndexResidues(Maps maps, std::size_t rank) {
        for (std::size_t d = 0; d < rank; ++d) {
            std::uint64_t all = 0;
            for (const ir::FlatMap& map : maps)
                all |= static_cast<std::uint64_t>(map.alpha[d]);
            bits_.push_back(static_cast<int>(std::bit_width(all)));
            width_ += bits_.back();
        }
    }

    double number() const { return std::ldexp(1.0, width_); }

    /// Those of all addresses; the counters move one after the other, so that a residue that a
    /// counter has reached is not gone on from again.
    std::vector<std::size_t> reached(const Starts& starts) const {
        std::vector<bool> known(std::size_t{1} << width_);
        std::vector<std::size_t> all = {numberOf(starts.base)};
        known[all[0]] = true;
        for (const Span& span : starts.spans) {
            std::vector<std::size_t> front = all;
            for (std::int64_t t = 1; t < span.trips && !front.empty(); ++t) {
                std::vector<std::size_t> next;
                for (const std::size_t residue : front) {
                    const std::size_t to = moved(residue, span.step);
                    if (!known[to])
                        next.push_back(to);
                    known[to] = true;
                }
                all.insert(all.end(), next.begin(), next.end());
                front = std::move(next);
            }
        }
        return all;
    }

    Address addressOf(std::size_t residue) const {
        Address x(bits_.size());
        for (std::size_t d = bits_.size(); d-- > 0; residue >>= bits_[d])
            x[d] = static_cast<std::int64_t>(residue & lowBits(d));
        return x;
    }

    /// Negative distances come round.
    Address plus(Address x, const Address& distance) const {
        for (std::size_t d = 0; d < x.size(); ++d)
            x[d] = static_cast<std::int64_t>(static_cast<std::uint64_t>(x[d] + distance[d]) &
                                             lowBits(d));
        return x;
    }

private:
    std::size_t lowBits(std::size_t dim) const { return (std::size_t{1} << bits_[dim]) - 1; }

    std::size_t numberOf(const Address& x) const {
        std::size_t number = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            number = number << bits_[d] | (static_cast<std::size_t>(x[d]) & lowBits(d));
        return number;
    }

    std::size_t moved(std::size_t residue, const Address& step) const {
        return numberOf(plus(addressOf(residue), step));
    }

    std::vector<int> bits_; ///< per dimension
    int width_ = 0;
};

} // namespace

bool parityCollides(Maps maps, const Collision& collision) {
    const std::size_t rank = maps[0].alpha.size();
    const IndexResidues residues(maps, rank);
    const auto together = [&](const Address& x, const auto& plus) {
        const std::int64_t bank = bankOf(maps, x);
        return std::ranges::all_of(collision.deltas, [&](const Address& delta) {
            return bankOf(maps, plus(x, delta)) == bank;
        });
    };
    return std::ranges::any_of(collision.starts, [&](const Starts& starts) {
        if (std::min(pointsOf(starts), residues.number()) > kMostVisited)
            return true; // too many to tell: taken as a conflict
        if (pointsOf(starts) <= residues.number())
            return anyAddress(starts, [&](const Address& x) {
                return together(x, [](Address at, const Address& delta) {
                    for (std::size_t d = 0; d < at.size(); ++d)
                        at[d] += delta[d];
                    return at;
                });
            });
        return std::ranges::any_of(residues.reached(starts), [&](std::size_t residue) {
            return together(residues.addressOf(residue), [&](Address at, const Address& delta) {
                return residues.plus(std::move(at), delta);
            });
        });
    });
}

std::vector<bool> parityBanksSeen(Maps maps, const Visited& visited) {
    const IndexResidues residues(maps, maps[0].alpha.size());
    std::vector<bool> seen(std::size_t{1} << maps.size(), !visited.exact);
    const auto see = [&](const Address& x) {
        seen[static_cast<std::size_t>(bankOf(maps, x))] = true;
        return false;
    };
    for (const Starts& starts : visited.starts) {
        if (std::min(pointsOf(starts), residues.number()) > kMostVisited)
            seen.assign(seen.size(), true);
        else if (pointsOf(starts) <= residues.number())
            anyAddress(starts, see);
        else
            for (const std::size_t residue : residues.reached(starts))
                see(residues.addressOf(residue));
    }
    return seen;
}

} // namespace marquetry::banking
