#include "engine/banking/derive.h"

#include "engine/banking/flat_maps.h"
#include "engine/banking/parity.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace marquetry::banking {

namespace {

std::int64_t product(const Address& factors) {
    std::int64_t result = 1;
    for (const std::int64_t f : factors)
        result = saturatingMul(result, f);
    return result;
}

/// Residues of all maps at once: an element of the product of the groups Z_{N·B}.
class Quotient {
public:
    explicit Quotient(const std::vector<ir::FlatMap>& maps) : maps_(maps) {}

    std::int64_t size() const {
        std::int64_t size = 1;
        for (const ir::FlatMap& map : maps_)
            size = saturatingMul(size, modulus(map));
        return size;
    }

    /// The number of elements that the steps of these dimensions generate.
    std::int64_t generated(const std::vector<std::size_t>& dims) const {
        std::vector<bool> reached(static_cast<std::size_t>(size()));
        std::vector<std::int64_t> elements = {0};
        reached[0] = true;
        for (const std::size_t d : dims) {
            const Address step = stepOf(d);
            const std::size_t before = elements.size();
            for (Address multiple = step; !reached[number(multiple)]; add(multiple, step))
                for (std::size_t k = 0; k < before; ++k) {
                    Address element = elementOf(elements[k]);
                    add(element, multiple);
                    elements.push_back(static_cast<std::int64_t>(number(element)));
                    reached[number(element)] = true;
                }
        }
        return static_cast<std::int64_t>(elements.size());
    }

private:
    Address stepOf(std::size_t dim) const {
        Address element;
        for (const ir::FlatMap& map : maps_)
            element.push_back(map.alpha[dim] % modulus(map));
        return element;
    }

    void add(Address& element, const Address& step) const {
        for (std::size_t m = 0; m < element.size(); ++m)
            element[m] = (element[m] + step[m]) % modulus(maps_[m]);
    }

    std::size_t number(const Address& element) const {
        std::int64_t n = 0;
        for (std::size_t m = 0; m < element.size(); ++m)
            n = n * modulus(maps_[m]) + element[m];
        return static_cast<std::size_t>(n);
    }

    Address elementOf(std::int64_t n) const {
        Address element(maps_.size());
        for (std::size_t m = maps_.size(); m-- > 0; n /= modulus(maps_[m]))
            element[m] = n % modulus(maps_[m]);
        return element;
    }

    const std::vector<ir::FlatMap>& maps_;
};

/// P along `order`: the order of each dimension's step modulo the subgroup of the dimensions before
/// it (A4). The box then holds each residue at most once.
Address boxAlong(const ir::FlatMap& map, const std::vector<std::size_t>& order) {
    Address box(order.size(), 1);
    std::int64_t g = modulus(map);
    for (const std::size_t d : order) {
        const std::int64_t next = std::gcd(g, map.alpha[d]);
        box[d] = g / next;
        g = next;
    }
    return box;
}

/// The same for any number of maps, with few residues.
class Boxes {
public:
    explicit Boxes(const std::vector<ir::FlatMap>& maps) : quotient_(maps) {}

    Address along(const std::vector<std::size_t>& order) {
        Address box(order.size(), 1);
        std::vector<std::size_t> dims;
        std::int64_t size = 1;
        for (const std::size_t d : order) {
            dims.insert(std::ranges::upper_bound(dims, d), d);
            const auto [known, fresh] = sizes_.try_emplace(dims);
            if (fresh)
                known->second = quotient_.generated(dims);
            box[d] = known->second / size;
            size = known->second;
        }
        return box;
    }

private:
    Quotient quotient_;
    std::map<std::vector<std::size_t>, std::int64_t> sizes_; ///< of subgroups, by dimensions
};

Address periods(const std::vector<ir::FlatMap>& diagonal) {
    Address box;
    for (std::size_t d = 0; d < diagonal.size(); ++d)
        box.push_back(modulus(diagonal[d]) / std::gcd(modulus(diagonal[d]), diagonal[d].alpha[d]));
    return box;
}

bool within(const Address& box, const Address& limit) {
    for (std::size_t d = 0; d < box.size(); ++d) {
        if (box[d] > limit[d])
            return false;
    }
    return true;
}

std::vector<Address> candidateBoxes(const std::vector<ir::FlatMap>& maps, std::size_t rank) {
    constexpr std::int64_t kMostResidues = std::int64_t{1} << 16;
    constexpr std::size_t kMostPermuted = 6;
    if (looksAtOwnDimensions(maps, rank))
        return {periods(maps)};
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (maps.size() > 1 && Quotient(maps).size() > kMostResidues)
        return {boxAlong(maps[0], order)}; // injective already for the first map alone
    Boxes all(maps);
    std::vector<Address> boxes;
    do
        boxes.push_back(maps.size() == 1 ? boxAlong(maps[0], order) : all.along(order));
    while (rank <= kMostPermuted && std::ranges::next_permutation(order).found);
    return boxes;
}

struct Sizes {
    std::int64_t chunks = 0;
    std::int64_t padded = 0;
    auto operator<=>(const Sizes&) const = default;
};

Sizes sizesOf(const Address& box, const ir::Shape& dims) {
    Sizes sizes{1, 1};
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t chunks = ceilDiv(dims[d], box[d]);
        sizes.chunks = saturatingMul(sizes.chunks, chunks);
        sizes.padded = saturatingMul(sizes.padded, chunks * box[d]);
    }
    return sizes;
}

} // namespace

Scheme derive(std::vector<ir::FlatMap> maps, const ir::Shape& dims) {
    if (isParity(maps))
        return deriveParity(std::move(maps), dims);
    Scheme scheme;
    scheme.maps = std::move(maps);
    for (ir::FlatMap& map : scheme.maps) {
        std::int64_t g = modulus(map);
        for (std::int64_t& a : map.alpha) {
            a %= modulus(map);
            g = std::gcd(g, a);
        }
        scheme.units.push_back(g);
        scheme.wordsIn.push_back(ceilDiv(map.block, g));
    }
    for (Address box : candidateBoxes(scheme.maps, dims.size())) {
        // A smaller box stays injective; one larger than the array is only padding.
        for (std::size_t d = 0; d < dims.size(); ++d)
            box[d] = std::min(box[d], dims[d]);
        if (scheme.box.empty() ||
            std::pair(sizesOf(box, dims), box) < std::pair(sizesOf(scheme.box, dims), scheme.box))
            scheme.box = box;
    }
    const Sizes sizes = sizesOf(scheme.box, dims);
    for (std::size_t d = 0; d < dims.size(); ++d)
        scheme.boxes.push_back(ceilDiv(dims[d], scheme.box[d]));
    scheme.depth = saturatingMul(sizes.chunks, product(scheme.wordsIn));
    scheme.words = saturatingMul(scheme.depth, scheme.banks());
    scheme.padding = sizes.padded - product(dims);
    scheme.dark = scheme.words - sizes.padded;
    return scheme;
}

Scheme withCopies(Scheme scheme, std::int64_t copies) {
    ENGINE_ASSERT(copies >= scheme.copies, "the copies that are read stay");
    scheme.words = scheme.words / scheme.copies * copies;
    scheme.copies = copies;
    return scheme;
}

std::optional<std::pair<Address, Address>> verify(const Scheme& scheme) {
    constexpr std::int64_t kMost = std::int64_t{1} << 16;
    if (isParity(scheme.maps))
        return verifyParity(scheme);
    const std::size_t rank = scheme.box.size();
    if (product(scheme.box) > kMost) {
        if (looksAtOwnDimensions(scheme.maps, rank) && within(scheme.box, periods(scheme.maps)))
            return std::nullopt;
        std::vector<std::size_t> order(rank);
        std::iota(order.begin(), order.end(), std::size_t{0});
        do {
            if (within(scheme.box, boxAlong(scheme.maps[0], order)))
                return std::nullopt;
        } while (std::ranges::next_permutation(order).found);
        return std::pair(Address(rank), Address(rank)); // not shown: not accepted
    }
    std::map<Address, Address> seen;
    Address x(rank);
    const std::int64_t volume = product(scheme.box);
    for (std::int64_t k = 0; k < volume; ++k) {
        Address residues;
        for (const ir::FlatMap& map : scheme.maps)
            residues.push_back(map.sum(x) % modulus(map));
        const auto [first, fresh] = seen.emplace(std::move(residues), x);
        if (!fresh)
            return std::pair(first->second, x);
        for (std::size_t d = rank; d-- > 0;) {
            if (++x[d] < scheme.box[d])
                break;
            x[d] = 0;
        }
    }
    return std::nullopt;
}

} // namespace marquetry::banking
