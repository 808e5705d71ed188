#include "engine/ir/stream_type.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <tuple>

namespace marquetry::ir {

using Kind = StreamType::Kind;

std::strong_ordering StreamType::operator<=>(const StreamType& other) const {
    const auto key = [](const StreamType& t) { return std::tuple(t.kind, t.scalar, t.length); };
    if (const auto order = key(*this) <=> key(other); order != 0)
        return order;
    return std::lexicographical_compare_three_way(
        parts.begin(), parts.end(), other.parts.begin(), other.parts.end(),
        [](const StreamType& a, const StreamType& b) { return a <=> b; });
}

StreamType scalarStream(Scalar scalar) {
    return {Kind::Scalar, scalar};
}

StreamType fixedStream() {
    return {Kind::Fixed};
}

StreamType pairOf(StreamType first, StreamType second) {
    return {Kind::Pair, Scalar::U8, 1, {std::move(first), std::move(second)}};
}

StreamType tupleOf(std::int64_t length, StreamType element) {
    return {Kind::STuple, Scalar::U8, length, {std::move(element)}};
}

StreamType seqOf(std::int64_t length, StreamType element) {
    return {Kind::Seq, Scalar::U8, length, {std::move(element)}};
}

bool isAtom(const StreamType& type) {
    return !type.is(Kind::STuple) && !type.is(Kind::Seq);
}

const StreamType& atomOf(const StreamType& type) {
    return isAtom(type) ? type : atomOf(type.element());
}

std::int64_t words(const StreamType& type) {
    if (type.is(Kind::Pair))
        return saturatingAdd(words(type.parts[0]), words(type.parts[1]));
    return isAtom(type) ? 1 : saturatingMul(type.length, words(type.element()));
}

std::int64_t atoms(const StreamType& type) {
    return isAtom(type) ? 1 : type.length * atoms(type.element());
}

int atomBits(const StreamType& atom) {
    if (atom.is(Kind::Pair))
        return atomBits(atom.parts[0]) + atomBits(atom.parts[1]);
    return atom.is(Kind::Fixed) ? 8 : info(atom.scalar).bits;
}

std::vector<Scalar> leaves(const StreamType& atom) {
    if (!atom.is(Kind::Pair))
        return {atom.is(Kind::Fixed) ? Scalar::U8 : atom.scalar};
    std::vector<Scalar> all = leaves(atom.parts[0]);
    const std::vector<Scalar> second = leaves(atom.parts[1]);
    all.insert(all.end(), second.begin(), second.end());
    return all;
}

std::string toString(const StreamType& type) {
    switch (type.kind) {
    case Kind::Scalar:
        return std::string(info(type.scalar).name);
    case Kind::Fixed:
        return "fix1_7";
    case Kind::Pair:
        return "(" + toString(type.parts[0]) + ", " + toString(type.parts[1]) + ")";
    default:
        return (type.is(Kind::Seq) ? "Seq " : "STuple ") + std::to_string(type.length) + " " +
               toString(type.element());
    }
}

} // namespace marquetry::ir
