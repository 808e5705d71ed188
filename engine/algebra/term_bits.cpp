#include "engine/algebra/term_bits.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

namespace marquetry::algebra {

using ir::StreamOp;

namespace {

/// Numbers beyond are those of whole words.
constexpr std::int64_t kFarNumber = std::int64_t{1} << 40;

int numberBits(const WordRange& range) {
    const auto bits = [](std::int64_t n) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n)));
    };
    if (range.low >= 0)
        return std::max(1, bits(range.high));
    return 1 + std::max(bits(-(range.low + 1)), range.high < 0 ? 0 : bits(range.high));
}

class Bits {
public:
    explicit Bits(const DataflowGraph& dataflow)
        : dataflow_(dataflow), terms_(dataflow.terms), bits_(dataflow.terms.size(), 0) {}

    std::vector<int> find() && {
        for (std::size_t k = 0; k < terms_.size(); ++k)
            numbers_.push_back(numbersOf(terms_[TermId(k)]));
        for (const TermId root : dataflow_.roots)
            need(root, bitsOf(terms_[root].type));
        for (std::size_t k = terms_.size(); k-- > 0;) {
            const Term& term = terms_[TermId(k)];
            for (std::size_t n = 0; bits_[k] > 0 && n < term.operands.size(); ++n)
                need(term.operands[n], neededOf(term, n, bits_[k]));
        }
        return std::move(bits_);
    }

private:
    std::optional<std::int64_t> constant(TermId id) const {
        const Term& term = terms_[id];
        if (term.op != StreamOp::Const || term.number == ir::kUndefined)
            return std::nullopt;
        return term.number;
    }

    /// Of a sum, a difference or a product that is not wrapped, if it is one of these.
    std::optional<WordRange> unwrapped(const Term& term) const {
        const WordRange& a = numbers_[term.operands[0].index()];
        const WordRange& b = numbers_[term.operands.back().index()];
        const auto products = [&](const WordRange& by) {
            const auto [low, high] =
                std::minmax({a.low * by.low, a.low * by.high, a.high * by.low, a.high * by.high});
            return WordRange{low, high};
        };
        const auto amount = constant(term.operands.back());
        switch (term.op) {
        case StreamOp::Add:
            return WordRange{a.low + b.low, a.high + b.high};
        case StreamOp::Sub:
            return WordRange{a.low - b.high, a.high - b.low};
        case StreamOp::Mul:
            return isNear(a) && isNear(b) ? std::optional(products(b)) : std::nullopt;
        case StreamOp::Lsl:
            return amount && *amount >= 0 && *amount < bitsOf(term.type) && isNear(a)
                       ? std::optional(
                             products({std::int64_t{1} << *amount, std::int64_t{1} << *amount}))
                       : std::nullopt;
        default:
            return std::nullopt;
        }
    }

    static bool isNear(const WordRange& range) {
        constexpr std::int64_t kNear = std::int64_t{1} << 31;
        return range.low >= -kNear && range.high <= kNear;
    }

    /// With the fewest bits: as the program has it, or as it comes from the operands.
    WordRange numbersOf(const Term& term) const {
        if (term.op == StreamOp::Shift)
            return numbers_[term.operands[0].index()];
        const auto found = term.operands.empty() || term.table ? std::nullopt : unwrapped(term);
        const bool better = found && found->low > -kFarNumber && found->high < kFarNumber &&
                            numberBits(*found) < numberBits(term.range);
        return better && numberBits(*found) <= bitsOf(term.type) ? *found : term.range;
    }

    void need(TermId id, int bits) {
        const std::size_t k = id.index();
        const int most = std::min(numberBits(numbers_[k]), bitsOf(terms_[id].type));
        bits_[k] = std::max(bits_[k], std::min(bits, most));
    }

    /// Of operand n of a term of whose result so many bits are needed.
    int neededOf(const Term& term, std::size_t n, int bits) const {
        const int all = bitsOf(terms_[term.operands[n]].type);
        switch (term.op) {
        case StreamOp::Add:
        case StreamOp::Sub:
        case StreamOp::Mul:
        case StreamOp::Shift:
            return bits;
        case StreamOp::Lsl:
        case StreamOp::Lsr:
            return n == 0 && constant(term.operands[1]) ? moved(term, bits) : all;
        case StreamOp::And:
        case StreamOp::Or:
        case StreamOp::Xor:
            return bits;
        case StreamOp::If:
            return n == 0 ? all : bits;
        default:
            return ir::isCast(term.op) ? bits : all;
        }
    }

    /// Of a word that is shifted by a constant.
    int moved(const Term& term, int bits) const {
        const int by =
            static_cast<int>(std::clamp<std::int64_t>(*constant(term.operands[1]), 0, 64));
        return std::max(0, term.op == StreamOp::Lsl ? bits - by : bits + by);
    }

    const DataflowGraph& dataflow_;
    const Terms& terms_;
    std::vector<WordRange> numbers_;
    std::vector<int> bits_;
};

} // namespace

std::vector<int> wordBits(const DataflowGraph& dataflow) {
    return Bits(dataflow).find();
}

} // namespace marquetry::algebra
