// Random patterns against enumeration: the conflict test, the minimum, the addresses in the banks,
// the banks that a lane sees, copies.
#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/search.h"
#include "engine/frontend/parser.h"
#include "engine/support/checked_math.h"
#include "engine/support/rng.h"
#include "tests/banking/check_scheme.h"

#include <gtest/gtest.h>

namespace marquetry::banking {
namespace {

/// Text of a small random memory item: 1 to 4 dimensions, at most 12 lanes.
class RandomMemory {
public:
    explicit RandomMemory(std::uint64_t seed) : rng_(seed) {}

    std::string text() {
        constexpr std::int64_t kExtent[] = {20, 6, 4, 3};
        const std::int64_t rank = rng_.range(1, 10) <= 6 ? rng_.range(1, 2) : rng_.range(3, 4);
        std::string result = "memory m { array a : i32[";
        for (std::int64_t d = 0; d < rank; ++d) {
            dims_.push_back(rng_.range(2, kExtent[rank - 1]));
            result += (d > 0 ? ", " : "") + std::to_string(dims_.back());
        }
        result += rng_.range(0, 3) == 0 ? "] ports 2;\n" : "];\n";
        const std::int64_t nests = rng_.range(0, 3) == 0 ? 2 : 1;
        for (std::int64_t n = 0; n < nests; ++n)
            result += nest();
        return result + "}\n";
    }

private:
    std::string nest() {
        const auto rank = static_cast<std::int64_t>(dims_.size());
        loops_ = rng_.range(1, std::min<std::int64_t>(3, rank + 1));
        std::string result = "for ";
        std::int64_t lanes = 1;
        for (std::int64_t j = 0; j < loops_; ++j) {
            const std::int64_t begin = rng_.range(0, 5) == 0 ? -1 : 0;
            result += (j > 0 ? ", " : "") + std::string(1, static_cast<char>('i' + j)) + " in " +
                      std::to_string(begin) + " .. " + std::to_string(begin + rng_.range(1, 4));
            if (rng_.range(0, 2) == 0)
                result += " step " + std::to_string(rng_.range(1, 3));
            if (rng_.range(0, 3) == 0 && lanes < 3) {
                const std::int64_t parallel = rng_.range(2, 3);
                lanes *= parallel;
                result += " par " + std::to_string(parallel);
            }
        }
        const bool uniform = rng_.range(0, 3) > 0;
        const bool unknown = lanes == 1 && rng_.range(0, 7) == 0;
        const std::vector<std::string> common = linearParts(unknown);
        const std::int64_t references = rng_.range(1, std::max<std::int64_t>(1, 8 / lanes));
        std::string list;
        for (std::int64_t r = 0; r < references; ++r) {
            const std::vector<std::string> parts = uniform ? common : linearParts(unknown);
            list += r > 0 ? ", a[" : " a[";
            for (std::size_t d = 0; d < dims_.size(); ++d)
                list += (d > 0 ? ", " : "") + parts[d] +
                        std::to_string(rng_.range(0, std::min<std::int64_t>(3, dims_[d] - 1)));
            list += "]";
        }
        return result + " { " + (rng_.range(0, 5) == 0 ? "write" : "read") + list + "; }\n";
    }

    /// "2*i + " and the like, one per dimension.
    std::vector<std::string> linearParts(bool unknown) {
        std::vector<std::string> parts;
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            std::string part;
            for (std::int64_t j = 0; j < loops_; ++j) {
                const bool own = static_cast<std::size_t>(j) == d;
                const std::int64_t factor = own ? rng_.range(1, 2) : rng_.range(-4, 1) == 1 ? 1 : 0;
                if (factor != 0)
                    part += std::to_string(factor) + "*" + static_cast<char>('i' + j) + " + ";
            }
            if (unknown && d == 0)
                part = rng_.range(0, 1) == 0 ? "?u(i) + " : part + "?u(i) + ";
            parts.push_back(part);
        }
        return parts;
    }

    SplitMix64 rng_;
    std::vector<std::int64_t> dims_;
    std::int64_t loops_ = 1;
};

/// Any vector of maps for the array, good or bad.
std::vector<ir::FlatMap> randomMaps(SplitMix64& rng, const ir::Shape& dims) {
    const std::int64_t count = rng.range(1, static_cast<std::int64_t>(dims.size()));
    std::vector<ir::FlatMap> maps;
    for (std::int64_t m = 0; m < count; ++m) {
        ir::FlatMap map{{}, rng.range(0, 1) == 0 ? 1 : rng.range(2, 6), rng.range(1, 5)};
        for (std::size_t d = 0; d < dims.size(); ++d)
            map.alpha.push_back(rng.range(0, 2) == 0 ? 0 : rng.range(0, map.banks * map.block - 1));
        maps.push_back(std::move(map));
    }
    return maps;
}

std::vector<ir::FlatMap> randomParities(SplitMix64& rng, const ir::Shape& dims) {
    std::vector<ir::FlatMap> maps;
    const std::int64_t rows = rng.range(1, 4);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::vector<std::int64_t> masks;
        for (const std::int64_t extent : dims)
            masks.push_back(rng.range(0, 2 * extent - 1));
        maps.push_back(ir::parityMap(std::move(masks)));
    }
    return maps;
}

void compareConflictTest(SplitMix64& rng, const AccessPattern& pattern,
                         const std::vector<std::vector<Address>>& sets) {
    for (int k = 0; k < 18; ++k) {
        const std::vector<ir::FlatMap> maps =
            k < 12 ? randomMaps(rng, pattern.dims) : randomParities(rng, pattern.dims);
        const bool expected = oracle::conflictFree(maps, sets, pattern.ports);
        ASSERT_EQ(!firstConflict(maps, pattern).has_value(), expected)
            << derive(maps, pattern.dims).text();
        const auto witness = findWitness(pattern, maps);
        ASSERT_EQ(witness.has_value(), !expected);
        if (witness) {
            EXPECT_EQ(witness->addresses.size(), static_cast<std::size_t>(pattern.ports) + 1);
            for (const Address& x : witness->addresses)
                EXPECT_EQ(oracle::bankOf(maps, x), witness->bank);
        }
        const Scheme scheme = derive(maps, pattern.dims);
        EXPECT_FALSE(verify(scheme).has_value());
        expectInjective(scheme, pattern.dims);
    }
}

void compareBanksSeen(const Scheme& scheme, const AccessPattern& pattern,
                      const std::vector<oracle::Cycle>& cycles) {
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        for (std::size_t k = 0; k < pattern.groups[g].lanes.size(); ++k) {
            const ir::MemoryLane& lane = pattern.lane(g, k);
            std::vector<bool> expected(static_cast<std::size_t>(scheme.banks()));
            for (const oracle::Cycle& cycle : cycles) {
                for (const oracle::Access& access : cycle) {
                    if (access.nest == pattern.groups[g].nest &&
                        access.reference == lane.reference && access.lane == lane.ids)
                        expected[static_cast<std::size_t>(scheme.bank(access.address))] = true;
                }
            }
            EXPECT_EQ(banksSeen(scheme.maps, visitedBy(pattern, g, k)), expected)
                << pattern.laneText(g, k) << " under " << scheme.text();
        }
    }
}

struct Counts {
    int patterns = 0;
    int minima = 0;
    int schemes = 0;
    int exhausted = 0;
    int matrices = 0; ///< numbers of banks for which all matrices were tried
};

/// Numbers of banks below the minimum, where the matrices are few enough to be tried all.
void compareParities(const SearchResult& found, const ir::Shape& dims,
                     const std::vector<std::vector<Address>>& sets, int ports, Counts& counts) {
    int bitsOfAddress = 0;
    for (const std::int64_t extent : dims)
        bitsOfAddress += extent > 1 ? bitsFor(extent) : 0;
    constexpr int kMostOnes = 12;
    for (int bits = 1; (1 << bits) < found.minBanks && bits * bitsOfAddress <= kMostOnes; ++bits) {
        ++counts.matrices;
        ASSERT_FALSE(oracle::parityPossible(dims, sets, ports, bits))
            << (1 << bits) << " banks do, not " << found.minBanks;
    }
}

/// `reach`: unknown values from −reach to reach are tried.
void compareText(const std::string& text, std::uint64_t seed, std::int64_t reach, Counts& counts) {
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const auto parsed = frontend::parse(text, "random.mq");
    if (!parsed)
        return; // never inside, or two writes to one address
    const ir::MemoryProgram& memory = parsed->memories[0];
    const auto pattern = accessPattern(memory);
    ASSERT_TRUE(pattern.has_value());
    ASSERT_TRUE(pattern->unresolved.empty());
    const std::vector<oracle::Cycle> cycles = oracle::cyclesOf(memory, reach);
    const auto sets = oracle::addressSets(cycles);
    SplitMix64 rng(seed);
    compareConflictTest(rng, *pattern, sets);
    ++counts.patterns;
    SearchParams params;
    params.steps = 50'000'000;
    const SearchResult found = search(*pattern, params);
    ASSERT_EQ(found.outcome, SearchOutcome::Complete);
    ASSERT_TRUE(found.minimal.has_value());
    EXPECT_TRUE(found.proved());
    ASSERT_EQ(found.minBanks, found.minimal->banks());
    ASSERT_TRUE(oracle::conflictFree(found.minimal->maps, sets, pattern->ports));
    oracle::Exhaustive exhaustive(memory.type.dims, sets, pattern->ports);
    for (std::int64_t n = oracle::pigeonhole(sets, pattern->ports); n < found.minBanks; ++n)
        ASSERT_FALSE(exhaustive.possible(n)) << n << " banks do, not " << found.minBanks;
    compareParities(found, memory.type.dims, sets, pattern->ports, counts);
    counts.exhausted += found.proof == BoundProof::Exhausted ? 1 : 0;
    ++counts.minima;
    for (const Scheme& scheme : found.schemes) {
        ++counts.schemes;
        EXPECT_TRUE(servesAll(scheme, *pattern, cycles, memory)) << scheme.text();
        expectInjective(scheme, memory.type.dims);
    }
    compareBanksSeen(*found.minimal, *pattern, cycles);
}

void compareRange(std::uint64_t from, std::uint64_t to, Counts& counts) {
    for (std::uint64_t seed = from; seed < to; ++seed) {
        compareText(RandomMemory(seed).text(), seed, 30, counts);
        if (::testing::Test::HasFailure())
            return;
    }
}

/// An item with ends of ranges that are no numbers, most of them named by parallel iterators.
std::string boundedMemory(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const auto any = [&](std::vector<std::string> of) {
        return of[static_cast<std::size_t>(rng.range(0, std::ssize(of) - 1))];
    };
    const std::string end = any({"i + 1", "i", "4 - i", "2*i - 1", "?n(i)", "?n()", "?n(i) - 1"});
    std::string loops = "for i in " + any({"0 .. 4", "1 .. 4", "0 .. 5 step 2"}) +
                        any({"", " par 2", " par 2"}) + ", j in " + any({"0", "1"}) + " .. " + end +
                        any({"", "", " step 2", " par 2"});
    const bool third = rng.range(0, 2) == 0;
    if (third)
        loops += ", k in 0 .. " + any({"2", "2", "j + 1"});
    std::string references;
    const std::int64_t count = rng.range(1, 3);
    const std::string row = any({"i", "j", "0"});
    const std::string column = third ? any({"j", "k", "j + k"}) : "j";
    for (std::int64_t r = 0; r < count; ++r)
        references += (r > 0 ? ", a[" : " a[") + row + " + " + std::to_string(rng.range(0, 1)) +
                      ", " + column + " + " + std::to_string(rng.range(0, 2)) + "]";
    return "memory m { array a : i32[" + std::to_string(rng.range(3, 5)) + ", " +
           std::to_string(rng.range(3, 5)) + any({"]", "]", "] ports 2"}) + ";\n" + loops + " { " +
           any({"read", "read", "write"}) + references + "; } }\n";
}

TEST(BoundedLoops, AgreeWithEnumeration) {
    Counts counts;
    for (std::uint64_t seed = 0; seed < 400 && !HasFailure(); ++seed)
        compareText(boundedMemory(seed), seed, 6, counts);
    EXPECT_GE(counts.minima, 200);
    std::cout << counts.minima << " minima of loops with ends that are no numbers\n";
}

/// Seeds per part: enough for 650 items that the checker accepts in each of the eight.
constexpr std::uint64_t kSeeds = 1000;

class RandomPatterns : public ::testing::TestWithParam<int> {};

TEST_P(RandomPatterns, AgreeWithEnumeration) {
    Counts counts;
    const auto part = static_cast<std::uint64_t>(GetParam());
    compareRange(part * kSeeds, (part + 1) * kSeeds, counts);
    EXPECT_GE(counts.minima, 650);
    EXPECT_GT(counts.schemes, counts.minima);
    EXPECT_GT(counts.exhausted, 0);
    std::cout << counts.patterns << " patterns, " << counts.minima << " minima, "
              << counts.exhausted << " proved by exhaustion, " << counts.matrices
              << " numbers of banks against all matrices, " << counts.schemes << " schemes\n";
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomPatterns, ::testing::Range(0, 8));

} // namespace
} // namespace marquetry::banking
