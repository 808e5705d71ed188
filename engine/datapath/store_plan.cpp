#include "engine/datapath/store_plan.h"

#include "engine/datapath/rematerialise.h"
#include "engine/device/lut6.h"
#include "engine/device/rom.h"
#include "engine/spacetime/area_table.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>

namespace marquetry::datapath {

namespace {

/// LUTs that a DSP block is worth: the ratio of what a 7-series device has of each.
constexpr double kDspWeight = 170;

double toDouble(std::int64_t n) {
    return static_cast<double>(n);
}

double productWeight(int bits) {
    const auto& product =
        *std::ranges::find_if(spacetime::kProductAreas, [&](const spacetime::ProductArea& each) {
            return bits <= each.bits;
        });
    return product.lut + kDspWeight * product.dsp;
}

double operatorWeight(const Cell& cell) {
    switch (cell.kind) {
    case CellKind::Add:
    case CellKind::Sub:
    case CellKind::Choose:
    case CellKind::And:
    case CellKind::Or:
    case CellKind::Xor:
        return cell.bits();
    case CellKind::Less:
    case CellKind::LessSigned:
    case CellKind::Equal:
        return 1 + cell.operandBits / 2.0;
    case CellKind::LeftBy:
    case CellKind::RightBy:
        return 3.0 * cell.bits();
    case CellKind::Lookup:
        return toDouble(device::romOf(std::ssize(cell.table), cell.bits()).weight());
    case CellKind::Mul:
        return productWeight(cell.operandBits);
    default:
        return 0;
    }
}

double registerWeight(std::int64_t words, double bits) {
    const auto shifted = toDouble(device::shiftRegisterLuts(words));
    return bits * std::min(spacetime::kRegisterWeight * toDouble(words),
                           spacetime::kRegisterWeight + shifted);
}

/// Bits side by side that half a block RAM holds of so many words, and how many halves are one
/// behind the other.
struct HalfBlock {
    double bits = 1;
    double deep = 1;
};
HalfBlock halfBlockFor(std::int64_t words) {
    constexpr std::int64_t kWidestHalf = 512; // of the widest form
    constexpr std::int64_t kDeepestHalf = 16384;
    HalfBlock half{36, std::ceil(toDouble(words) / toDouble(kDeepestHalf))};
    for (std::int64_t held = kWidestHalf; held < std::min(words, kDeepestHalf); held *= 2)
        half.bits = std::floor(half.bits / 2);
    return half;
}

/// A line beside others: parts of blocks count.
double lineWeight(std::int64_t words, double bits) {
    const HalfBlock half = halfBlockFor(words);
    return std::min(registerWeight(words, bits),
                    spacetime::kBlockRamWeight / 2 * half.deep * bits / half.bits);
}

/// All lines of one length.
double wholeLineWeight(std::int64_t words, std::int64_t bits) {
    const HalfBlock half = halfBlockFor(words);
    return std::min(registerWeight(words, toDouble(bits)),
                    spacetime::kBlockRamWeight / 2 * half.deep *
                        std::ceil(toDouble(bits) / half.bits));
}

bool isStored(const Cell& cell) {
    return !cell.periodic && !isView(cell.kind) && cell.kind != CellKind::Store;
}

/// Calls `gap` with the words between each two groups of uses of a copy.
template <class Gap>
void forGaps(const Cell& cell, const std::vector<std::int64_t>& copies,
             const std::vector<std::int64_t>& uses, const Gap& gap) {
    std::size_t copy = 0;
    std::int64_t before = copies[0];
    for (const std::int64_t use : uses) {
        while (copy + 1 < copies.size() && copies[copy + 1] <= use)
            before = copies[++copy];
        if (use > before)
            gap(ceilDiv(use - before, cell.used.stride));
        before = std::max(before, use);
    }
}

double weightOfCell(const Cell& cell, const std::vector<std::int64_t>& copies,
                    const std::vector<std::int64_t>& uses) {
    double weight = operatorWeight(cell) * toDouble(std::ssize(copies));
    forGaps(cell, copies, uses, [&](std::int64_t words) {
        weight +=
            words < kFarSteps ? registerWeight(words, cell.bits()) : lineWeight(words, cell.bits());
    });
    return weight;
}

} // namespace

StorePlanner::StorePlanner(const Datapath& datapath) : datapath_(datapath), cells_(datapath.cells) {
    findOrder();
    findMovable();
}

void StorePlanner::findOrder() {
    std::vector<std::size_t> missing(cells_.size(), 0);
    std::vector<std::vector<std::size_t>> users(cells_.size());
    std::vector<std::size_t> found;
    for (std::size_t v = 0; v < cells_.size(); ++v) {
        missing[v] = cells_[v].operands.size();
        for (const Tap& tap : cells_[v].operands)
            users[tap.cell.index()].push_back(v);
        if (missing[v] == 0)
            found.push_back(v);
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
        for (const std::size_t user : users[found[k]]) {
            if (--missing[user] == 0)
                found.push_back(user);
        }
    }
    const auto isCounted = [&](std::size_t v) {
        return !cells_[v].periodic && !isView(cells_[v].kind);
    };
    std::ranges::copy_if(found, std::back_inserter(order_), isCounted);
    for (std::size_t v = 0; v < cells_.size(); ++v) {
        if (missing[v] > 0 && isCounted(v))
            looped_.push_back(v);
    }
}

void StorePlanner::findMovable() {
    mayMove_.assign(cells_.size(), false);
    for (const std::size_t k : order_) {
        const Cell& cell = cells_[k];
        const bool isPhased = std::ranges::any_of(cell.operands, [&](const Tap& tap) {
            return !isSource(tap) && cells_[tap.cell.index()].period > 1;
        });
        const bool isOnce = cell.kind == CellKind::Sample || cell.kind == CellKind::Store ||
                            cell.kind == CellKind::Fetch;
        mayMove_[k] = !cell.operands.empty() && !isOnce && !isPhased;
    }
}

/// Through views.
void StorePlanner::addUse(Distances& uses, const Tap& tap, std::int64_t later) const {
    const Tap source = datapath_.source(tap);
    if (isSource(source))
        uses[source.cell.index()].push_back(source.distance + later);
}

/// The first steps of groups of uses that are near each other.
std::vector<std::int64_t> StorePlanner::groupsOf(std::size_t cell,
                                                 const std::vector<std::int64_t>& uses) const {
    const std::int64_t far = kFarSteps * cells_[cell].used.stride;
    std::vector<std::int64_t> groups;
    std::int64_t before = 0;
    for (const std::int64_t use : uses) {
        const bool isFar = use - before >= far;
        if (groups.empty() || isFar)
            groups.push_back(isFar ? use : 0);
        before = use;
    }
    return groups;
}

StorePlan StorePlanner::plan(const std::vector<bool>& stored) const {
    StorePlan plan{Copies(cells_.size(), {0}), 0};
    Distances uses(cells_.size());
    for (const Tap& tap : datapath_.outputs)
        addUse(uses, tap, 0);
    const auto addOperands = [&](std::size_t v) {
        for (const Tap& tap : cells_[v].operands) {
            for (const std::int64_t later : plan.copies[v])
                addUse(uses, tap, later);
        }
    };
    for (const std::size_t v : looped_)
        addOperands(v);
    for (const std::size_t v : order_ | std::views::reverse) {
        std::ranges::sort(uses[v]);
        if (mayMove_[v] && !stored[v] && !uses[v].empty())
            plan.copies[v] = groupsOf(v, uses[v]);
        addOperands(v);
        plan.weight += weightOfCell(cells_[v], plan.copies[v], uses[v]);
    }
    for (const std::size_t v : looped_) {
        std::ranges::sort(uses[v]);
        plan.weight += weightOfCell(cells_[v], plan.copies[v], uses[v]);
    }
    return plan;
}

namespace {

/// Copies of cells in a new datapath.
class Copying {
public:
    Copying(const Datapath& datapath, const Copies& copies)
        : datapath_(datapath), cells_(datapath.cells), copies_(copies) {}

    Datapath run() && {
        Datapath result = datapath_;
        number();
        std::vector<Cell> made;
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            for (const std::int64_t later : copiesOf(k))
                made.push_back(copied(k, later));
        }
        for (Tap& tap : result.outputs)
            tap = taken(tap, 0);
        result.cells = std::move(made);
        return result;
    }

private:
    /// A view is there for each copy of the word it shows.
    const std::vector<std::int64_t>& copiesOf(std::size_t k) const {
        const Tap source = datapath_.source({CellId(k), 0});
        return copies_[source.cell.index()];
    }

    void number() {
        std::size_t next = 0;
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            first_.push_back(next);
            next += copiesOf(k).size();
        }
    }

    Cell copied(std::size_t k, std::int64_t later) const {
        Cell cell = cells_[k];
        if (isView(cell.kind)) {
            const Tap& inner = cell.operands[0];
            cell.operands[0].cell = copyAt(inner.cell, later);
            return cell;
        }
        for (Tap& tap : cell.operands)
            tap = taken(tap, later);
        cell.used.offset = (cell.used.offset + later) % cell.used.stride;
        return cell;
    }

    CellId copyAt(CellId cell, std::int64_t later) const {
        const auto& all = copiesOf(cell.index());
        const auto place = std::ranges::find(all, later) - all.begin();
        return CellId(first_[cell.index()] + static_cast<std::size_t>(place));
    }

    /// An operand of a cell that is computed `later`: of the last copy that is there by then.
    Tap taken(const Tap& tap, std::int64_t later) const {
        if (cells_[tap.cell.index()].periodic)
            return {copyAt(tap.cell, 0), tap.distance};
        const std::int64_t source = datapath_.source(tap).distance + later;
        const auto& all = copiesOf(tap.cell.index());
        const auto behind = std::ranges::upper_bound(all, source);
        const std::int64_t copy = behind == all.begin() ? all.front() : *(behind - 1);
        return {copyAt(tap.cell, copy), tap.distance + later - copy};
    }

    const Datapath& datapath_;
    const std::vector<Cell>& cells_;
    const Copies& copies_;
    std::vector<std::size_t> first_;
};

/// Without views and cells that nobody takes.
void dropUnused(Datapath& datapath) {
    std::vector<Cell>& cells = datapath.cells;
    std::vector<bool> needed(cells.size(), false);
    std::vector<CellId> open;
    const auto need = [&](const Tap& tap) {
        if (!needed[tap.cell.index()])
            open.push_back(tap.cell);
        needed[tap.cell.index()] = true;
    };
    std::ranges::for_each(datapath.outputs, need);
    while (!open.empty()) {
        const CellId next = open.back();
        open.pop_back();
        std::ranges::for_each(cells[next.index()].operands, need);
    }
    std::vector<CellId> places(cells.size());
    std::vector<Cell> kept;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        places[k] = CellId(kept.size());
        if (needed[k])
            kept.push_back(std::move(cells[k]));
    }
    const auto rename = [&](Tap& tap) { tap.cell = places[tap.cell.index()]; };
    for (Cell& cell : kept)
        std::ranges::for_each(cell.operands, rename);
    std::ranges::for_each(datapath.outputs, rename);
    cells = std::move(kept);
}

} // namespace

Datapath StorePlanner::built(const Copies& copies) const {
    Datapath result = Copying(datapath_, copies).run();
    dropUnused(result);
    return result;
}

double weightOf(const Datapath& datapath) {
    const std::vector<Cell>& cells = datapath.cells;
    std::vector<std::vector<std::int64_t>> uses(cells.size());
    const auto use = [&](const Tap& tap) {
        const Tap source = datapath.source(tap);
        uses[source.cell.index()].push_back(source.distance);
    };
    for (const Cell& cell : cells) {
        if (!isView(cell.kind))
            std::ranges::for_each(cell.operands, use);
    }
    std::ranges::for_each(datapath.outputs, use);
    double weight = 0;
    std::map<std::int64_t, std::int64_t> bitsOfLines;
    for (std::size_t k = 0; k < cells.size(); ++k) {
        weight += operatorWeight(cells[k]);
        if (!isStored(cells[k]))
            continue;
        std::ranges::sort(uses[k]);
        forGaps(cells[k], {0}, uses[k], [&](std::int64_t words) {
            if (words < kFarSteps)
                weight += registerWeight(words, cells[k].bits());
            else
                bitsOfLines[words] += cells[k].bits();
        });
    }
    for (const auto& [words, bits] : bitsOfLines)
        weight += wholeLineWeight(words, bits);
    return weight;
}

} // namespace marquetry::datapath
