#include "engine/datapath/word_widths.h"

#include "engine/datapath/cell_value.h"
#include "engine/datapath/word_range.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::datapath {

namespace {

bool compares(CellKind kind) {
    return kind == CellKind::Less || kind == CellKind::LessSigned || kind == CellKind::Equal;
}

class Fitting {
public:
    explicit Fitting(Datapath& datapath) : datapath_(datapath), cells_(datapath.cells) {}

    void run() {
        findRanges();
        findNeeds();
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            if (!isGenerator(cells_[k].kind) && cells_[k].kind != CellKind::Store)
                fit(k);
        }
    }

private:
    /// In the order of the cells. What a loop comes back with is not known yet: then it is what the
    /// cell was made with.
    void findRanges() {
        for (const Cell& cell : cells_)
            ranges_.push_back({0, static_cast<std::int64_t>(cell.most)});
        const RangeOf rangeOf = [this](const Tap& tap, int width) {
            return operandRange(tap, width);
        };
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            const Cell& cell = cells_[k];
            const NumberRange found = isGenerator(cell.kind) ? rangeOfGenerator(cell)
                                      : cell.kind == CellKind::Input
                                          ? ranges_[k]
                                          : rangeOfResult(cells_, cell, rangeOf);
            if (bitsOf(found) < bitsOf(ranges_[k]))
                ranges_[k] = found;
        }
    }

    NumberRange operandRange(const Tap& tap, int width) const {
        const std::size_t u = tap.cell.index();
        const int own = cells_[u].width;
        if (own < width)
            return withoutSign(ranges_[u], own);
        const NumberRange& range = ranges_[u];
        return own == width || bitsOf(range) <= width - 1 ? range : allWords(width);
    }

    /// How many low bits somebody needs of each word.
    void findNeeds() {
        needs_.assign(cells_.size(), 0);
        const DatapathPort& port = datapath_.output;
        for (std::size_t k = 0; k < datapath_.outputs.size(); ++k)
            need(datapath_.outputs[k], port.leafBits[k % port.leafBits.size()]);
        for (changed_ = true; changed_;) {
            changed_ = false;
            for (std::size_t k = cells_.size(); k-- > 0;)
                needOperands(k);
        }
    }

    void need(const Tap& tap, int bits) {
        int& known = needs_[tap.cell.index()];
        const Cell& cell = cells_[tap.cell.index()];
        const int within = cell.kind == CellKind::Store ? bits : std::min(bits, cell.width);
        changed_ = changed_ || within > known;
        known = std::max(known, within);
    }

    void needOperands(std::size_t k) {
        const Cell& cell = cells_[k];
        const int needed = needs_[k];
        for (std::size_t n = 0; needed > 0 && n < cell.operands.size(); ++n)
            need(cell.operands[n], neededOf(cell, n, withinMask(k, needed)));
    }

    /// Of a conjunction that is no longer than one of its operands, no more of the other is needed.
    int withinMask(std::size_t k, int needed) const {
        return cells_[k].kind == CellKind::And && ranges_[k].low >= 0
                   ? std::min(needed, bitsOf(ranges_[k]))
                   : needed;
    }

    /// Bits of operand n that a cell needs of whose result some are needed.
    static int neededOf(const Cell& cell, std::size_t n, int needed) {
        constexpr int kAll = kMostRangeBits;
        const auto by = static_cast<int>(std::min<std::int64_t>(cell.number, kAll));
        switch (cell.kind) {
        case CellKind::Add:
        case CellKind::Sub:
        case CellKind::Mul:
        case CellKind::Sample:
            return needed;
        case CellKind::Left:
            return std::max(0, needed - by);
        case CellKind::Right:
            return needed + by;
        case CellKind::LeftBy:
        case CellKind::Store: // of a Store is needed what is of its Fetch
            return n == 0 ? needed : kAll;
        case CellKind::Fetch:
            return n == 0 ? needed : kAll;
        case CellKind::Lookup:
            return bitsFor(std::ssize(cell.table));
        case CellKind::Choose:
            return n == 0 ? kAll : needed;
        case CellKind::And:
        case CellKind::Or:
        case CellKind::Xor:
        case CellKind::Not:
        case CellKind::Extend:
            return needed;
        default:
            return kAll;
        }
    }

    void fit(std::size_t k) {
        Cell& cell = cells_[k];
        const int bits = bitsOf(ranges_[k]);
        const bool isCut = needs_[k] < bits && cell.kind != CellKind::RightBy;
        const int kept = isCut ? std::max(1, needs_[k]) : bits;
        cell.isSigned = !isCut && ranges_[k].low < 0 && bits < cell.width;
        cell.most = mask(kept);
        if (compares(cell.kind))
            cell.operandBits = comparedBits(cell);
        if (cell.kind == CellKind::Mul)
            cell.operandBits =
                std::min(kept, std::max(bitsOf(operandRange(cell.operands[0], cell.width)),
                                        bitsOf(operandRange(cell.operands[1], cell.width))));
    }

    /// Bits in which two words compare as in all: numbers without sign beside others have a 0 for
    /// the sign.
    int comparedBits(const Cell& cell) const {
        const NumberRange a = operandRange(cell.operands[0], cell.width);
        const NumberRange b = operandRange(cell.operands[1], cell.width);
        const bool isSigned = cell.kind == CellKind::LessSigned || a.low < 0 || b.low < 0;
        const auto bits = [&](const NumberRange& r) {
            return bitsOf(r) + (isSigned && r.low >= 0 ? 1 : 0);
        };
        return std::min(cell.width, std::max(bits(a), bits(b)));
    }

    Datapath& datapath_;
    std::vector<Cell>& cells_;
    std::vector<NumberRange> ranges_;
    std::vector<int> needs_;
    bool changed_ = false;
};

} // namespace

void fitWidths(Datapath& datapath) {
    Fitting(datapath).run();
}

} // namespace marquetry::datapath
