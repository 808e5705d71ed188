// Copies of the cells of a datapath at other times, and what each way to make them weighs
// (place_stores.h). Weights are LUTs that something is worth. Thread rule: pure.
#pragma once

#include "engine/datapath/lower_datapath.h"

namespace marquetry::datapath {

/// By cell: how many steps later it is computed, for each copy of it, ascending.
using Copies = std::vector<std::vector<std::int64_t>>;

struct StorePlan {
    Copies copies;
    double weight = 0;
};

class StorePlanner {
public:
    explicit StorePlanner(const Datapath& datapath);

    /// Whether a cell can be computed again at another time.
    bool mayMove(std::size_t cell) const { return mayMove_[cell]; }

    /// A copy for each group of users that are near in time, of all cells but those in `stored`.
    StorePlan plan(const std::vector<bool>& stored) const;
    Datapath built(const Copies& copies) const;

private:
    using Distances = std::vector<std::vector<std::int64_t>>;

    void findOrder();
    void findMovable();
    bool isSource(const Tap& tap) const { return !cells_[tap.cell.index()].periodic; }
    void addUse(Distances& uses, const Tap& tap, std::int64_t later) const;
    std::vector<std::int64_t> groupsOf(std::size_t cell,
                                       const std::vector<std::int64_t>& uses) const;

    const Datapath& datapath_;
    const std::vector<Cell>& cells_;
    // Of cells that are no views and depend on inputs:
    std::vector<std::size_t> order_;  ///< those that depend on no loop, operands first
    std::vector<std::size_t> looped_; ///< the others
    std::vector<bool> mayMove_;
};

/// Of a datapath as it is; lines of one length fill whole halves of block RAMs.
double weightOf(const Datapath& datapath);

} // namespace marquetry::datapath
