// Iterations in which a unit takes the words of a window.
//
// A row of a kernel is a run of stored words, one pixel's after the other's. A unit takes `span`
// neighbouring words in each iteration, wherever the run begins; the last iteration may have fewer.
// Thread rule: pure.
#pragma once

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace marquetry::cost {

struct WindowWords {
    std::int64_t rows = 1;   ///< of the kernel
    std::int64_t pixels = 1; ///< of one of its rows
    std::int64_t words = 1;  ///< stored ones of a pixel
    /// Of an input whose slot may be read by rows of windows (WindowRead): channels of a pixel, and
    /// lanes of a word. 0: it may not.
    std::int64_t channels = 0, lanes = 0;

    constexpr std::int64_t ofRow(std::int64_t span) const { return ceilDiv(pixels * words, span); }
    /// Row by row.
    constexpr std::int64_t byRows(std::int64_t span) const { return rows * ofRow(span); }
    constexpr std::int64_t all(std::int64_t span) const;
    constexpr bool operator==(const WindowWords&) const = default;
};

/// How a unit takes the windows of a convolution from a slot of its own, in which only the lanes
/// that its channels need lie: `rows` rows of the kernel at once, each a run of `run` words.
struct WindowRead {
    std::int64_t rows = 1;
    std::int64_t run = 1;
    std::int64_t lanes = 1; ///< of a word, a power of two
    std::int64_t turns = 1; ///< of the slot, a power of two of at least rows · run

    constexpr std::int64_t words(std::int64_t kernelRows) const {
        return ceilDiv(kernelRows, rows);
    }
};

inline constexpr std::int64_t kMostTurns = 32;

/// None where the slot may not, where a run is longer than the unit's L = span · lanes operands, or
/// where words of all lanes take no longer.
constexpr std::optional<WindowRead> windowRead(const WindowWords& window, std::int64_t span) {
    if (window.channels == 0)
        return std::nullopt;
    WindowRead read;
    while (read.lanes < std::min(window.channels, window.lanes))
        read.lanes *= 2;
    read.run = window.pixels * window.words;
    read.rows = std::min(
        {window.rows, span * window.lanes / (read.run * read.lanes), kMostTurns / read.run});
    while (read.turns < read.rows * read.run)
        read.turns *= 2;
    if (read.rows < 1 || read.words(window.rows) >= window.byRows(span))
        return std::nullopt;
    return read;
}

constexpr std::int64_t WindowWords::all(std::int64_t span) const {
    const std::optional<WindowRead> read = windowRead(*this, span);
    return read ? read->words(rows) : byRows(span);
}

} // namespace marquetry::cost
