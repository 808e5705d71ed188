#include "engine/datapath/word_range.h"

#include "engine/datapath/cell_value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace marquetry::datapath {

namespace {

std::int64_t modulus(int width) {
    return std::int64_t{1} << width;
}

/// A range of integers as one of words.
NumberRange canonical(std::int64_t low, std::int64_t high, int width) {
    const std::int64_t half = modulus(width) / 2;
    const std::int64_t span = high - low;
    if (span >= modulus(width))
        return allWords(width);
    const std::int64_t from = modulo(low + half, modulus(width)) - half;
    const std::int64_t to = from + span;
    return to < (from < 0 ? half : modulus(width)) ? NumberRange{from, to} : allWords(width);
}

NumberRange hull(const NumberRange& a, const NumberRange& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

/// Words of either range, as numbers of that sign which takes fewer bits.
NumberRange either(const NumberRange& a, const NumberRange& b, int width) {
    const NumberRange without = hull(withoutSign(a, width), withoutSign(b, width));
    const NumberRange with = hull(withSign(a, width), withSign(b, width));
    return bitsOf(with) < bitsOf(without) ? with : without;
}

NumberRange product(const NumberRange& a, const NumberRange& b, int width) {
    std::array<std::int64_t, 4> corners{};
    std::size_t next = 0;
    for (const std::int64_t x : {a.low, a.high}) {
        for (const std::int64_t y : {b.low, b.high}) {
            // Twice as far from the limits as the sums in `canonical` need.
            constexpr std::int64_t kLargest = std::int64_t{1} << 61;
            const bool over = __builtin_mul_overflow(x, y, &corners[next]);
            if (over || corners[next] > kLargest || corners[next] < -kLargest)
                return allWords(width);
            ++next;
        }
    }
    const auto [low, high] = std::ranges::minmax(corners);
    return canonical(low, high, width);
}

/// What a choice knows of its branches.
class ChoiceRange {
public:
    ChoiceRange(const std::vector<Cell>& cells, const Cell& choice, const RangeOf& rangeOf)
        : cells_(cells),
          choice_(choice),
          condition_(cells[choice.operands[0].cell.index()]),
          rangeOf_(rangeOf) {}

    NumberRange find() const {
        if (const auto known = magnitude())
            return *known;
        if (const auto known = ordered())
            return *known;
        return either(branch(true), branch(false), choice_.width);
    }

private:
    const Tap& yes() const { return choice_.operands[1]; }
    const Tap& no() const { return choice_.operands[2]; }
    const Cell& cell(const Tap& tap) const { return cells_[tap.cell.index()]; }
    bool compares() const {
        return condition_.kind == CellKind::Less || condition_.kind == CellKind::LessSigned;
    }

    /// Operand k of an operand of the choice, as the choice sees it.
    Tap behind(const Tap& tap, std::size_t k) const {
        const Tap& inner = cell(tap).operands[k];
        const bool steady = cell(inner).periodic && cell(inner).period == 1;
        return {inner.cell, steady ? 0 : inner.distance + tap.distance};
    }
    Tap compared(std::size_t k) const { return behind(choice_.operands[0], k); }

    NumberRange asCompared(const Tap& tap) const {
        const int width = condition_.width;
        const NumberRange range = rangeOf_(tap, width);
        return condition_.kind == CellKind::Less ? withoutSign(range, width)
                                                 : withSign(range, width);
    }

    /// The lesser or greater of two words.
    std::optional<NumberRange> ordered() const {
        if (!compares() || condition_.width != choice_.width)
            return std::nullopt;
        const bool least = yes() == compared(0) && no() == compared(1);
        const bool most = yes() == compared(1) && no() == compared(0);
        if (!least && !most)
            return std::nullopt;
        const NumberRange a = asCompared(yes());
        const NumberRange b = asCompared(no());
        return least ? canonical(std::min(a.low, b.low), std::min(a.high, b.high), choice_.width)
                     : canonical(std::max(a.low, b.low), std::max(a.high, b.high), choice_.width);
    }

    /// 0 − a where the highest bit of a is 1, else a.
    std::optional<NumberRange> magnitude() const {
        const int width = choice_.width;
        const bool bySign = condition_.kind == CellKind::Right && condition_.number == width - 1 &&
                            compared(0) == no() && cell(no()).width == width;
        const Cell& minus = cell(yes());
        const bool negates = minus.kind == CellKind::Sub && behind(yes(), 1) == no() &&
                             cell(minus.operands[0]).kind == CellKind::Constant &&
                             cell(minus.operands[0]).number == 0;
        if (!bySign || !negates)
            return std::nullopt;
        const NumberRange range = withSign(rangeOf_(no(), width), width);
        const std::int64_t least =
            range.low > 0 ? range.low : std::max<std::int64_t>(-range.high, 0);
        return canonical(least, std::max(-range.low, range.high), width);
    }

    /// A branch that is a difference of the words that are compared is positive, or not negative.
    NumberRange branch(bool truth) const {
        const Tap& taken = truth ? yes() : no();
        const NumberRange range = rangeOf_(taken, choice_.width);
        const std::size_t larger = truth ? 1 : 0;
        const bool known =
            compares() && cell(taken).kind == CellKind::Sub && condition_.width == choice_.width &&
            cell(taken).width == choice_.width && behind(taken, 0) == compared(larger) &&
            behind(taken, 1) == compared(1 - larger);
        if (!known)
            return range;
        const NumberRange a = asCompared(compared(larger));
        const NumberRange b = asCompared(compared(1 - larger));
        const std::int64_t least = std::max<std::int64_t>(a.low - b.high, truth ? 1 : 0);
        return least > a.high - b.low ? range : canonical(least, a.high - b.low, choice_.width);
    }

    const std::vector<Cell>& cells_;
    const Cell& choice_;
    const Cell& condition_;
    const RangeOf& rangeOf_;
};

bool isCondition(CellKind kind) {
    return kind == CellKind::Less || kind == CellKind::LessSigned || kind == CellKind::Equal ||
           kind == CellKind::And || kind == CellKind::Or || kind == CellKind::Not;
}

bool isBitwise(CellKind kind) {
    return kind == CellKind::And || kind == CellKind::Or || kind == CellKind::Xor ||
           kind == CellKind::Not;
}

/// Of all numbers of as many bits as the longer of two has, with a sign where one has.
NumberRange ofBits(const NumberRange& a, const NumberRange& b, int width) {
    const bool isSigned = a.low < 0 || b.low < 0;
    const auto bits = [&](const NumberRange& r) {
        return bitsOf(r) + (isSigned && r.low >= 0 ? 1 : 0);
    };
    const int most = std::max(bits(a), bits(b));
    if (most > width)
        return allWords(width);
    return isSigned ? NumberRange{-modulus(most) / 2, modulus(most) / 2 - 1}
                    : NumberRange{0, modulus(most) - 1};
}

NumberRange bitwise(CellKind kind, const NumberRange& a, const NumberRange& b, int width) {
    if (kind == CellKind::Not)
        return canonical(-1 - a.high, -1 - a.low, width);
    if (kind == CellKind::And && (a.low >= 0 || b.low >= 0))
        return {0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
    return ofBits(a, b, width);
}

NumberRange shiftedRight(const NumberRange& range, std::int64_t by, int width) {
    if (by >= kMostRangeBits)
        return {0, 0};
    const NumberRange moved{range.low >> by, range.high >> by};
    return moved.high < modulus(width) ? moved : allWords(width);
}

/// Bits in the middle of a word: where its sign is among those that go, they are what they are of
/// its number.
NumberRange rightOf(const Cell& cell, int own, const RangeOf& rangeOf) {
    const int width = cell.width;
    const int whole = std::max(width, own);
    const NumberRange without = withoutSign(rangeOf(cell.operands[0], whole), whole);
    const NumberRange plain = shiftedRight(without, cell.number, width);
    if (cell.number + width > own)
        return plain;
    const NumberRange range = rangeOf(cell.operands[0], own);
    const NumberRange with = canonical(range.low >> cell.number, range.high >> cell.number, width);
    return bitsOf(with) < bitsOf(plain) ? with : plain;
}

NumberRange extended(const Cell& cell, const RangeOf& rangeOf) {
    const auto bits = static_cast<int>(cell.number);
    const NumberRange range = withSign(rangeOf(cell.operands[0], bits), bits);
    return canonical(range.low, range.high, cell.width);
}

NumberRange shiftedLeft(const NumberRange& range, std::int64_t by, int width) {
    if (by >= width)
        return {0, 0};
    return product(range, {modulus(static_cast<int>(by)), modulus(static_cast<int>(by))}, width);
}

} // namespace

int bitsOf(const NumberRange& range) {
    const auto width = [](std::int64_t n) {
        return static_cast<int>(std::bit_width(static_cast<Word>(n)));
    };
    if (range.low >= 0)
        return std::max(1, width(range.high));
    return 1 + std::max(width(-(range.low + 1)), range.high < 0 ? 0 : width(range.high));
}

NumberRange allWords(int width) {
    return {0, modulus(width) - 1};
}

NumberRange withoutSign(const NumberRange& range, int width) {
    if (range.low >= 0)
        return range;
    return range.high < 0 ? NumberRange{range.low + modulus(width), range.high + modulus(width)}
                          : allWords(width);
}

NumberRange withSign(const NumberRange& range, int width) {
    const std::int64_t half = modulus(width) / 2;
    if (range.high < half)
        return range;
    return range.low >= half ? NumberRange{range.low - modulus(width), range.high - modulus(width)}
                             : NumberRange{-half, half - 1};
}

namespace {

/// As numbers of that sign which takes fewer bits.
NumberRange rangeOfTable(const Cell& cell) {
    const auto with = [&](std::int64_t word) {
        return signedValue(static_cast<Word>(word), cell.width);
    };
    NumberRange range{with(cell.table[0]), with(cell.table[0])};
    for (const std::int64_t word : cell.table)
        range = hull(range, {with(word), with(word)});
    const NumberRange plain{0, *std::ranges::max_element(cell.table)};
    return bitsOf(range) < bitsOf(plain) ? range : plain;
}

} // namespace

NumberRange rangeOfGenerator(const Cell& generator) {
    const int width = generator.width;
    if (generator.kind == CellKind::Constant)
        return canonical(generator.number, generator.number, width);
    if (generator.kind != CellKind::Table)
        return {0, static_cast<std::int64_t>(generator.most)};
    return rangeOfTable(generator);
}

NumberRange rangeOfResult(const std::vector<Cell>& cells, const Cell& cell,
                          const RangeOf& rangeOf) {
    const int width = cell.width;
    if (isCondition(cell.kind) && (width == 1 || !isBitwise(cell.kind)))
        return {0, static_cast<std::int64_t>(cell.most)};
    const auto in = [&](std::size_t k) { return rangeOf(cell.operands[k], width); };
    /// Of all bits of the operand, which may be more than those of the result.
    const auto whole = [&](std::size_t k) {
        const int own = std::max(width, cells[cell.operands[k].cell.index()].width);
        return withoutSign(rangeOf(cell.operands[k], own), own);
    };
    if (isBitwise(cell.kind))
        return bitwise(cell.kind, in(0), in(cell.operands.size() - 1), width);
    switch (cell.kind) {
    case CellKind::Add:
        return canonical(in(0).low + in(1).low, in(0).high + in(1).high, width);
    case CellKind::Sub:
        return canonical(in(0).low - in(1).high, in(0).high - in(1).low, width);
    case CellKind::Mul:
        return product(in(0), in(1), width);
    case CellKind::Left:
        return shiftedLeft(in(0), cell.number, width);
    case CellKind::Right:
        return rightOf(cell, cells[cell.operands[0].cell.index()].width, rangeOf);
    case CellKind::Extend:
        return extended(cell, rangeOf);
    case CellKind::RightBy:
        return {0, std::min(whole(0).high, allWords(width).high)};
    case CellKind::Lookup:
        return rangeOfTable(cell);
    case CellKind::Choose:
        return ChoiceRange(cells, cell, rangeOf).find();
    case CellKind::Sample:
        return in(0);
    case CellKind::Fetch:
        return rangeOf(cells[cell.operands[0].cell.index()].operands[0], width);
    default:
        return allWords(width);
    }
}

} // namespace marquetry::datapath
