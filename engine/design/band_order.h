// The order in which the steps of bands, or of groups of frames, begin where some run beside others
// (design/step_queues.h).
//
// Band by band each step would wait for the one before, which it reads. So a later band may be
// begun while steps of an earlier one are left: at each time the step that can begin first does,
// the oldest band's first. It is list scheduling: other orders may be faster. A ring has room for
// the rows that some step reads which has not ended.
//
// Complexity: O(items · (chains + tensors)), but for logarithms. Thread rule: pure.
#pragma once

#include "engine/design/row_bands.h"
#include "engine/design/schedule.h"

#include <optional>
#include <vector>

namespace marquetry::design {

struct TensorRows {
    std::size_t tensor = 0;
    RowRange rows;
};

/// A step of a band.
struct BandItem {
    std::size_t band = 0;
    std::size_t chain = 0; ///< the layer, load or store: its bands follow one another
    Queue queue = Queue::Calls;
    std::optional<UnitId> unit = {};
    std::int64_t clocks = 1;
    std::vector<TensorRows> reads; ///< of tensors that other items make
    std::optional<TensorRows> makes = {};
    std::vector<std::size_t> ports = {}; ///< numbers of what one step takes at a time
};

struct BandOrder {
    std::vector<std::size_t> items;   ///< indices, in the order in which they begin
    std::vector<std::int64_t> begins; ///< by item, about
    std::int64_t clocks = 0;          ///< until all have ended, about
};

/// Of items that come band by band. Steps of at most `ahead` bands behind the oldest one that is
/// not begun as a whole are begun, and those of a band no earlier than so many clocks behind those
/// of the one before.
BandOrder orderBands(const std::vector<BandItem>& items, std::size_t ahead,
                     std::int64_t interval = 0);

/// Until all have ended, about, of items that begin in this order; nothing where one of them comes
/// before what it reads.
std::optional<std::int64_t> clocksInOrder(const std::vector<BandItem>& items,
                                          const std::vector<std::size_t>& order);

/// Rows of each of so many tensors that are there at once, of items in the order in which they
/// begin.
std::vector<std::int64_t> ringRows(const std::vector<BandItem>& items, std::size_t tensors);

} // namespace marquetry::design
