#include "engine/banking/parity.h"

#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace marquetry::banking {

namespace {

using MapList = std::vector<ir::FlatMap>;

/// A bit of an index.
struct IndexBit {
    std::size_t dim = 0;
    int place = 0;
};

/// Column of the matrix: one bit per map.
std::uint64_t columnOf(const MapList& maps, const IndexBit& bit) {
    std::uint64_t column = 0;
    for (std::size_t m = 0; m < maps.size(); ++m)
        column |= static_cast<std::uint64_t>(maps[m].alpha[bit.dim] >> bit.place & 1) << m;
    return column;
}

/// Columns brought to a form in which each has a highest one of its own, with the bits that each is
/// the sum of.
class Basis {
public:
    /// What is left of the column after those taken; bits: the sum that makes it.
    struct Entry {
        std::uint64_t column = 0;
        std::vector<std::size_t> bits;
    };

    Entry reduced(std::uint64_t column, std::size_t number) const {
        Entry entry{column, {number}};
        for (const Entry& taken : entries_) {
            if ((entry.column & std::bit_floor(taken.column)) == 0)
                continue;
            entry.column ^= taken.column;
            entry.bits.insert(entry.bits.end(), taken.bits.begin(), taken.bits.end());
        }
        return entry;
    }

    void take(Entry entry) {
        entries_.push_back(std::move(entry));
        std::ranges::sort(entries_, std::greater<>(), &Entry::column);
    }

private:
    std::vector<Entry> entries_;
};

/// The first bits in this order whose columns are independent, per dimension as a mask.
Address independentBits(const MapList& maps, const std::vector<IndexBit>& order, std::size_t rank) {
    Basis basis;
    Address masks(rank);
    for (const IndexBit& bit : order) {
        Basis::Entry entry = basis.reduced(columnOf(maps, bit), 0);
        if (entry.column == 0)
            continue;
        basis.take(std::move(entry));
        masks[bit.dim] |= std::int64_t{1} << bit.place;
    }
    return masks;
}

/// Low bits first, the dimensions one after the other.
std::vector<IndexBit> bitsAlong(const std::vector<std::size_t>& dims, const ir::Shape& extents) {
    std::vector<IndexBit> bits;
    for (const std::size_t d : dims) {
        for (int place = 0; place < indexBits(extents[d]); ++place)
            bits.push_back({d, place});
    }
    return bits;
}

/// 1 + the largest value that withoutBits(x, mask) has for x < extent: reached by the last index,
/// or by one that differs from it first at a one of its bits and has ones below.
std::int64_t numbersWithout(std::int64_t extent, std::int64_t mask) {
    const std::int64_t last = extent - 1;
    std::int64_t most = withoutBits(last, mask);
    for (int bit = 0; last >> bit != 0; ++bit) {
        if ((last >> bit & 1) != 0)
            most = std::max(most, withoutBits((last ^ (std::int64_t{1} << bit)) |
                                                  ((std::int64_t{1} << bit) - 1),
                                              mask));
    }
    return most + 1;
}

std::int64_t productOf(const Address& factors) {
    std::int64_t result = 1;
    for (const std::int64_t f : factors)
        result = saturatingMul(result, f);
    return result;
}

} // namespace

int indexBits(std::int64_t extent) {
    return extent <= 1 ? 0 : bitsFor(extent);
}

Scheme deriveParity(std::vector<ir::FlatMap> maps, const ir::Shape& dims) {
    constexpr std::size_t kMostPermuted = 6;
    Scheme scheme;
    scheme.maps = std::move(maps);
    std::vector<std::size_t> order(dims.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
        const Address masks = independentBits(scheme.maps, bitsAlong(order, dims), dims.size());
        Address numbers;
        for (std::size_t d = 0; d < dims.size(); ++d)
            numbers.push_back(numbersWithout(dims[d], masks[d]));
        if (scheme.replaced.empty() || productOf(numbers) < productOf(scheme.boxes)) {
            scheme.replaced = masks;
            scheme.boxes = numbers;
        }
    } while (dims.size() <= kMostPermuted && std::ranges::next_permutation(order).found);
    std::int64_t padded = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const int bits = std::popcount(static_cast<std::uint64_t>(scheme.replaced[d]));
        scheme.box.push_back(std::int64_t{1} << bits);
        padded = saturatingMul(padded, scheme.boxes[d] << bits);
    }
    scheme.units.assign(scheme.maps.size(), 1);
    scheme.wordsIn.assign(scheme.maps.size(), 1);
    scheme.depth = productOf(scheme.boxes);
    scheme.words = saturatingMul(scheme.depth, scheme.banks());
    scheme.padding = padded - productOf(dims);
    scheme.dark = scheme.words - padded;
    return scheme;
}

std::optional<std::pair<Address, Address>> verifyParity(const Scheme& scheme) {
    Basis basis;
    std::vector<IndexBit> bits;
    for (std::size_t d = 0; d < scheme.replaced.size(); ++d) {
        for (int place = 0; scheme.replaced[d] >> place != 0; ++place) {
            if ((scheme.replaced[d] >> place & 1) == 0)
                continue;
            bits.push_back({d, place});
            Basis::Entry entry = basis.reduced(columnOf(scheme.maps, bits.back()), bits.size() - 1);
            if (entry.column == 0) {
                std::pair both(Address(scheme.replaced.size()), Address(scheme.replaced.size()));
                for (const std::size_t k : entry.bits)
                    both.second[bits[k].dim] ^= std::int64_t{1} << bits[k].place;
                return both;
            }
            basis.take(std::move(entry));
        }
    }
    return std::nullopt;
}

} // namespace marquetry::banking
