// The write-back of programs that scale their results: its form, time and resources.
//
// The P sums of a reduction go to a register and leave through E lanes, E at a time, while the next
// reduction runs. A lane adds a bias, multiplies, rounds, saturates, looks up, adds a stored
// operand, pools and scales again; each of these has its registers (kScaledStages bounds them).
// A reduction that has fewer words than there are such groups of results begins so much later
// (call_timing.h): E is chosen with that in mind.
//
// A product of more than 25 × 18 bits is made of several of that size at most, which are added: one
// DSP block each (multiplierBlocks), but for a few bits that are left over (kLogicBits). All units
// of a program have lanes of one form: its widths are the widest of all layers, the units' own and
// the passes' apart. Units: bits, clocks, blocks. Thread rule: pure.
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

/// A part that a cut leaves over is multiplied in logic where it has at most so many bits, two of
/// them at a time.
inline constexpr int kLogicBits = 9;
inline constexpr int kLogicStep = 2;

/// Bits of the part left over, the highest, with its sign.
constexpr int lastPart(int bits, int width) {
    return bits - (partsOf(bits, width) - 1) * (width - 1);
}

/// Whether what is left over, where there is a cut, is multiplied in logic.
constexpr bool lastInLogic(int bits, int width) {
    return partsOf(bits, width) > 1 && lastPart(bits, width) <= kLogicBits;
}

/// Parts that take blocks.
constexpr int wholeParts(int bits, int width) {
    return partsOf(bits, width) - (lastInLogic(bits, width) ? 1 : 0);
}

/// Blocks with the first factor cut into parts of one width, the second into those of the other.
constexpr int blocksCut(int a, int b, int widthOfA, int widthOfB) {
    return wholeParts(a, widthOfA) * wholeParts(b, widthOfB);
}

/// Whether the first factor is cut into the wide parts.
constexpr bool firstIsWide(int a, int b) {
    const int wide = blocksCut(a, b, kWideFactor, kNarrowFactor);
    const int narrow = blocksCut(a, b, kNarrowFactor, kWideFactor);
    return wide < narrow ||
           (wide == narrow && partsOf(a, kWideFactor) * partsOf(b, kNarrowFactor) <=
                                  partsOf(a, kNarrowFactor) * partsOf(b, kWideFactor));
}

/// Blocks of 25 × 18 bits of the product of two signed numbers.
constexpr int multiplierBlocks(int a, int b) {
    if (a == 0 || b == 0)
        return 0;
    return firstIsWide(a, b) ? blocksCut(a, b, kWideFactor, kNarrowFactor)
                             : blocksCut(a, b, kNarrowFactor, kWideFactor);
}

/// What of a product is in logic.
struct LogicPart {
    int terms = 0; ///< that are added to those of the blocks
    int bits = 0;  ///< of all of them
};

/// Of the products of all parts, one of which is left over.
constexpr LogicPart logicPart(int a, int b) {
    LogicPart logic;
    if (a == 0 || b == 0)
        return logic;
    const int widthOfA = firstIsWide(a, b) ? kWideFactor : kNarrowFactor;
    const int widthOfB = firstIsWide(a, b) ? kNarrowFactor : kWideFactor;
    const auto add = [&logic](int shortPart, int other) {
        const int terms = (shortPart + kLogicStep - 1) / kLogicStep;
        logic.terms += terms;
        logic.bits += terms * (other + kLogicStep);
    };
    if (lastInLogic(a, widthOfA))
        for (int part = 0; part < partsOf(b, widthOfB); ++part)
            add(lastPart(a, widthOfA), std::min(b, widthOfB));
    if (lastInLogic(b, widthOfB))
        for (int part = 0; part < wholeParts(a, widthOfA); ++part)
            add(lastPart(b, widthOfB), std::min(a, widthOfA));
    return logic;
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
