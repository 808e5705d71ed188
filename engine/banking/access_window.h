// Which addresses the lanes of a loop nest touch in one iteration, and which of them a bank scheme
// sends to one bank, as data to be shown. An AccessWindow is one moment, as a Witness is one.
//
// An iteration is a number 0 … count − 1 over the nest's counters, the last one fastest. Values
// that nobody knows before run time (?row(t)) get an example value per iteration, inside the array.
// Complexity: O(lanes · dims) for a moment. Thread rule: immutable; any number of readers.
#pragma once

#include "engine/banking/pattern.h"
#include "engine/banking/scheme.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace marquetry::banking {

/// One lane in one iteration.
struct LaneAt {
    std::size_t group = 0; ///< of the pattern
    std::size_t lane = 0;  ///< of the group
    bool write = false;
    bool happens = false; ///< inside its loops and inside the array
    Address address;
    std::int64_t bank = 0;
    std::int64_t offset = 0;
    std::int64_t copy = 0;
    bool conflict = false; ///< shares its bank with more lanes than the bank has ports
};

struct AccessWindow {
    std::size_t nest = 0;
    std::vector<std::int64_t> point; ///< value of each generator
    std::vector<LaneAt> lanes;       ///< of all groups of the nest

    bool conflicts() const;
};

/// The iterations of the loop nests of a pattern.
class Iterations {
public:
    /// Finds the values that generators take inside the array.
    explicit Iterations(std::shared_ptr<const AccessPattern> pattern);

    /// At least 1; saturates at 2^62.
    std::int64_t count(std::size_t nest) const;
    /// Values of the generators in an iteration.
    std::vector<std::int64_t> pointOf(std::size_t nest, std::int64_t iteration) const;
    /// The iteration whose counters have these values.
    std::int64_t iterationOf(std::size_t nest, const std::vector<std::int64_t>& point) const;
    AccessWindow windowAt(const Scheme& scheme, std::size_t nest,
                          std::vector<std::int64_t> point) const;

private:
    using Range = std::pair<std::int64_t, std::int64_t>;

    std::shared_ptr<const AccessPattern> pattern_;
    /// By nest and generator; of a nest without unknown values, or with unbounded ones, none.
    std::vector<std::vector<Range>> unknowns_;
};

} // namespace marquetry::banking
