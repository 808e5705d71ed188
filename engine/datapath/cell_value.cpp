#include "engine/datapath/cell_value.h"

#include <algorithm>

namespace marquetry::datapath {

Word mask(int width) {
    return width >= 64 ? ~Word{0} : (Word{1} << width) - 1;
}

std::int64_t modulo(std::int64_t a, std::int64_t m) {
    const std::int64_t r = a % m;
    return r < 0 ? r + m : r;
}

/// Of words in two's complement.
std::int64_t signedValue(Word a, int width) {
    const int above = 64 - width;
    return static_cast<std::int64_t>(a << above) >> above;
}

namespace {

/// Comparisons, operators bit by bit, and words that are chosen.
Word computeBits(const Cell& cell, Word a, Word b, Word c) {
    const Word within = mask(cell.width);
    switch (cell.kind) {
    case CellKind::Less:
        return a < b ? 1 : 0;
    case CellKind::LessSigned:
        return signedValue(a, cell.width) < signedValue(b, cell.width) ? 1 : 0;
    case CellKind::Equal:
        return a == b ? 1 : 0;
    case CellKind::And:
        return a & b;
    case CellKind::Or:
        return a | b;
    case CellKind::Xor:
        return a ^ b;
    case CellKind::Not:
        return ~a & within;
    case CellKind::Extend:
        return static_cast<Word>(signedValue(a, static_cast<int>(cell.number))) & within;
    case CellKind::Lookup:
        return a < cell.table.size() ? static_cast<Word>(cell.table[a]) : 0;
    case CellKind::Choose:
        return a != 0 ? b : c;
    default:
        return a;
    }
}

} // namespace

Word compute(const Cell& cell, Word a, Word b, Word c) {
    const auto by = static_cast<Word>(cell.number);
    const Word within = mask(cell.width);
    switch (cell.kind) {
    case CellKind::Add:
        return (a + b) & within;
    case CellKind::Sub:
        return (a - b) & within;
    case CellKind::Mul:
        return (a * b) & within;
    case CellKind::Left:
        return by >= 64 ? 0 : (a << by) & within;
    case CellKind::Right:
        return by >= 64 ? 0 : (a >> by) & within;
    case CellKind::LeftBy:
        return b >= 64 ? 0 : (a << b) & within;
    case CellKind::RightBy:
        return b >= 64 ? 0 : a >> b;
    default:
        return computeBits(cell, a, b, c);
    }
}

namespace {

std::int64_t patternAt(const Cell& pattern, std::int64_t step) {
    const auto holds = [&](const Cell& part) { return valueAt(part, step) != 0; };
    switch (pattern.number) {
    case kAllParts:
        return std::ranges::all_of(pattern.parts, holds) ? 1 : 0;
    case kAnyPart:
        return std::ranges::any_of(pattern.parts, holds) ? 1 : 0;
    default:
        return std::ranges::none_of(pattern.parts, holds) ? 1 : 0;
    }
}

} // namespace

std::int64_t valueAt(const Cell& generator, std::int64_t step) {
    if (generator.restart)
        step = modulo(step - generator.restart->first, generator.restart->period);
    const std::int64_t at = modulo(step, generator.period);
    switch (generator.kind) {
    case CellKind::Phase:
        return generator.first <= at && at < generator.end ? 1 : 0;
    case CellKind::Index:
        return at / generator.number;
    case CellKind::Pattern:
        return patternAt(generator, step);
    case CellKind::Table:
        return generator.table[static_cast<std::size_t>(at)];
    default:
        return generator.number;
    }
}

} // namespace marquetry::datapath
