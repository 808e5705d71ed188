#include "engine/algebra/dataflow_graph.h"

#include "engine/algebra/polynomial.h"

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
constexpr double kProductWeight = 170;

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
            return kProductWeight;
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

double weightOf(const DataflowGraph& dataflow, std::int64_t lanes) {
    const Terms& terms = dataflow.terms;
    const std::vector<bool> needed = neededBy(dataflow);
    std::map<TermId, std::set<std::int64_t>> taps;
    double sum = 0;
    for (std::size_t k = 0; k < terms.size(); ++k) {
        if (!needed[k])
            continue;
        const Term& term = terms[TermId(k)];
        if (term.op == StreamOp::Shift) {
            taps[term.operands[0]].insert(term.number);
        } else if (term.table) {
            sum += static_cast<double>(lanes) *
                   tableWeight(bitsOf(term.type), std::ssize(term.table->words));
        } else if (!term.operands.empty()) {
            const std::int64_t* constant = nullptr;
            for (const TermId operand : term.operands) {
                if (terms.isConstant(operand))
                    constant = &terms[operand].number;
            }
            const std::size_t wide = term.op == StreamOp::If ? 1 : 0;
            sum += static_cast<double>(lanes) *
                   weightOf(term.op, bitsOf(terms[term.operands[wide]].type), constant);
        }
    }
    for (const auto& [base, distances] : taps) {
        std::int64_t before = std::min<std::int64_t>(0, *distances.begin());
        for (const std::int64_t distance : distances) {
            if (distance == before)
                continue;
            const std::int64_t wide = std::min(lanes, distance - before);
            sum += storeWeight(static_cast<int>(wide) * bitsOf(terms[base].type),
                               (distance - before + wide - 1) / wide);
            before = distance;
        }
    }
    return sum;
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
