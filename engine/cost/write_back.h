// The write-back of programs that scale their results: its form, time and resources.
//
// The P sums of a reduction go to a register and leave through E lanes, E at a time, while the next
// reduction runs. A lane adds a bias, multiplies, rounds, saturates, looks up, adds a stored
// operand, pools and scales again; each of these has its registers (kScaledStages bounds them).
// A reduction that has fewer words than there are such groups of results begins so much later
// (call_timing.h): E is chosen with that in mind.
//
// A product of more than 25 × 18 bits is made of several of that size at most, which are added: one
// DSP block each (multiplierBlocks). All units of a program have lanes of one form: its widths are
// the widest of all layers, the units' own and the passes' apart.
// Units: bits, clocks, blocks. Thread rule: pure.
#pragma once

#include "engine/cost/write_back_form.h"
#include "engine/device/resources.h"

#include <algorithm>
#include <cstdint>

namespace marquetry::cost {

/// Parts of a signed number of so many bits, each of at most `width` bits with its sign.
constexpr int partsOf(int bits, int width) {
    return bits <= width ? 1 : 1 + (bits - width + width - 2) / (width - 1);
}

inline constexpr int kWideFactor = 25;
inline constexpr int kNarrowFactor = 18;

/// Whether the first factor is cut into the wide parts.
constexpr bool firstIsWide(int a, int b) {
    return partsOf(a, kWideFactor) * partsOf(b, kNarrowFactor) <=
           partsOf(a, kNarrowFactor) * partsOf(b, kWideFactor);
}

/// Blocks of 25 × 18 bits of the product of two signed numbers.
constexpr int multiplierBlocks(int a, int b) {
    if (a == 0 || b == 0)
        return 0;
    return std::min(partsOf(a, kWideFactor) * partsOf(b, kNarrowFactor),
                    partsOf(a, kNarrowFactor) * partsOf(b, kWideFactor));
}

/// E: the least power of two with which the results of `parallel` rows leave in `leastWords`
/// clocks.
constexpr std::int64_t writeLanes(std::int64_t parallel, std::int64_t leastWords) {
    std::int64_t lanes = 1;
    while (lanes < parallel && lanes * leastWords < parallel)
        lanes *= 2;
    return lanes;
}

/// DSP blocks of a lane.
int laneDsp(const WriteBackForm& form);

/// Of `lanes` lanes that serve `parallel` rows, but for the memories of numbers and tables.
device::Resources laneResources(const WriteBackForm& form, std::int64_t parallel,
                                std::int64_t lanes);

/// Blocks of RAM of constants, in halves of 36 bits × 512 words.
double romBlocks(std::int64_t words, std::int64_t bits);

} // namespace marquetry::cost
