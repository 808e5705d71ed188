#include "engine/datapath/path_delay.h"

#include <algorithm>

namespace marquetry::datapath {

using spacetime::carryDelay;
using spacetime::kOneMoreSum;

namespace {

constexpr double kLut = spacetime::kLutDelay;
constexpr double kOneMoreOperand = 410;

} // namespace

bool isSum(CellKind kind) {
    return kind == CellKind::Add || kind == CellKind::Sub;
}

double generatorDelay(const Cell& generator) {
    switch (generator.kind) {
    case CellKind::Table:
        return kRegisterDelay + 2 * kLut;
    case CellKind::Phase: // of a count that starts anew: compared, without a register
        return kRegisterDelay + (generator.restart ? 2 * kLut : 0);
    case CellKind::Index:
        return kRegisterDelay;
    case CellKind::Pattern: {
        double latest = 0;
        for (const Cell& part : generator.parts)
            latest = std::max(latest, generatorDelay(part));
        return latest + kLut;
    }
    default:
        return 0;
    }
}

namespace {

double sumDelay(const Cell& cell, const Cell* before, Chain chain) {
    if (before && chain == Chain::Shared)
        return kOneMoreOperand;
    const double own = before && isSum(before->kind) ? kOneMoreSum : carryDelay(cell.bits());
    return own + (chain == Chain::Beside ? kOneMoreOperand : 0);
}

} // namespace

double tableDelay(const Cell& cell) {
    return spacetime::tableDelay(std::ssize(cell.table));
}

double cellDelay(const Cell& cell, const Cell* before, Chain chain) {
    switch (cell.kind) {
    case CellKind::Lookup:
        return cell.isBlockRom() ? kMemorySetup : tableDelay(cell);
    case CellKind::Add:
    case CellKind::Sub:
        return sumDelay(cell, before, chain);
    case CellKind::Mul:
        return spacetime::kProductDelay;
    case CellKind::Less:
    case CellKind::LessSigned:
        return carryDelay(cell.operandBits) + kLut;
    case CellKind::Equal:
        return spacetime::kEqualDelay;
    case CellKind::LeftBy:
    case CellKind::RightBy:
        return spacetime::kShifterDelay;
    case CellKind::And:
    case CellKind::Or:
    case CellKind::Xor:
    case CellKind::Not:
    case CellKind::Choose:
        return kLut;
    default: // wires
        return 0;
    }
}

} // namespace marquetry::datapath
