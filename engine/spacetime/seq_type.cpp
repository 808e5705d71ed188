#include "engine/spacetime/seq_type.h"

#include <numeric>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

SeqType atomType(ir::StreamType atom) {
    return {Kind::Atom, std::move(atom)};
}

SeqType stuple(std::int64_t length, SeqType element) {
    return {Kind::STuple, {}, length, 0, {std::move(element)}};
}

SeqType sseq(std::int64_t length, SeqType element) {
    return {Kind::SSeq, {}, length, 0, {std::move(element)}};
}

SeqType tseq(std::int64_t length, std::int64_t idle, SeqType element) {
    return {Kind::TSeq, {}, length, idle, {std::move(element)}};
}

std::int64_t clocks(const SeqType& type) {
    if (type.is(Kind::Atom))
        return 1;
    return (type.is(Kind::TSeq) ? type.length + type.idle : 1) * clocks(type.element());
}

std::int64_t validClocks(const SeqType& type) {
    if (type.is(Kind::Atom))
        return 1;
    return (type.is(Kind::TSeq) ? type.length : 1) * validClocks(type.element());
}

std::int64_t lanes(const SeqType& type) {
    if (type.is(Kind::Atom))
        return 1;
    return (type.is(Kind::TSeq) ? 1 : type.length) * lanes(type.element());
}

std::int64_t atomCount(const SeqType& type) {
    return type.is(Kind::Atom) ? 1 : type.length * atomCount(type.element());
}

std::int64_t bitsPerClock(const SeqType& type) {
    return lanes(type) * ir::atomBits(atomOf(type));
}

std::int64_t bitsTotal(const SeqType& type) {
    return atomCount(type) * ir::atomBits(atomOf(type));
}

namespace {

std::int64_t elements(const SeqType& type) {
    if (type.is(Kind::Atom))
        return 1;
    return (type.is(Kind::STuple) ? 1 : type.length) * elements(type.element());
}

} // namespace

Throughput throughput(const SeqType& type) {
    const std::int64_t n = elements(type);
    const std::int64_t s = clocks(type);
    const std::int64_t divisor = std::gcd(n, s);
    return {n / divisor, s / divisor};
}

const ir::StreamType& atomOf(const SeqType& type) {
    return type.is(Kind::Atom) ? type.atom : atomOf(type.element());
}

ir::StreamType erase(const SeqType& type) {
    if (type.is(Kind::Atom))
        return type.atom;
    ir::StreamType element = erase(type.element());
    return type.is(Kind::STuple) ? ir::tupleOf(type.length, std::move(element))
                                 : ir::seqOf(type.length, std::move(element));
}

SeqType normalize(const SeqType& type) {
    if (type.is(Kind::Atom))
        return type;
    SeqType inner = normalize(type.element());
    if (type.length == 1 && type.idle == 0)
        return inner;
    if (!type.is(Kind::TSeq)) {
        if (inner.is(Kind::SSeq))
            return sseq(type.length * inner.length, inner.element());
        return sseq(type.length, std::move(inner));
    }
    if (inner.is(Kind::SSeq) && type.length == 1)
        return sseq(inner.length, normalize(tseq(1, type.idle, inner.element())));
    if (inner.is(Kind::TSeq) && inner.idle == 0)
        return tseq(type.length * inner.length, type.idle * inner.length, inner.element());
    if (inner.is(Kind::TSeq) && type.length == 1) {
        const std::int64_t time = (1 + type.idle) * (inner.length + inner.idle);
        return tseq(inner.length, time - inner.length, inner.element());
    }
    return tseq(type.length, type.idle, std::move(inner));
}

bool equivalent(const SeqType& a, const SeqType& b) {
    return normalize(a) == normalize(b);
}

std::string toString(const SeqType& type) {
    if (type.is(Kind::Atom))
        return ir::toString(type.atom);
    const bool nested = !type.element().is(Kind::Atom);
    const std::string inner = toString(type.element());
    std::string head = type.is(Kind::TSeq) ? "TSeq " : type.is(Kind::SSeq) ? "SSeq " : "STuple ";
    head += std::to_string(type.length);
    if (type.is(Kind::TSeq))
        head += " " + std::to_string(type.idle);
    return head + " " + (nested ? "(" + inner + ")" : inner);
}

} // namespace marquetry::spacetime
