// Bank schemes as data, with the parameters that follow from their maps (background/banking.md,
// "Bank maps", "Offsets"); derive.h finds those.
//
// A scheme is a vector of flat maps: the bank is the mixed radix of floor(α·x / B) mod N over the
// maps, the first most significant. One map is the flat form; one map per dimension, each looking
// at its own, the hierarchical form; the rest are lattice forms. With copies the array exists
// `copies` times, each copy in banks of its own; writers write all copies.
//
// XOR-linear schemes have one parity map per bit of the bank's number: that number is a matrix over
// GF(2) times the bits of the indices. Some of these bits follow from the bank and the others; they
// are left out (`replaced`), and the others side by side are the offset. No such scheme mixes
// parities with other maps.
//
// Inside a bank: the array is tiled with boxes P; the offset is W · (row-major number of the box)
// plus the rank of u mod B inside the block, where only every g-th residue occurs (the compact
// offset). The draft's offset sums where it must multiply and its period holds for B = 1 only;
// these are the corrected formulas. Units: words; axis order as declared. Thread rule: value types.
#pragma once

#include "engine/ir/memory_program.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::banking {

using Address = std::vector<std::int64_t>;

/// Schemes of more words, in all banks of a copy, are refused.
inline constexpr std::int64_t kMostSchemeWords = std::int64_t{1} << 40;

enum class Kind { Flat, Hierarchical, Lattice, Xor };
inline constexpr std::array kKinds = {Kind::Flat, Kind::Hierarchical, Kind::Lattice, Kind::Xor};
/// "flat", "hierarchical", "lattice", "xor".
std::string toString(Kind kind);
std::optional<Kind> kindNamed(const std::string& name);

struct Scheme {
    std::vector<ir::FlatMap> maps;
    std::int64_t copies = 1;
    /// Per group and lane of the pattern: the copy that a reader reads. Empty: all read copy 0.
    std::vector<std::vector<std::int64_t>> copyOf;

    // What follows from the maps (derive).
    Address box;                       ///< P, per dimension: 2^(bits left out) for parities
    Address boxes;                     ///< C = ceil(D / P); for parities: numbers of what is left
    Address replaced;                  ///< parities: per dimension the bits left out, as a mask
    std::vector<std::int64_t> units;   ///< g per map
    std::vector<std::int64_t> wordsIn; ///< W per map: ceil(B / g)
    std::int64_t depth = 0;            ///< words of a bank
    std::int64_t words = 0;            ///< of all banks of all copies
    std::int64_t padding = 0;          ///< addresses of the boxes outside the array
    std::int64_t dark = 0;             ///< words of one copy that no box reaches

    std::int64_t banks() const; ///< of one copy
    std::int64_t bank(const Address& x) const;
    std::int64_t offset(const Address& x) const;
    Kind kind() const;
    /// "flat N=4 B=2 alpha=(1, 3)", "hierarchical …", "… x 2 copies".
    std::string text() const;
};

} // namespace marquetry::banking
