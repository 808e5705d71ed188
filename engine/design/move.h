// Moves: elements copied from one memory to another, loops as data.
//
// A memory is seen as lanes in a row: element (pixel p, channel c) of a tensor whose pixels take W
// words of `lanes` elements lies W · lanes · p + c lanes behind the first one (PixelLayout). A walk
// is a nest of loops, outermost first, that visits lane start + Σ index · stride. A move has two,
// of the source and of the target, with equally many iterations; in each clock the `run` lanes from
// the one on are copied to those from the other on. So whatever keeps neighbouring channels
// together moves that many at once, and any change of layout whose two orders are nests is one
// move.
//
// Runs are aligned: starts and strides are multiples of `run`, a power of two. Lanes behind the
// last channel of a pixel may be copied along; they hold no meaning on either side. Units: lanes,
// elements. Complexity: linear in the loops. Thread rule: value types, pure.
#pragma once

#include <cstdint>
#include <vector>

namespace marquetry::design {

struct WalkLoop {
    std::int64_t count = 1;
    std::int64_t stride = 0;
    bool operator==(const WalkLoop&) const = default;
};

struct Walk {
    std::int64_t start = 0;
    std::vector<WalkLoop> loops{}; ///< outermost first; strides are not negative

    std::int64_t iterations() const;
    std::int64_t last() const; ///< the greatest that it visits
    /// Of iteration k.
    std::int64_t at(std::int64_t k) const;
    bool operator==(const Walk&) const = default;
};

struct Move {
    std::int64_t run = 1;
    /// The target is written so many neighbouring lanes at a time, or a multiple, aligned.
    std::int64_t together = 1;
    Walk source, target;
    bool operator==(const Move&) const = default;
};

/// How pixels lie in a memory.
struct PixelLayout {
    std::int64_t channels = 1;
    std::int64_t lanes = 1; ///< from a pixel to the next
};
/// Of a tensor of so many channels in words of `lanes`.
PixelLayout layoutOf(std::int64_t channels, std::int64_t lanes);

} // namespace marquetry::design
