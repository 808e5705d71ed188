// MemoryProgram: one checked `memory` item: an array and the loop nests that access it
// (language.md, "Memories").
//
// All references of one nest, in all its parallel lanes, happen in the same cycle; different nests
// never overlap in time. Units: elements; axis order: outermost (slowest) dimension first.
// Thread rule: immutable once made.
#pragma once

#include "engine/ir/type.h"
#include "engine/support/diagnostic.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace marquetry::ir {

/// `?name(iterators)`: one unknown value per combination of the lane ids of its iterators.
struct MemorySymbol {
    std::string name;
    std::vector<std::size_t> loops; ///< the iterators it names, indices into MemoryNest::loops
};

/// constant + Σ coefficients[j] · iterator j + Σ symbols[s] · symbol s.
struct AffineForm {
    std::int64_t constant = 0;
    std::vector<std::int64_t> coefficients; ///< one per loop
    std::vector<std::int64_t> symbols;      ///< one per symbol of the nest
};

/// `for name in begin .. end step S par P`; end > begin, step and parallel ≥ 1.
struct MemoryLoop {
    std::string name;
    std::int64_t begin = 0;
    std::int64_t end = 1;
    std::int64_t step = 1;
    std::int64_t parallel = 1;
    /// The end where it is no number: of iterators before this one and unknown values. `end` is
    /// then the largest value it has, or the last that any reference has inside the array.
    std::optional<AffineForm> bound{};

    /// Values that the iterator takes at most, in all lanes together.
    std::int64_t trips() const { return (end - begin + step - 1) / step; }
};

struct MemoryReference {
    bool write = false;
    std::vector<AffineForm> index; ///< one per dimension
    std::string text;              ///< "a[i, j + 1]"
    SourceRange place;
};

struct MemoryNest {
    std::vector<MemoryLoop> loops;
    std::vector<MemorySymbol> symbols;
    std::vector<MemoryReference> references;
    SourceRange place;
};

/// What a map does with an address. Modular: floor(alpha · x / block) mod banks. Parity: whether x
/// has an odd number of ones under the masks alpha; two banks.
enum class MapForm : std::uint8_t { Modular, Parity };

/// One map of a bank scheme.
struct FlatMap {
    std::vector<std::int64_t> alpha; ///< one per dimension: a weight, or the mask of a parity
    std::int64_t block = 1;
    std::int64_t banks = 1;
    MapForm form = MapForm::Modular;
    bool operator==(const FlatMap&) const = default;

    /// α · x; of a parity the ones of x under the masks, counted.
    std::int64_t sum(const std::vector<std::int64_t>& x) const {
        std::int64_t u = 0;
        for (std::size_t d = 0; d < x.size(); ++d)
            u += form == MapForm::Modular ? alpha[d] * x[d]
                                          : std::popcount(static_cast<std::uint64_t>(alpha[d]) &
                                                          static_cast<std::uint64_t>(x[d]));
        return u;
    }
    /// The bank of the addresses of a sum that is not negative.
    std::int64_t bankOf(std::int64_t sumOfAddress) const { return sumOfAddress / block % banks; }
};

/// The map of one bit of an XOR-linear scheme: one mask per dimension.
inline FlatMap parityMap(std::vector<std::int64_t> masks) {
    return {std::move(masks), 1, 2, MapForm::Parity};
}

/// What the user fixed: `bank flat(N, B, [α])`, `bank hierarchical([N], [B], [α])`,
/// `bank xor([[mask], …])`, `copies K`.
struct BankDirective {
    std::vector<FlatMap> maps; ///< hierarchical: one per dimension; empty: free
    bool hierarchical = false;
    std::int64_t copies = 0; ///< 0: free
    SourceRange place;
};

struct MemoryProgram {
    std::string name;
    std::string file; ///< of the .mq file, for messages; may be empty
    std::string array;
    Type type;
    int ports = 1; ///< reads per bank and cycle, and as many writes
    BankDirective directive;
    std::vector<MemoryNest> nests;
};

/// As written: "2*i + j - 1", "?row(t)".
std::string toString(const AffineForm& form, const MemoryNest& nest);
/// "j in 0 .. i + 1 par 2".
std::string toString(const MemoryLoop& loop, const MemoryNest& nest);

} // namespace marquetry::ir
