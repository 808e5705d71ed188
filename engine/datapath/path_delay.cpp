#include "engine/datapath/path_delay.h"

#include "engine/device/lut6.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::datapath {

namespace {

constexpr double kLut = 300;
constexpr double kOneMoreOperand = 410;
constexpr double kOneMoreSum = 900;
constexpr double kIntoCarry = 770;  ///< a LUT, into the chain and out of it
constexpr double kCarryBlock = 114; ///< of four bits
constexpr double kSliceChoice = 450;
constexpr std::int64_t kTablesOfSlice = 4;

double carry(int bits) {
    return kIntoCarry + kCarryBlock * ((bits + 3) / 4);
}

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
    const double own = before && isSum(before->kind) ? kOneMoreSum : carry(cell.bits());
    return own + (chain == Chain::Beside ? kOneMoreOperand : 0);
}

} // namespace

/// A LUT, what a slice chooses between without one, and choices of four.
double tableDelay(const Cell& cell) {
    const std::int64_t tables = ceilDiv(std::ssize(cell.table), device::kLutRows);
    double delay = kLut + (tables > 1 ? kSliceChoice : 0);
    for (std::int64_t left = ceilDiv(tables, kTablesOfSlice); left > 1; left = ceilDiv(left, 4))
        delay += kLut;
    return delay;
}

double cellDelay(const Cell& cell, const Cell* before, Chain chain) {
    switch (cell.kind) {
    case CellKind::Lookup:
        return cell.isBlockRom() ? kMemorySetup : tableDelay(cell);
    case CellKind::Add:
    case CellKind::Sub:
        return sumDelay(cell, before, chain);
    case CellKind::Mul:
        return 2500;
    case CellKind::Less:
    case CellKind::LessSigned:
        return carry(cell.operandBits) + kLut;
    case CellKind::Equal:
        return 3 * kLut;
    case CellKind::LeftBy:
    case CellKind::RightBy:
        return 3 * kLut;
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
