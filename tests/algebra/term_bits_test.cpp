// The bits of words: with no more of them, all outputs are the same.
#include "engine/algebra/term_bits.h"

#include "engine/algebra/rebuild.h"
#include "engine/ir/op.h"
#include "tests/algebra/random_kernels.h"
#include "tests/algebra/random_operators.h"
#include "tests/frontend/stream_helpers.h"

namespace marquetry::algebra {
namespace {

using ir::kUndefined;
using ir::StreamOp;

/// What is above the bits of a word.
enum class Above : std::uint8_t { Zeros, Sign };

using Words = std::vector<std::int64_t>; ///< of a term, one element after the other

/// Words of all terms.
class TermValues {
public:
    TermValues(const DataflowGraph& dataflow, std::vector<Words> sources)
        : dataflow_(dataflow), terms_(dataflow.terms), sources_(std::move(sources)) {}

    /// Of all roots.
    std::vector<Words> whole() {
        std::vector<Words> all;
        for (std::size_t k = 0; k < terms_.size(); ++k)
            all.push_back(words(TermId(k), all));
        whole_ = all;
        return ofRoots(all);
    }

    /// Of all roots, when every word has so many bits and nothing or its sign above them. What is
    /// above is what gives the whole words back; where neither does, nobody may look at it.
    std::vector<Words> cut(const std::vector<int>& bits) {
        std::vector<Words> all;
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            const ir::StreamType& type = terms_[TermId(k)].type;
            all.push_back(words(TermId(k), all));
            if (bits[k] > 0)
                all.back() = cut(all.back(), bits[k], aboveOf(k, bits[k]), type);
        }
        return ofRoots(all);
    }

private:
    std::vector<Words> ofRoots(const std::vector<Words>& all) const {
        std::vector<Words> found;
        for (const TermId root : dataflow_.roots)
            found.push_back(all[root.index()]);
        return found;
    }

    Above aboveOf(std::size_t k, int bits) const {
        const ir::StreamType& type = terms_[TermId(k)].type;
        return cut(whole_[k], bits, Above::Sign, type) == whole_[k] ? Above::Sign : Above::Zeros;
    }

    static Words cut(const Words& words, int bits, Above above, const ir::StreamType& type) {
        Words result;
        for (const std::int64_t word : words) {
            const std::int64_t modulus = std::int64_t{1} << bits;
            std::int64_t low = word & (modulus - 1);
            if (above == Above::Sign && low >= modulus / 2)
                low -= modulus;
            result.push_back(word == kUndefined ? word : ir::wrap(scalarOf(type), low));
        }
        return result;
    }

    std::int64_t at(const Words& words, std::size_t element) const {
        return words.size() == 1 ? words[0] : words[element];
    }

    Words words(TermId id, const std::vector<Words>& known) const {
        const Term& term = terms_[id];
        if (term.op == StreamOp::Const)
            return {term.number};
        if (term.op == StreamOp::Input)
            return sources_[static_cast<std::size_t>(term.number)];
        Words result;
        const auto length = static_cast<std::size_t>(std::max<std::int64_t>(1, term.length));
        for (std::size_t k = 0; k < length; ++k)
            result.push_back(word(term, known, k));
        return result;
    }

    std::int64_t word(const Term& term, const std::vector<Words>& known,
                      std::size_t element) const {
        const auto operand = [&](std::size_t n) {
            return at(known[term.operands[n].index()], element);
        };
        if (term.op == StreamOp::Shift) {
            const auto from = static_cast<std::int64_t>(element) - term.number;
            return from < 0 || from >= term.length
                       ? kUndefined
                       : at(known[term.operands[0].index()], static_cast<std::size_t>(from));
        }
        if (term.op == StreamOp::If)
            return operand(0) == kUndefined ? kUndefined : operand(operand(0) != 0 ? 1 : 2);
        for (std::size_t n = 0; n < term.operands.size(); ++n) {
            if (operand(n) == kUndefined)
                return kUndefined;
        }
        if (term.table)
            return term.table->at(operand(0));
        return ir::info(term.op).scalar(scalarOf(terms_[term.operands[0]].type), operand(0),
                                        operand(term.operands.size() - 1));
    }

    const DataflowGraph& dataflow_;
    const Terms& terms_;
    std::vector<Words> sources_;
    std::vector<Words> whole_; ///< of all terms
};

std::vector<Words> sourcesOf(const DataflowGraph& dataflow, SplitMix64& rng) {
    std::vector<Words> sources;
    for (std::size_t k = 0; k < dataflow.terms.size(); ++k) {
        const Term& term = dataflow.terms[TermId(k)];
        if (term.op != StreamOp::Input)
            continue;
        const auto number = static_cast<std::size_t>(term.number);
        sources.resize(std::max(sources.size(), number + 1));
        const ir::ScalarInfo& scalar = ir::info(scalarOf(term.type));
        const std::int64_t edges[] = {scalar.min, scalar.max, 0, 1};
        for (std::int64_t n = 0; n < term.length; ++n)
            sources[number].push_back(rng.range(0, 1) == 0 ? edges[rng.range(0, 3)]
                                                           : rng.range(scalar.min, scalar.max));
    }
    return sources;
}

/// Of how many terms bits are left out.
int expectBitsToSuffice(const std::string& text, std::uint64_t seed) {
    const ir::StreamProgram program = frontend::streamOf(text);
    const FlatGraph flat = flattened(program.graph, {});
    const Needs needs = needsOf(flat);
    const DataflowGraph dataflow{flat.terms, needs.roots};
    const std::vector<int> bits = wordBits(dataflow);
    SplitMix64 rng(seed);
    TermValues values(dataflow, sourcesOf(dataflow, rng));
    const std::vector<Words> expected = values.whole();
    EXPECT_EQ(values.cut(bits), expected) << text << "seed " << seed;
    int narrower = 0;
    for (std::size_t k = 0; k < bits.size(); ++k) {
        const int all = bitsOf(dataflow.terms[TermId(k)].type);
        EXPECT_LE(bits[k], all);
        narrower += 0 < bits[k] && bits[k] < all ? 1 : 0;
    }
    return narrower;
}

TEST(TermBits, SufficeForKernels) {
    int narrower = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed)
        narrower += expectBitsToSuffice(RandomKernel(seed).text(), seed);
    EXPECT_GE(narrower, 200);
}

TEST(TermBits, SufficeForAllOperators) {
    int narrower = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed)
        narrower += expectBitsToSuffice(RandomOperators(seed).text(), seed);
    EXPECT_GE(narrower, 400);
}

/// Of the last term with each operator.
std::map<StreamOp, int> bitsOfOperators(const ir::StreamProgram& program) {
    const FlatGraph flat = flattened(program.graph, {});
    const Needs needs = needsOf(flat);
    const DataflowGraph dataflow{flat.terms, needs.roots};
    const std::vector<int> bits = wordBits(dataflow);
    std::map<StreamOp, int> bitsOfOperator;
    for (std::size_t k = 0; k < bits.size(); ++k)
        bitsOfOperator[dataflow.terms[TermId(k)].op] = bits[k];
    return bitsOfOperator;
}

TEST(TermBits, OfADifferenceOfBytesAreNineAndOfItsSquareSeventeen) {
    const ir::StreamProgram program = frontend::streamOf(
        "stream s { input x : Seq 8 u8; let w = map(as_u32, x); let d = map2(sub, w, shift(1, w)); "
        "output y = map(fn v -> lsr(v, 1), map2(mul, d, d)); }");
    const std::map<StreamOp, int> bits = bitsOfOperators(program);
    EXPECT_EQ(bits.at(StreamOp::Sub), 9);
    EXPECT_EQ(bits.at(StreamOp::Mul), 17);
}

TEST(TermBits, WhatAShiftDropsIsNotComputed) {
    const ir::StreamProgram program =
        frontend::streamOf("stream s { input x : Seq 8 u32; output y = map(fn v -> lsr(lsl(v, 24), "
                           "24), map2(add, x, shift(1, x))); }");
    const std::map<StreamOp, int> bits = bitsOfOperators(program);
    EXPECT_EQ(bits.at(StreamOp::Add), 8);
}

} // namespace
} // namespace marquetry::algebra
