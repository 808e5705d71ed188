#include "tests/lower_memory/calibration/spatial_order.h"

#include "tests/banking/oracle.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

namespace marquetry::hdl {

namespace {

using banking::oracle::Address;
using Sets = std::vector<std::vector<Address>>;

constexpr std::int64_t kBlocks[] = {1, 2, 4, 8, 16, 32, 64, 3, 7, 15, 31, 63};

bool isPower(std::int64_t n) {
    return std::has_single_bit(static_cast<std::uint64_t>(n));
}

bool isMersenne(std::int64_t n) {
    return isPower(n + 1);
}

bool hasMersenneMultiple(std::int64_t n) {
    for (std::int64_t k = 2; k <= 15; ++k) {
        if (isMersenne(k * n))
            return true;
    }
    return false;
}

/// Rejected only if every pair shares a factor.
bool coprime(const std::vector<std::int64_t>& numbers) {
    if (numbers.size() < 2)
        return true;
    for (std::size_t a = 0; a < numbers.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (std::gcd(numbers[a], numbers[b]) == 1)
                return true;
        }
    }
    return false;
}

std::vector<std::int64_t> bankNumbers(const std::string& rule, std::int64_t least,
                                      const ir::Shape& dims) {
    std::int64_t words = 1;
    for (const std::int64_t d : dims)
        words *= d;
    std::vector<std::int64_t> numbers;
    for (std::int64_t n = least; n <= std::max(words, least); ++n) {
        const bool best = least % n == 0 || words % n == 0 || isPower(n) || isMersenne(n) ||
                          hasMersenneMultiple(n);
        if (rule == "relaxed" || (rule == "pow2" ? isPower(n) : best))
            numbers.push_back(n);
    }
    return numbers;
}

std::vector<std::int64_t> constantsBelow(const std::string& rule, std::int64_t banks,
                                         const ir::Shape& dims) {
    std::set<std::int64_t> values;
    for (std::int64_t a = 0; a < std::max<std::int64_t>(2, banks); ++a) {
        bool sum = false;
        for (int high = 0; high < 20; ++high) {
            for (int low = 0; low < high; ++low) {
                const std::int64_t x = std::int64_t{1} << high;
                const std::int64_t y = std::int64_t{1} << low;
                sum = sum || a == x + y || a == x - y;
            }
        }
        const bool dim = std::ranges::count(dims, a) > 0;
        if (rule == "relaxed" || a < 2 || isPower(a) || sum || banks % a == 0 || dim ||
            std::gcd(a, banks) == 1)
            values.insert(a);
    }
    return {values.begin(), values.end()};
}

/// All vectors of the constants, those of the best rule sorted by their sum.
std::vector<Address> vectorsOf(const std::vector<std::int64_t>& constants, std::size_t rank,
                               const std::string& rule) {
    std::vector<Address> vectors;
    banking::oracle::forAll(Address(rank, std::ssize(constants)), [&](const Address& choice) {
        Address alpha;
        for (const std::int64_t c : choice)
            alpha.push_back(constants[static_cast<std::size_t>(c)]);
        if (coprime(alpha))
            vectors.push_back(std::move(alpha));
    });
    if (rule == "best")
        std::ranges::stable_sort(vectors, {}, [](const Address& alpha) {
            return std::accumulate(alpha.begin(), alpha.end(), std::int64_t{0});
        });
    return vectors;
}

/// The first flat map of an array of `dims` that keeps the addresses of each set apart.
std::vector<ir::FlatMap> firstFlat(const Sets& sets, const ir::Shape& dims,
                                   const std::string& numbers, const std::string& constants) {
    std::size_t least = 1;
    for (const auto& set : sets)
        least = std::max(least, set.size());
    for (const std::int64_t n : bankNumbers(numbers, static_cast<std::int64_t>(least), dims)) {
        for (const Address& alpha :
             vectorsOf(constantsBelow(constants, n, dims), dims.size(), constants)) {
            for (const std::int64_t block : kBlocks) {
                Address all = alpha;
                all.push_back(block);
                const std::vector<ir::FlatMap> maps = {{alpha, block, n}};
                if ((block == 1 || coprime(all)) && banking::oracle::conflictFree(maps, sets, 1))
                    return maps;
            }
        }
    }
    return {};
}

/// One dimension after another, each on the coordinates of its own that meet in a cycle.
std::vector<ir::FlatMap> firstHierarchical(const Sets& sets, const ir::Shape& dims,
                                           const std::string& numbers,
                                           const std::string& constants) {
    std::vector<ir::FlatMap> maps;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        std::set<std::vector<Address>> projected;
        for (const auto& set : sets) {
            std::set<Address> coordinates;
            for (const Address& x : set)
                coordinates.insert({x[d]});
            projected.insert({coordinates.begin(), coordinates.end()});
        }
        const auto one =
            firstFlat({projected.begin(), projected.end()}, {dims[d]}, numbers, constants);
        if (one.empty())
            return {};
        ir::FlatMap map{Address(dims.size()), one[0].block, one[0].banks};
        map.alpha[d] = one[0].alpha[0];
        maps.push_back(std::move(map));
    }
    return maps;
}

} // namespace

std::vector<FirstAccepted> firstAccepted(const ir::MemoryProgram& item) {
    const Sets sets = banking::oracle::addressSets(banking::oracle::cyclesOf(item, 0));
    std::vector<FirstAccepted> accepted;
    for (const std::string numbers : {"best", "pow2", "relaxed"}) {
        for (const std::string constants : {"best", "relaxed"}) {
            accepted.push_back({"hierarchical", numbers, constants,
                                firstHierarchical(sets, item.type.dims, numbers, constants)});
            accepted.push_back(
                {"flat", numbers, constants, firstFlat(sets, item.type.dims, numbers, constants)});
        }
    }
    std::erase_if(accepted, [](const FirstAccepted& one) { return one.maps.empty(); });
    return accepted;
}

} // namespace marquetry::hdl
