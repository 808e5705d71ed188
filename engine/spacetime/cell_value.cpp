#include "engine/spacetime/cell_value.h"

namespace marquetry::spacetime {

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
    case CellKind::Not:
        return a ^ 1;
    case CellKind::Choose:
        return a != 0 ? b : c;
    default:
        return a;
    }
}

std::int64_t valueAt(const Cell& generator, std::int64_t step) {
    const std::int64_t at = modulo(step, generator.period);
    switch (generator.kind) {
    case CellKind::Phase:
        return generator.first <= at && at < generator.end ? 1 : 0;
    case CellKind::Index:
        return at / generator.number;
    case CellKind::Table:
        return generator.table[static_cast<std::size_t>(at)];
    default:
        return generator.number;
    }
}

} // namespace marquetry::spacetime
