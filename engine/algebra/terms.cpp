#include "engine/algebra/terms.h"

#include "engine/algebra/ranges.h"
#include "engine/ir/op.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

namespace marquetry::algebra {

using ir::fullRange;
using ir::kUndefined;
using ir::StreamOp;

ir::Scalar scalarOf(const ir::StreamType& leaf) {
    return ir::leaves(leaf)[0];
}

int bitsOf(const ir::StreamType& leaf) {
    return ir::atomBits(leaf);
}

TermId Terms::intern(Term term) {
    const TermId fresh(terms_.size());
    if (rewrites_.has(KernelRewrite::Common)) {
        Key key{term.op, term.type.kind, term.type.scalar, term.length, term.number, term.operands};
        const auto [entry, isNew] = known_.try_emplace(std::move(key), fresh);
        if (!isNew)
            return entry->second;
    }
    terms_.push_back(std::move(term));
    return fresh;
}

TermId Terms::source(const ir::StreamType& type, std::int64_t length, std::int64_t number) {
    return intern({StreamOp::Input, type, length, number, {}, fullRange(type)});
}

TermId Terms::constant(const ir::StreamType& type, std::int64_t word) {
    const WordRange range = word == kUndefined ? fullRange(type) : WordRange{word, word};
    return intern({StreamOp::Const, type, 0, word, {}, range});
}

TermId Terms::unshifted(TermId id) const {
    return (*this)[id].op == StreamOp::Shift ? (*this)[id].operands[0] : id;
}

std::int64_t Terms::shiftOf(TermId id) const {
    return (*this)[id].op == StreamOp::Shift ? (*this)[id].number : 0;
}

TermId Terms::shifted(TermId id, std::int64_t distance) {
    if (distance == 0 || (*this)[id].length == 0)
        return id;
    const TermId base = unshifted(id);
    const Term term = (*this)[base];
    const std::int64_t whole = shiftOf(id) + distance;
    if (whole == 0)
        return base;
    if (std::abs(whole) >= term.length)
        return constant(term.type, kUndefined);
    return intern({StreamOp::Shift, term.type, term.length, whole, {base}, term.range});
}

bool Terms::isWord(TermId id, std::int64_t word) const {
    return isConstant(id) && (*this)[id].number == word;
}

WordRange Terms::rangeFor(const Term& term) const {
    std::vector<WordRange> ranges;
    for (const TermId operand : term.operands)
        ranges.push_back((*this)[operand].range);
    return term.table ? ir::tableRange(*term.table, ranges[0])
                      : ir::resultRange(term.op, term.type, ranges);
}

std::int64_t Terms::numberOf(const ir::StreamTablePtr& table) {
    std::size_t number = 0;
    while (number < tables_.size() && *tables_[number] != *table)
        ++number;
    if (number == tables_.size())
        tables_.push_back(table);
    return static_cast<std::int64_t>(number);
}

TermId Terms::apply(StreamOp op, const ir::StreamType& type, std::vector<TermId> operands,
                    const ir::StreamTablePtr& table) {
    Term term{op, type, 0, table ? numberOf(table) : 0, std::move(operands), {}, table};
    if (const TermId known = folded(term); known.valid())
        return known;
    if (rewrites_.has(KernelRewrite::Strength)) {
        if (const TermId known = cheaper(op, type, term.operands); known.valid())
            return known;
    }
    for (const TermId operand : term.operands)
        term.length = std::max(term.length, (*this)[operand].length);
    if (rewrites_.has(KernelRewrite::Shifts))
        return pulledOut(std::move(term));
    term.range = rangeFor(term);
    return intern(std::move(term));
}

TermId Terms::pulledOut(Term term) {
    std::vector<TermId>& operands = term.operands;
    std::optional<std::int64_t> common;
    for (const TermId operand : operands) {
        if ((*this)[operand].length > 0)
            common = std::min(common.value_or(shiftOf(operand)), shiftOf(operand));
    }
    std::int64_t out = common.value_or(0);
    // What is pulled out must be defined inside the sequence wherever the result is. An operand
    // that is always needed sees to that, and of a choice the condition alone is.
    if (out < 0 && term.op == StreamOp::If)
        out = (*this)[operands[0]].length > 0 ? shiftOf(operands[0]) : 0;
    for (TermId& operand : operands) {
        if (out != 0 && (*this)[operand].length > 0)
            operand = shifted(unshifted(operand), shiftOf(operand) - out);
    }
    term.range = rangeFor(term);
    return shifted(intern(std::move(term)), out);
}

namespace {

std::int64_t evaluated(const Terms& terms, const Term& term) {
    const StreamOp op = term.op;
    const std::vector<TermId>& operands = term.operands;
    const auto word = [&](std::size_t k) { return terms[operands[k]].number; };
    if (op == StreamOp::If)
        return word(0) == kUndefined ? kUndefined : word(word(0) != 0 ? 1 : 2);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        if (word(k) == kUndefined)
            return kUndefined;
    }
    if (term.table)
        return term.table->at(word(0));
    const ir::Scalar scalar = scalarOf(terms[operands[0]].type);
    return ir::info(op).scalar(scalar, word(0), word(operands.size() - 1));
}

} // namespace

TermId Terms::folded(const Term& term) {
    const StreamOp op = term.op;
    const ir::StreamType& type = term.type;
    const std::vector<TermId>& operands = term.operands;
    if (rewrites_.has(KernelRewrite::Constants)) {
        if (std::ranges::all_of(operands, [&](TermId id) { return isConstant(id); }))
            return constant(type, evaluated(*this, term));
        if (const TermId same = unchanged(op, type, operands); same.valid())
            return same;
    }
    if (rewrites_.has(KernelRewrite::Ranges)) {
        const WordRange range = rangeFor(term);
        if (range.low == range.high)
            return constant(type, range.low);
    }
    if (op == StreamOp::If && rewrites_.has(KernelRewrite::Choices)) {
        for (const bool truth : {false, true}) {
            const TermId taken = operands[truth ? 1 : 2];
            const TermId other = operands[truth ? 2 : 1];
            const auto word = wordUnder(*this, operands[0], truth, other);
            if (word && isWord(taken, *word))
                return other;
        }
    }
    return TermId();
}

/// Operators that give back an operand, or a constant.
TermId Terms::unchanged(StreamOp op, const ir::StreamType& type,
                        const std::vector<TermId>& operands) {
    const TermId a = operands[0];
    const TermId b = operands.back();
    switch (op) {
    case StreamOp::Add:
    case StreamOp::Or:
        return isWord(a, 0) ? b : isWord(b, 0) ? a : TermId();
    case StreamOp::Sub:
        return isWord(b, 0) ? a : a == b ? constant(type, 0) : TermId();
    case StreamOp::Mul:
        if (isWord(a, 0) || isWord(b, 0))
            return constant(type, 0);
        return isWord(a, 1) ? b : isWord(b, 1) ? a : TermId();
    case StreamOp::Div:
        return isWord(b, 128) ? a : isWord(b, 0) ? constant(type, 0) : TermId();
    case StreamOp::Lsr:
    case StreamOp::Lsl:
        if (isConstant(b) && (*this)[b].number >= bitsOf(type))
            return constant(type, 0);
        return isWord(b, 0) ? a : TermId();
    case StreamOp::Min:
    case StreamOp::Max:
        return a == b ? a : TermId();
    case StreamOp::Not:
        return (*this)[a].op == StreamOp::Not ? (*this)[a].operands[0] : TermId();
    case StreamOp::If:
        if (isConstant(a) && (*this)[a].number != kUndefined)
            return operands[(*this)[a].number != 0 ? 1 : 2];
        if (isWord(b, kUndefined))
            return operands[1];
        return operands[1] == b || isWord(operands[1], kUndefined) ? b : TermId();
    default:
        return unchangedBits(op, type, a, b);
    }
}

TermId Terms::unchangedBits(StreamOp op, const ir::StreamType& type, TermId a, TermId b) {
    const WordRange full = fullRange(type);
    const std::int64_t ones = full.low < 0 ? -1 : full.high;
    switch (op) {
    case StreamOp::And:
        return isWord(a, ones) ? b : isWord(b, ones) ? a : TermId();
    case StreamOp::Xor:
        if (isWord(a, 0) || isWord(b, 0))
            return isWord(a, 0) ? b : a;
        return a == b ? constant(type, 0) : TermId();
    case StreamOp::Asr:
        return isWord(b, 0) ? a : TermId();
    default:
        return ir::isCast(op) ? castBack(type, a) : TermId();
    }
}

/// A word that has the type already, or had it, and fitted, before a cast.
TermId Terms::castBack(const ir::StreamType& type, TermId a) const {
    const Term& word = (*this)[a];
    if (word.type == type)
        return a;
    if (!ir::isCast(word.op))
        return TermId();
    const TermId before = word.operands[0];
    const WordRange range = (*this)[before].range;
    const WordRange between = fullRange(word.type);
    const bool fitted = between.low <= range.low && range.high <= between.high;
    return fitted && (*this)[before].type == type ? before : TermId();
}

TermId Terms::cheaper(StreamOp op, const ir::StreamType& type,
                      const std::vector<TermId>& operands) {
    if (op != StreamOp::Mul && op != StreamOp::Div)
        return TermId();
    const auto amount = [&](int n) { return constant(ir::scalarStream(ir::Scalar::U8), n); };
    const auto exponent = [&](TermId id) -> std::optional<int> {
        const std::int64_t word = (*this)[id].number;
        if (!isConstant(id) || word <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(word)))
            return std::nullopt;
        return std::countr_zero(static_cast<std::uint64_t>(word));
    };
    if (op == StreamOp::Div) {
        const auto k = exponent(operands[1]);
        return k ? apply(StreamOp::Lsr, type, {operands[0], amount(7 - *k)}) : TermId();
    }
    for (const std::size_t k : {std::size_t{1}, std::size_t{0}}) {
        if (const auto by = exponent(operands[k]))
            return apply(StreamOp::Lsl, type, {operands[1 - k], amount(*by)});
    }
    return TermId();
}

} // namespace marquetry::algebra
