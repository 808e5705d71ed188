#include "engine/algebra/ranges.h"

#include "engine/ir/op.h"

#include <algorithm>
#include <bit>

namespace marquetry::algebra {

using ir::StreamOp;

WordRange fullRange(const ir::StreamType& leaf) {
    const ir::ScalarInfo& scalar = ir::info(scalarOf(leaf));
    return {scalar.min, scalar.max};
}

namespace {

bool contains(const WordRange& outer, const WordRange& inner) {
    return outer.low <= inner.low && inner.high <= outer.high;
}

WordRange orFull(const WordRange& range, const ir::StreamType& type) {
    const WordRange full = fullRange(type);
    return contains(full, range) ? range : full;
}

WordRange hull(const WordRange& a, const WordRange& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

WordRange productRange(const WordRange& a, const WordRange& b) {
    // Words have at most 32 bits: products of two of them fit, up to the sign of the largest.
    const auto times = [](std::int64_t x, std::int64_t y) {
        std::int64_t result = 0;
        return __builtin_mul_overflow(x, y, &result) ? std::numeric_limits<std::int64_t>::max()
                                                     : result;
    };
    const auto [low, high] = std::minmax(
        {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
    return {low, high};
}

WordRange comparisonRange(StreamOp op, const WordRange& a, const WordRange& b) {
    const bool apart = a.high < b.low || b.high < a.low;
    if (op == StreamOp::Lt)
        return {a.high < b.low ? 1 : 0, a.low < b.high ? 1 : 0};
    return {a == b && a.low == a.high ? 1 : 0, apart ? 0 : 1};
}

WordRange shiftRange(StreamOp op, const WordRange& a, const WordRange& by,
                     const ir::StreamType& type) {
    const bool known = by.low == by.high && by.low < bitsOf(type) && a.low >= 0;
    if (!known)
        return a.low >= 0 && op == StreamOp::Lsr ? WordRange{0, a.high} : fullRange(type);
    if (op == StreamOp::Lsr)
        return {a.low >> by.low, a.high >> by.low};
    return orFull({a.low << by.low, a.high << by.low}, type);
}

/// By a number that may be any the range is that of all of them.
WordRange signedShiftRange(const WordRange& a, const WordRange& by) {
    constexpr std::int64_t kMost = 63;
    const auto least = std::min(by.low, kMost);
    const auto most = std::min(by.high, kMost);
    return {a.low >> (a.low < 0 ? least : most), a.high >> (a.high < 0 ? most : least)};
}

/// The least numbers of n bits that hold both ranges; with a sign where one has.
WordRange bitwiseRange(const WordRange& a, const WordRange& b) {
    const std::int64_t far =
        std::max({a.high, b.high, -std::min(a.low, b.low) - 1, std::int64_t{0}});
    const auto above =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(far) + 1));
    return {a.low < 0 || b.low < 0 ? -above : 0, above - 1};
}

WordRange andRange(const WordRange& a, const WordRange& b) {
    if (a.low >= 0 || b.low >= 0)
        return {0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
    return bitwiseRange(a, b);
}

WordRange bitsRange(StreamOp op, const WordRange& a, const WordRange& b,
                    const ir::StreamType& type) {
    if (op == StreamOp::Xor || bitsOf(type) > 1)
        return op == StreamOp::And ? andRange(a, b) : bitwiseRange(a, b);
    return op == StreamOp::And ? WordRange{std::min(a.low, b.low), std::min(a.high, b.high)}
                               : WordRange{std::max(a.low, b.low), std::max(a.high, b.high)};
}

WordRange complement(const WordRange& a, const ir::StreamType& type) {
    const WordRange full = fullRange(type);
    return {full.low + full.high - a.high, full.low + full.high - a.low};
}

/// Of operators that look at a word as at its bits.
WordRange ofBits(StreamOp op, const WordRange& a, const WordRange& b, const ir::StreamType& type) {
    switch (op) {
    case StreamOp::Not:
        return complement(a, type);
    case StreamOp::And:
    case StreamOp::Or:
    case StreamOp::Xor:
        return bitsRange(op, a, b, type);
    case StreamOp::Asr:
        return signedShiftRange(a, b);
    default:
        return ir::isCast(op) ? orFull(a, type) : fullRange(type);
    }
}

} // namespace

WordRange rangeOf(const Terms& terms, StreamOp op, const ir::StreamType& type,
                  const std::vector<TermId>& operands) {
    const auto of = [&](std::size_t k) { return terms[operands[k]].range; };
    switch (op) {
    case StreamOp::Add:
        return orFull({of(0).low + of(1).low, of(0).high + of(1).high}, type);
    case StreamOp::Sub:
        return orFull({of(0).low - of(1).high, of(0).high - of(1).low}, type);
    case StreamOp::Mul:
        return orFull(productRange(of(0), of(1)), type);
    case StreamOp::Div:
        return orFull({(of(0).low * of(1).low) >> 7, (of(0).high * of(1).high) >> 7}, type);
    case StreamOp::Abs: {
        const WordRange full = fullRange(type);
        const std::int64_t most = std::max(-of(0).low, of(0).high);
        const bool both = of(0).low <= 0 && of(0).high >= 0;
        const std::int64_t least = both ? 0 : std::min(std::abs(of(0).low), std::abs(of(0).high));
        return most > full.high ? full : WordRange{least, most};
    }
    case StreamOp::Lsr:
    case StreamOp::Lsl:
        return shiftRange(op, of(0), of(1), type);
    case StreamOp::Lt:
    case StreamOp::Eq:
        return comparisonRange(op, of(0), of(1));
    case StreamOp::Min:
        return {std::min(of(0).low, of(1).low), std::min(of(0).high, of(1).high)};
    case StreamOp::Max:
        return {std::max(of(0).low, of(1).low), std::max(of(0).high, of(1).high)};
    case StreamOp::If:
        return hull(of(1), of(2));
    default:
        return ofBits(op, of(0), terms[operands.back()].range, type);
    }
}

namespace {

/// A bound that a condition sets on a term.
struct Fact {
    TermId term;
    WordRange range;
};

/// Facts that hold when `condition` has the value `truth`.
void gather(const Terms& terms, TermId condition, bool truth, std::vector<Fact>& facts) {
    const Term& term = terms[condition];
    if (term.op == StreamOp::Not)
        gather(terms, term.operands[0], !truth, facts);
    if ((term.op == StreamOp::Or && !truth) || (term.op == StreamOp::And && truth)) {
        for (const TermId part : term.operands)
            gather(terms, part, truth, facts);
    }
    if (term.op != StreamOp::Lt && term.op != StreamOp::Eq)
        return;
    const TermId a = term.operands[0];
    const TermId b = term.operands[1];
    const WordRange ra = terms[a].range;
    const WordRange rb = terms[b].range;
    if (term.op == StreamOp::Eq && truth) {
        facts.push_back({a, rb});
        facts.push_back({b, ra});
    }
    if (term.op == StreamOp::Lt && truth) {
        facts.push_back({a, {ra.low, rb.high - 1}});
        facts.push_back({b, {ra.low + 1, rb.high}});
    }
    if (term.op == StreamOp::Lt && !truth) {
        facts.push_back({a, {rb.low, ra.high}});
        facts.push_back({b, {rb.low, ra.high}});
    }
}

bool isNegation(const Terms& terms, TermId a, TermId b) {
    const Term& x = terms[a];
    const Term& y = terms[b];
    return x.op == StreamOp::Sub && y.op == StreamOp::Sub && x.operands[0] == y.operands[1] &&
           x.operands[1] == y.operands[0];
}

/// The words whose negation is in `range`, modulo the width: 0 if it is there, and one range.
struct Negated {
    bool zero;
    WordRange others; ///< empty: low > high
};

Negated negated(const WordRange& range, const ir::StreamType& type) {
    const std::int64_t modulus = fullRange(type).high + 1;
    const WordRange positive{std::max<std::int64_t>(range.low, 1), range.high};
    return {range.low <= 0, {modulus - positive.high, modulus - positive.low}};
}

} // namespace

std::optional<std::int64_t> wordUnder(const Terms& terms, TermId condition, bool truth,
                                      TermId term) {
    std::vector<Fact> facts;
    gather(terms, condition, truth, facts);
    WordRange own = terms[term].range;
    bool bounded = false; // then the term is defined where the condition is
    for (const Fact& fact : facts) {
        if (fact.term != term)
            continue;
        own = {std::max(own.low, fact.range.low), std::min(own.high, fact.range.high)};
        bounded = true;
    }
    if (bounded && own.low == own.high)
        return own.low;
    if (fullRange(terms[term].type).low != 0)
        return std::nullopt;
    for (const Fact& fact : facts) {
        if (!isNegation(terms, fact.term, term))
            continue;
        const Negated other = negated(fact.range, terms[term].type);
        const bool apart = other.others.low > own.high || other.others.high < own.low ||
                           other.others.low > other.others.high;
        if (other.zero && own.low == 0 && apart)
            return 0;
    }
    return std::nullopt;
}

} // namespace marquetry::algebra
