// Space-time types, the types of L_st (background/aetherling.md, "Types of L_st").
//
// `SSeq n t` is n values of t side by side; `TSeq n i t` is n values of t one after the other,
// then the time of i more in which nothing is valid; `STuple n t` is a tuple, side by side; an
// atom is one word in one clock. Erasing space and time gives the type of L_seq.
//
// Units: clocks, bits, atoms, lanes (atoms in one clock). Equality of interfaces is modulo the
// normal form. Thread rule: value types.
#pragma once

#include "engine/ir/stream_type.h"

#include <string>
#include <vector>

namespace marquetry::spacetime {

struct SeqType {
    enum class Kind : std::uint8_t { Atom, STuple, SSeq, TSeq };

    Kind kind = Kind::Atom;
    ir::StreamType atom;          ///< Atom
    std::int64_t length = 1;      ///< STuple, SSeq, TSeq: valid elements
    std::int64_t idle = 0;        ///< TSeq: invalid ones at the end
    std::vector<SeqType> parts{}; ///< STuple, SSeq, TSeq: one

    bool operator==(const SeqType&) const = default;

    bool is(Kind k) const { return kind == k; }
    const SeqType& element() const { return parts.front(); }
};

SeqType atomType(ir::StreamType atom);
SeqType stuple(std::int64_t length, SeqType element);
SeqType sseq(std::int64_t length, SeqType element);
SeqType tseq(std::int64_t length, std::int64_t idle, SeqType element);

/// The time of a value, invalid slots included.
std::int64_t clocks(const SeqType& type);
/// Clocks in which something is valid.
std::int64_t validClocks(const SeqType& type);
/// Atoms side by side in one clock.
std::int64_t lanes(const SeqType& type);
/// Atoms of the whole value, parts of an STuple counted each.
std::int64_t atomCount(const SeqType& type);
/// Wires of one clock.
std::int64_t bitsPerClock(const SeqType& type);
/// Bits of the whole value.
std::int64_t bitsTotal(const SeqType& type);

/// Elements per clock: atoms, an STuple counted as one, over clocks. Reduced.
struct Throughput {
    std::int64_t atoms = 0;
    std::int64_t clocks = 1;
    bool operator==(const Throughput&) const = default;
};
Throughput throughput(const SeqType& type);

const ir::StreamType& atomOf(const SeqType& type);
/// The type in L_seq: SSeq and TSeq become Seq.
ir::StreamType erase(const SeqType& type);

/// The normal form: STuple is SSeq; layers of one element and no idle time are dropped; SSeq in
/// SSeq, and a TSeq without idle time in a TSeq, become one layer (background/aetherling.md, "Equal
/// types"). Beyond the published rules two more: a TSeq in a TSeq of one element becomes one layer,
/// and a TSeq of one element around an SSeq moves inside. With them types have one normal form
/// exactly if they have the same slots.
SeqType normalize(const SeqType& type);
/// Same values in the same slots: wires connect them.
bool equivalent(const SeqType& a, const SeqType& b);

/// "TSeq 4 0 (SSeq 2 u8)".
std::string toString(const SeqType& type);

} // namespace marquetry::spacetime
