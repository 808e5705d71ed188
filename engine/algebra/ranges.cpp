#include "engine/algebra/ranges.h"

#include <algorithm>

namespace marquetry::algebra {

using ir::fullRange;
using ir::StreamOp;
using ir::WordRange;

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
