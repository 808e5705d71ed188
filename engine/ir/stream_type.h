// Types of L_seq, the language of `stream` items (language.md, "Streams").
//
// An atom is a scalar, an unsigned 1.7 fixed-point number or a pair of atoms: one element, present
// in one clock. `Seq n t` is a sequence without a notion of time; `STuple n t` is a tuple of n
// equal parts that exist side by side.
//
// Axis order: outermost first, row-major. A value of a type is stored as `words(type)` words, the
// leaves of an atom next to each other. Thread rule: value types.
#pragma once

#include "engine/ir/type.h"

#include <string>
#include <vector>

namespace marquetry::ir {

struct StreamType {
    enum class Kind : std::uint8_t { Scalar, Fixed, Pair, STuple, Seq };

    Kind kind = Kind::Scalar;
    Scalar scalar = Scalar::U8;      ///< Scalar
    std::int64_t length = 1;         ///< STuple, Seq
    std::vector<StreamType> parts{}; ///< Pair: two; STuple, Seq: one

    bool operator==(const StreamType&) const = default;
    std::strong_ordering operator<=>(const StreamType& other) const;

    bool is(Kind k) const { return kind == k; }
    const StreamType& element() const { return parts.front(); }
};

StreamType scalarStream(Scalar scalar);
/// Unsigned, 8 bits, 7 of them behind the point.
StreamType fixedStream();
StreamType pairOf(StreamType first, StreamType second);
StreamType tupleOf(std::int64_t length, StreamType element);
StreamType seqOf(std::int64_t length, StreamType element);

bool isAtom(const StreamType& type);
/// The atom at the bottom of a nest of Seq and STuple.
const StreamType& atomOf(const StreamType& type);
/// Leaves of a value, at most INT64_MAX. Types that the front end accepts have at most
/// kMaxElements.
std::int64_t words(const StreamType& type);
/// Atoms of a value.
std::int64_t atoms(const StreamType& type);
/// Bits of an atom.
int atomBits(const StreamType& atom);
/// The scalars of an atom's leaves in order; a fixed-point number is stored as a U8.
std::vector<Scalar> leaves(const StreamType& atom);

/// As written in the language: "Seq 16 Seq 3 u8", "STuple 2 (u8, bit)".
std::string toString(const StreamType& type);

} // namespace marquetry::ir
