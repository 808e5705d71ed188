// AccessWindow: which addresses the lanes of a loop nest touch in one iteration, and which of them
// a bank scheme sends to one bank.
//
// An iteration is a number 0 … iterations − 1 over the nest's counters, the last one fastest.
// Values that nobody knows before run time (?row(t)) get an example value per iteration, inside the
// array; `text` says so. Complexity: O(lanes · dims). Thread rule: pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace marquetry::widgets {

/// One lane in one iteration.
struct LaneAt {
    std::size_t group = 0; ///< of the pattern
    std::size_t lane = 0;  ///< of the group
    bool write = false;
    bool happens = false; ///< inside its loops and inside the array
    banking::Address address;
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

/// At least 1; saturates at 2^62.
std::int64_t iterationCount(const banking::Pattern& pattern, std::size_t nest);
/// Values of the generators in an iteration.
std::vector<std::int64_t> pointOf(const banking::Pattern& pattern, std::size_t nest,
                                  std::int64_t iteration);
/// The iteration whose counters have these values.
std::int64_t iterationOf(const banking::Pattern& pattern, std::size_t nest,
                         const std::vector<std::int64_t>& point);
AccessWindow windowAt(const banking::Pattern& pattern, const banking::Scheme& scheme,
                      std::size_t nest, std::vector<std::int64_t> point);

/// "i = 2, j = 3"; unknown values with a question mark: "row(0) = 5?".
QString pointText(const banking::Pattern& pattern, std::size_t nest,
                  const std::vector<std::int64_t>& point);

} // namespace marquetry::widgets
