#include "engine/datapath/narrow.h"

#include <algorithm>
#include <bit>

namespace marquetry::datapath {

namespace {

bool isModular(CellKind kind) {
    switch (kind) {
    case CellKind::Input:
    case CellKind::Constant:
    case CellKind::Undefined:
    case CellKind::Add:
    case CellKind::Sub:
    case CellKind::Mul:
    case CellKind::Left:
    case CellKind::Sample:
        return true;
    default:
        return false;
    }
}

class Narrowing {
public:
    Narrowing(Datapath& datapath, int inputBits, int outputBits)
        : cells_(datapath.cells),
          inputBits_(inputBits),
          width_(outputBits),
          within_((std::uint64_t{1} << outputBits) - 1),
          done_(datapath.cells.size(), false) {}

    void run() {
        for (std::size_t k = 0; k < cells_.size(); ++k)
            visit(k);
    }

private:
    /// A cell that is reached again while its operands are looked at keeps the whole width.
    void visit(std::size_t k) {
        if (done_[k])
            return;
        done_[k] = true;
        Cell& cell = cells_[k];
        cell.width = std::min(cell.width, width_);
        cell.most = within_;
        for (const Tap& tap : cell.operands)
            visit(tap.cell.index());
        cell.most = mostOf(cell);
    }

    std::uint64_t mostOf(Cell& cell) const {
        const auto operand = [&](std::size_t n) {
            return cells_[cell.operands[n].cell.index()].most;
        };
        switch (cell.kind) {
        case CellKind::Input:
            return std::min(within_, (std::uint64_t{1} << inputBits_) - 1);
        case CellKind::Constant:
            cell.number =
                static_cast<std::int64_t>(static_cast<std::uint64_t>(cell.number) & within_);
            return static_cast<std::uint64_t>(cell.number);
        case CellKind::Undefined:
            return 1;
        case CellKind::Add:
            return std::min(within_, operand(0) + operand(1));
        case CellKind::Sample:
            return operand(0);
        case CellKind::Left:
            return static_cast<std::int64_t>(std::bit_width(operand(0))) + cell.number <= width_
                       ? operand(0) << cell.number
                       : within_;
        default:
            return within_;
        }
    }

    std::vector<Cell>& cells_;
    int inputBits_;
    int width_;
    std::uint64_t within_;
    std::vector<bool> done_;
};

} // namespace

bool narrow(Datapath& datapath, int inputBits, int outputBits) {
    if (!std::ranges::all_of(datapath.cells, [](const Cell& c) { return isModular(c.kind); }))
        return false;
    Narrowing(datapath, inputBits, outputBits).run();
    for (DatapathPort& port : datapath.inputs)
        std::ranges::fill(port.leafBits, inputBits);
    std::ranges::fill(datapath.output.leafBits, outputBits);
    return true;
}

} // namespace marquetry::datapath
