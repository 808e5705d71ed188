#include "engine/algebra/dataflow_graph.h"

#include "engine/algebra/polynomial.h"
#include "engine/algebra/term_bits.h"

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::algebra {

using ir::StreamOp;

namespace {

/// LUTs that a flip-flop, 32 words of one bit, half a block RAM and a DSP block are worth: the
/// ratio of what a 7-series device has of each.
constexpr double kRegisterWeight = 0.5;
constexpr std::int64_t kShortStore = 32;
constexpr double kHalfBlockWeight = 150;
constexpr std::int64_t kHalfBlockBits = 18432;
constexpr double kDspWeight = 170;
/// The search of layouts takes every word at the width of its type: where little is to be won, not
/// much is to be lost there.
constexpr double kTypesShare = 0.05;

/// Of two words that change: the forms of spacetime/area_table.h.
double productWeight(int bits) {
    return bits <= 8 ? 56 : bits <= 17 ? kDspWeight : 3 * kDspWeight + 17;
}

bool compares(StreamOp op) {
    return op == StreamOp::Lt || op == StreamOp::Eq;
}

} // namespace

std::vector<bool> neededBy(const DataflowGraph& dataflow) {
    std::vector<bool> needed(dataflow.terms.size(), false);
    for (const TermId root : dataflow.roots)
        needed[root.index()] = true;
    for (std::size_t k = dataflow.terms.size(); k-- > 0;) {
        if (!needed[k])
            continue;
        for (const TermId operand : dataflow.terms[TermId(k)].operands)
            needed[operand.index()] = true;
    }
    return needed;
}

bool looksAhead(const DataflowGraph& dataflow) {
    const std::vector<bool> needed = neededBy(dataflow);
    for (std::size_t k = 0; k < needed.size(); ++k) {
        if (needed[k] && dataflow.terms.shiftOf(TermId(k)) < 0)
            return true;
    }
    return false;
}

bool looksAheadInside(const DataflowGraph& dataflow) {
    const std::vector<bool> needed = neededBy(dataflow);
    for (std::size_t k = 0; k < needed.size(); ++k) {
        for (const TermId operand : dataflow.terms[TermId(k)].operands) {
            if (needed[k] && dataflow.terms.shiftOf(operand) < 0)
                return true;
        }
    }
    return false;
}

double weightOf(StreamOp op, int bits, const std::int64_t* constant) {
    switch (op) {
    case StreamOp::Add:
    case StreamOp::Sub:
    case StreamOp::Abs:
    case StreamOp::If:
    case StreamOp::And:
    case StreamOp::Or:
    case StreamOp::Xor:
        return bits;
    case StreamOp::Lt:
    case StreamOp::Eq:
        return bits / 2.0;
    case StreamOp::Min:
    case StreamOp::Max:
        return bits * 1.5;
    case StreamOp::Lsl:
    case StreamOp::Lsr:
    case StreamOp::Asr:
        return constant ? 0 : bits * 3.0;
    case StreamOp::Mul:
    case StreamOp::Div:
        if (!constant)
            return productWeight(bits);
        return bits * std::max(0.0, static_cast<double>(signedDigits(*constant).size()) - 1);
    default:
        return 0;
    }
}

double storeWeight(int bits, std::int64_t depth) {
    const auto width = static_cast<double>(bits);
    const double registers = kRegisterWeight * width * static_cast<double>(depth);
    const double shiftRegisters =
        width * (kRegisterWeight + static_cast<double>((depth + kShortStore - 1) / kShortStore));
    const std::int64_t blocks = (depth * bits + kHalfBlockBits - 1) / kHalfBlockBits;
    return std::min({registers, shiftRegisters, kHalfBlockWeight * static_cast<double>(blocks)});
}

double tableWeight(int bits, std::int64_t words) {
    constexpr std::int64_t kRowsOfLut = 64;
    const std::int64_t blocks = (words * bits + kHalfBlockBits - 1) / kHalfBlockBits;
    return std::min(static_cast<double>(bits * ((words + kRowsOfLut - 1) / kRowsOfLut)),
                    kHalfBlockWeight * static_cast<double>(blocks));
}

namespace {

/// What operators and stores take, by the bits of their words.
class Weighing {
public:
    /// `bits`: of each word; 0: not needed.
    Weighing(const Terms& terms, std::vector<int> bits, std::int64_t lanes)
        : terms_(terms), bits_(std::move(bits)), lanes_(lanes) {}

    double ofOperator(const Term& term, int bits) const {
        if (term.table)
            return tableWeight(bitsOf(term.type), std::ssize(term.table->words));
        const std::int64_t* constant = nullptr;
        int widest = 0;
        for (const TermId operand : term.operands) {
            if (terms_.isConstant(operand))
                constant = &terms_[operand].number;
            widest = std::max(widest, bits_[operand.index()]);
        }
        const bool multiplies = term.op == StreamOp::Mul || term.op == StreamOp::Div;
        return weightOf(term.op,
                        compares(term.op)         ? widest
                        : multiplies && !constant ? std::min(widest, bits)
                                                  : bits,
                        constant);
    }

    /// Stores behind a term, from the latest word that is taken from it to the earliest.
    double ofStores(TermId base, const std::set<std::int64_t>& distances) const {
        double sum = 0;
        std::int64_t before = std::min<std::int64_t>(0, *distances.begin());
        for (const std::int64_t distance : distances) {
            if (distance == before)
                continue;
            const std::int64_t wide = std::min(lanes_, distance - before);
            sum += storeWeight(static_cast<int>(wide) * bits_[base.index()],
                               (distance - before + wide - 1) / wide);
            before = distance;
        }
        return sum;
    }

    double all() const {
        std::map<TermId, std::set<std::int64_t>> taps;
        double sum = 0;
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            const Term& term = terms_[TermId(k)];
            if (bits_[k] == 0)
                continue;
            if (term.op == StreamOp::Shift)
                taps[term.operands[0]].insert(term.number);
            else if (!term.operands.empty())
                sum += static_cast<double>(lanes_) * ofOperator(term, bits_[k]);
        }
        for (const auto& [base, distances] : taps)
            sum += ofStores(base, distances);
        return sum;
    }

private:
    const Terms& terms_;
    const std::vector<int> bits_;
    const std::int64_t lanes_;
};

} // namespace

double weightOf(const DataflowGraph& dataflow, std::int64_t lanes) {
    const std::vector<int> bits = wordBits(dataflow);
    std::vector<int> bitsOfTypes = bits;
    for (std::size_t k = 0; k < bits.size(); ++k) {
        if (bits[k] > 0)
            bitsOfTypes[k] = bitsOf(dataflow.terms[TermId(k)].type);
    }
    return Weighing(dataflow.terms, bits, lanes).all() +
           kTypesShare * Weighing(dataflow.terms, bitsOfTypes, lanes).all();
}

TermId copied(Terms& terms, const Terms& old, TermId id, const std::vector<TermId>& renamed) {
    const Term& term = old[id];
    if (term.op == StreamOp::Input)
        return terms.source(term.type, term.length, term.number);
    if (term.op == StreamOp::Const)
        return terms.constant(term.type, term.number);
    if (term.op == StreamOp::Shift)
        return terms.shifted(renamed[term.operands[0].index()], term.number);
    std::vector<TermId> operands;
    for (const TermId operand : term.operands)
        operands.push_back(renamed[operand.index()]);
    return terms.apply(term.op, term.type, std::move(operands), term.table);
}

} // namespace marquetry::algebra
