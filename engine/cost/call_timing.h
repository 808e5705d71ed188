// Exact cycles of the three kinds of schedule steps on our hardware, from plain integers.
//
// The extractor's cost model prices calls with these functions, design/cycle_model.cpp predicts a
// whole schedule with them, and the sequencer's drain counts are generated from them: there is no
// second opinion about time.
//
// A step takes one set-up clock, then:
//   compute  one clock per innermost iteration of the nest; between two reductions also the clocks
//            in which the results of the first would leave later than the words of the second are
//            read (reductionClocks); then the drain of the unit's pipeline:
//            memory read, word register, operand register, product, adder tree (log2 lanes levels),
//            accumulator, epilogue (kEpilogueStages; where results are scaled, kScaledStages) and
//            the clocks in which all but the first group of them leave — a pass enters the epilogue
//            after the operand register, a lane unit has no adder tree, and that of a pool no
//            multipliers either;
//   load     one clock per stream element group, then one clock for the last word's write;
//   store    one clock per stream element group, then three (memory read, word register, beat
//            register).
// Clocks in which a stream makes the hardware wait are not counted. A program takes the sum over
// its steps. Units: cycles. Thread rule: pure.
#pragma once

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cstdint>

namespace marquetry::cost {

inline constexpr std::int64_t kSetupCycles = 1;
inline constexpr std::int64_t kEpilogueStages = 6;
/// Likewise where results are scaled (cost/write_back.h).
inline constexpr std::int64_t kScaledStages = 40;
/// From the clock an address is issued to the clock its operand is registered: the memory is read,
/// its words are turned, then chosen and padded.
inline constexpr std::int64_t kOperandLatency = 3;
/// Likewise of an addend, whose word is neither turned nor padded.
inline constexpr std::int64_t kAddendLatency = 2;
inline constexpr std::int64_t kStreamBeatBits = 64;

struct CallShape {
    std::int64_t rowBlocks = 1;      ///< ceil(rows / parallel); words of a pixel for a pass
    std::int64_t pixels = 1;         ///< output pixels visited, before pooling
    std::int64_t reductionWords = 1; ///< kernel · channelWords; 1 for a tensor-wise pass
    std::int64_t lanes = 8;          ///< of the schedule: a power of two
    bool pass = false;
    bool lanewise = false;   ///< each lane reduces a window of its own; a pass: a pool
    bool scales = false;     ///< results are scaled (cost/write_back.h)
    std::int64_t groups = 1; ///< clocks in which the results of a reduction leave
};

/// log2 of a power of two.
constexpr std::int64_t treeLevels(std::int64_t lanes) {
    std::int64_t levels = 0;
    while ((std::int64_t{1} << levels) < lanes)
        ++levels;
    return levels;
}

/// From the clock an address is issued to the clock its value stands at the epilogue's input.
constexpr std::int64_t reductionLatency(std::int64_t lanes, bool pass, bool lanewise = false) {
    const std::int64_t accumulator = lanewise ? 1 : 0;
    return pass ? kOperandLatency + accumulator
                : kOperandLatency + 2 + (lanewise ? 0 : treeLevels(lanes));
}

/// Clocks between the last issued iteration and the next step.
constexpr std::int64_t drainCycles(const CallShape& shape) {
    // Sums that leave in groups wait in a register, which kScaledStages counts.
    const std::int64_t grouped = shape.groups > 1 ? shape.groups : 0;
    const std::int64_t stages =
        shape.scales ? kScaledStages + shape.groups - 1 : kEpilogueStages + grouped;
    return reductionLatency(shape.lanes, shape.pass, shape.lanewise) + stages;
}

/// From the first word of a reduction to that of the next: the results of a reduction leave while
/// the next one runs, which is as long as they take.
constexpr std::int64_t reductionClocks(std::int64_t words, std::int64_t groups) {
    return std::max(words, groups);
}

/// Between two reductions: clocks in which no word is read.
constexpr std::int64_t reductionWait(const CallShape& shape) {
    return reductionClocks(shape.reductionWords, shape.groups) - shape.reductionWords;
}

/// Nothing waits for the results of the last reduction but the drain.
constexpr std::int64_t computeCycles(const CallShape& shape) {
    const std::int64_t clocks = reductionClocks(shape.reductionWords, shape.groups);
    return kSetupCycles + shape.rowBlocks * shape.pixels * clocks - reductionWait(shape) +
           drainCycles(shape);
}

/// Elements a store moves per clock: a whole 64-bit beat when the channels fill beats evenly, else
/// one. `elementBits` is the width in the stream: 8, 16 or 32.
constexpr std::int64_t storeElements(std::int64_t channels, std::int64_t elementBits) {
    const std::int64_t perBeat = kStreamBeatBits / elementBits;
    return channels % perBeat == 0 ? perBeat : 1;
}

/// Elements a load moves per clock, never of two pixels: a beat's, or what is left of the pixel.
/// What a beat holds beyond that waits for the next clocks.
constexpr std::int64_t loadElements(std::int64_t channels, std::int64_t elementBits) {
    return std::min(channels, kStreamBeatBits / elementBits);
}

/// Until the last word is in its memory.
inline constexpr std::int64_t kLoadDrain = 1;

constexpr std::int64_t loadCycles(std::int64_t pixels, std::int64_t channels,
                                  std::int64_t elementBits) {
    const std::int64_t clocks = ceilDiv(channels, loadElements(channels, elementBits));
    return kSetupCycles + pixels * clocks + kLoadDrain;
}

constexpr std::int64_t storeCycles(std::int64_t pixels, std::int64_t channels,
                                   std::int64_t elementBits) {
    return kSetupCycles + pixels * channels / storeElements(channels, elementBits) + 3;
}

} // namespace marquetry::cost
