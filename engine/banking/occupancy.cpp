#include "engine/banking/occupancy.h"

#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <numeric>

namespace marquetry::banking {

namespace {

constexpr std::int64_t kMostResidueSteps = std::int64_t{1} << 24;

/// The residues of all maps as one number, mixed radix, and how a dimension's step moves it.
class MapResidues {
public:
    explicit MapResidues(const std::vector<ir::FlatMap>& maps) : maps_(maps) {}

    std::int64_t count() const {
        std::int64_t count = 1;
        for (const ir::FlatMap& map : maps_) {
            const auto modulus = checkedMul(map.banks, map.block);
            count = modulus ? checkedMul(count, *modulus).value_or(INT64_MAX) : INT64_MAX;
        }
        return count;
    }

    /// Steps along `dim` until the residue returns.
    std::int64_t period(std::size_t dim) const {
        std::int64_t period = 1;
        for (const ir::FlatMap& map : maps_) {
            const std::int64_t modulus = map.banks * map.block;
            period = std::lcm(period, modulus / std::gcd(modulus, map.alpha[dim] % modulus));
        }
        return period;
    }

    std::int64_t stepped(std::int64_t residue, std::size_t dim) const {
        std::int64_t result = 0;
        std::int64_t place = 1;
        for (const ir::FlatMap& map : maps_) {
            const std::int64_t modulus = map.banks * map.block;
            result += (residue % modulus + map.alpha[dim] % modulus) % modulus * place;
            residue /= modulus;
            place *= modulus;
        }
        return result;
    }

    std::int64_t bank(std::int64_t residue) const {
        std::int64_t bank = 0;
        for (const ir::FlatMap& map : maps_) {
            const std::int64_t modulus = map.banks * map.block;
            bank = bank * map.banks + residue % modulus / map.block;
            residue /= modulus;
        }
        return bank;
    }

private:
    const std::vector<ir::FlatMap>& maps_;
};

/// Address by address.
std::optional<std::vector<std::int64_t>> countedWords(const Scheme& scheme, const ir::Shape& dims) {
    std::int64_t words = 1;
    for (const std::int64_t extent : dims)
        words = checkedMul(words, extent).value_or(INT64_MAX);
    if (words > kMostResidueSteps)
        return std::nullopt;
    std::vector<std::int64_t> held(static_cast<std::size_t>(scheme.banks()));
    Address x(dims.size());
    for (std::int64_t word = 0; word < words; ++word) {
        ++held[static_cast<std::size_t>(scheme.bank(x))];
        for (std::size_t d = dims.size(); d > 0 && ++x[d - 1] == dims[d - 1]; --d)
            x[d - 1] = 0;
    }
    return held;
}

} // namespace

std::optional<std::vector<std::int64_t>> wordsPerBank(const Scheme& scheme, const ir::Shape& dims) {
    if (isParity(scheme.maps))
        return countedWords(scheme, dims);
    const MapResidues residues(scheme.maps);
    const std::int64_t size = residues.count();
    if (size > kMostResidueSteps)
        return std::nullopt;
    std::int64_t steps = 0;
    for (std::size_t d = 0; d < dims.size(); ++d)
        steps += size * std::min(residues.period(d), dims[d]);
    if (steps > kMostResidueSteps)
        return std::nullopt;
    std::vector<std::int64_t> held(static_cast<std::size_t>(size));
    held[0] = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t period = residues.period(d);
        std::vector<std::int64_t> after(held.size());
        for (std::int64_t start = 0; start < size; ++start) {
            const std::int64_t addresses = held[static_cast<std::size_t>(start)];
            std::int64_t at = start;
            for (std::int64_t x = 0; addresses > 0 && x < std::min(period, dims[d]); ++x) {
                // Index x, x + period, x + 2 · period, … of this dimension.
                after[static_cast<std::size_t>(at)] += addresses * ceilDiv(dims[d] - x, period);
                at = residues.stepped(at, d);
            }
        }
        held = std::move(after);
    }
    std::vector<std::int64_t> words(static_cast<std::size_t>(scheme.banks()));
    for (std::int64_t residue = 0; residue < size; ++residue)
        words[static_cast<std::size_t>(residues.bank(residue))] +=
            held[static_cast<std::size_t>(residue)];
    return words;
}

} // namespace marquetry::banking
