// Ranges of words and the bits that are kept: sound for every range, operator and word of three
// bits, and as narrow as image pipelines want them.
#include "engine/datapath/cell_value.h"
#include "engine/datapath/word_range.h"
#include "engine/datapath/word_widths.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/spacetime/schedule_helpers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::test {
namespace {

using datapath::Cell;
using datapath::CellId;
using datapath::CellKind;
using datapath::NumberRange;
using datapath::Tap;
using datapath::Word;

constexpr int kWordBits = 3;
constexpr std::int64_t kWordsOfBits = 1 << kWordBits;

/// Every range of either form.
std::vector<NumberRange> allRanges() {
    std::vector<NumberRange> ranges;
    for (std::int64_t low = -kWordsOfBits / 2; low < kWordsOfBits; ++low) {
        const std::int64_t end = low < 0 ? kWordsOfBits / 2 : kWordsOfBits;
        for (std::int64_t high = low; high < end; ++high)
            ranges.push_back({low, high});
    }
    return ranges;
}

std::vector<Word> wordsOf(const NumberRange& range) {
    std::vector<Word> words;
    for (std::int64_t n = range.low; n <= range.high; ++n)
        words.push_back(static_cast<Word>(n) & datapath::mask(kWordBits));
    return words;
}

bool holds(const NumberRange& range, Word word) {
    const auto words = wordsOf(range);
    return std::ranges::find(words, word) != words.end();
}

Cell operation(CellKind kind, std::int64_t number, std::vector<Tap> operands) {
    Cell cell{kind, kWordBits, std::move(operands)};
    cell.number = number;
    cell.most = datapath::mask(kWordBits);
    return cell;
}

Tap cellAt(std::size_t k) {
    return {CellId(k), 0};
}

/// Two inputs, then cells on them; the last is the result.
struct Small {
    std::vector<Cell> cells = {{CellKind::Input, kWordBits}, {CellKind::Input, kWordBits}};

    Tap add(CellKind kind, std::vector<Tap> operands, std::int64_t number = 0) {
        cells.push_back(operation(kind, number, std::move(operands)));
        return cellAt(cells.size() - 1);
    }

    NumberRange range(const NumberRange& a, const NumberRange& b) const {
        std::vector<NumberRange> known = {a, b};
        const datapath::RangeOf rangeOf = [&](const Tap& tap, int) {
            return known[tap.cell.index()];
        };
        for (std::size_t k = 2; k < cells.size(); ++k)
            known.push_back(isGenerator(cells[k].kind)
                                ? datapath::rangeOfGenerator(cells[k])
                                : datapath::rangeOfResult(cells, cells[k], rangeOf));
        return known.back();
    }

    Word word(Word a, Word b) const {
        std::vector<Word> known = {a, b};
        for (std::size_t k = 2; k < cells.size(); ++k) {
            const auto in = [&](std::size_t n) {
                const auto& operands = cells[k].operands;
                return n < operands.size() ? known[operands[n].cell.index()] : 0;
            };
            known.push_back(cells[k].kind == CellKind::Constant
                                ? static_cast<Word>(cells[k].number)
                                : datapath::compute(cells[k], in(0), in(1), in(2)));
        }
        return known.back();
    }
};

void expectSound(const Small& small, const std::string& name) {
    for (const NumberRange& a : allRanges()) {
        for (const NumberRange& b : allRanges()) {
            const NumberRange range = small.range(a, b);
            for (const Word x : wordsOf(a)) {
                for (const Word y : wordsOf(b))
                    ASSERT_TRUE(holds(range, small.word(x, y)))
                        << name << " of " << x << " and " << y << ", from [" << a.low << ", "
                        << a.high << "] and [" << b.low << ", " << b.high << "]";
            }
        }
    }
}

TEST(WordRanges, HoldsEveryResultOfEveryOperator) {
    for (const CellKind kind : {CellKind::Add, CellKind::Sub, CellKind::Mul, CellKind::LeftBy,
                                CellKind::RightBy, CellKind::Less, CellKind::LessSigned,
                                CellKind::Equal, CellKind::And, CellKind::Or, CellKind::Xor}) {
        Small small;
        small.add(kind, {cellAt(0), cellAt(1)});
        expectSound(small, "operator " + std::to_string(static_cast<int>(kind)));
    }
    for (const CellKind kind : {CellKind::Left, CellKind::Right}) {
        for (std::int64_t by = 0; by <= kWordBits + 1; ++by) {
            Small small;
            small.add(kind, {cellAt(0)}, by);
            expectSound(small, "shift");
        }
    }
}

TEST(WordRanges, HoldsComplementsAndSigns) {
    Small complement;
    complement.add(CellKind::Not, {cellAt(0)});
    expectSound(complement, "not");
    EXPECT_EQ(complement.range({0, 1}, {0, 0}), (NumberRange{-2, -1}));
    Small mask;
    mask.add(CellKind::And, {cellAt(0), cellAt(1)});
    EXPECT_EQ(mask.range({-4, 3}, {0, 1}), (NumberRange{0, 1}));
}

/// The middle of a word, and the same as a number with a sign.
TEST(WordRanges, HoldsPartsOfWords) {
    for (int bits = 1; bits <= kWordBits; ++bits) {
        for (std::int64_t by = 0; by + bits <= kWordBits; ++by) {
            Small small;
            const Tap part = small.add(CellKind::Right, {cellAt(0)}, by);
            small.cells.back().width = bits;
            const Tap number = small.add(CellKind::Extend, {part}, bits);
            EXPECT_EQ(number.cell, cellAt(3).cell);
            for (const NumberRange& a : allRanges()) {
                const NumberRange range = small.range(a, {0, 0});
                for (const Word x : wordsOf(a))
                    ASSERT_TRUE(holds(range, small.word(x, 0)))
                        << x << " from " << a.low << " to " << a.high << ", " << by << " " << bits;
            }
        }
    }
}

/// The lesser, the greater, and the distance of two words; any choice between them and another.
TEST(WordRanges, HoldsEveryChoiceByOrder) {
    for (const CellKind less : {CellKind::Less, CellKind::LessSigned}) {
        for (int which = 0; which < 5; ++which) {
            Small small;
            const Tap a = cellAt(0);
            const Tap b = cellAt(1);
            const Tap isLess = small.add(less, {a, b});
            const Tap up = small.add(CellKind::Sub, {b, a});
            const Tap down = small.add(CellKind::Sub, {a, b});
            const std::vector<std::vector<Tap>> branches = {
                {a, b}, {b, a}, {up, down}, {down, up}, {up, a}};
            small.add(CellKind::Choose, {isLess, branches[static_cast<std::size_t>(which)][0],
                                         branches[static_cast<std::size_t>(which)][1]});
            expectSound(small, "choice " + std::to_string(which));
        }
    }
}

TEST(WordRanges, HoldsMagnitudes) {
    Small small;
    const Tap sign = small.add(CellKind::Right, {cellAt(0)}, kWordBits - 1);
    Cell zero{CellKind::Constant, kWordBits};
    zero.periodic = true;
    zero.most = 0;
    small.cells.push_back(zero);
    const Tap minus = small.add(CellKind::Sub, {cellAt(3), cellAt(0)});
    small.add(CellKind::Choose, {sign, minus, cellAt(0)});
    expectSound(small, "abs");
    EXPECT_EQ(small.range({-2, 1}, {0, 0}), (NumberRange{0, 2}));
}

TEST(WordRanges, BitsTellTheNumbersApart) {
    EXPECT_EQ(datapath::bitsOf({0, 0}), 1);
    EXPECT_EQ(datapath::bitsOf({0, 255}), 8);
    EXPECT_EQ(datapath::bitsOf({-1, 0}), 1);
    EXPECT_EQ(datapath::bitsOf({-255, 255}), 9);
    EXPECT_EQ(datapath::bitsOf({-256, 255}), 9);
    EXPECT_EQ(datapath::bitsOf({-257, 0}), 10);
}

std::vector<int> bitsOf(const std::string& text, CellKind kind) {
    const ir::StreamProgram program = frontend::streamOf(text);
    std::vector<int> bits;
    for (const Cell& cell : timed(designAt(program, {1, 1}).circuit).datapath.cells) {
        if (cell.kind == kind)
            bits.push_back(cell.bits());
    }
    return bits;
}

TEST(WordWidths, PixelsOfEightBitsAreStoredInEight) {
    const std::string head = "stream s { input x : Seq 400 i32;\n"
                             "let m = map(fn v -> lsr(lsl(v, 24), 24), x);\n";
    EXPECT_EQ(bitsOf(head + "output y = shift(100, m); }", CellKind::Input), std::vector<int>{8});
    EXPECT_EQ(bitsOf(head + "output y = map2(sub, m, shift(100, m)); }", CellKind::Sub),
              std::vector<int>{9});
    EXPECT_EQ(bitsOf(head + "output y = map2(fn a b -> mul(sub(a, b), sub(b, a)), m, "
                            "shift(1, m)); }",
                     CellKind::Mul),
              std::vector<int>{17});
    // Of a sum of 32 bits, of which 4 are wanted, 4 are made.
    EXPECT_EQ(bitsOf("stream s { input x : Seq 400 u32; output y = map2(fn a b -> "
                     "lsl(add(a, b), 28), x, shift(1, x)); }",
                     CellKind::Add),
              std::vector<int>{4});
}

} // namespace
} // namespace marquetry::test
