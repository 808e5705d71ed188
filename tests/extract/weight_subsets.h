// Where block RAM is short: what extraction answers, against every choice of calls whose weights
// are external, of every design on the front of units, each replayed word by word.
//
// Extraction chooses among them by an estimate, so a replay may know a better choice; what it says
// of itself must hold: that there is a design, that none is faster than its bound, and that an
// optimal one is the fastest. Every choice is tried with the shortest rings and with the longest
// that the blocks leave room for.
//
// An answer may be one in bands of rows, where no choice has room or all are slower.
//
// Thread rule: pure.
#pragma once

#include "tests/extract/small_programs.h"

namespace marquetry::test {

struct WeightTally {
    int compared = 0;
    int feasible = 0;
    int reading = 0;  ///< answers that read weights in every run
    int fastest = 0;  ///< answers than which no choice is faster
    int other = 0;    ///< designs with bands or rings of LUTs
    int replays = 0;  ///< of schedules
    double worst = 1; ///< cycles of an answer over those of the fastest choice
};

/// Devices with memories of a few words, with and without external memory; limits on blocks that
/// do or do not hold all weights.
void compareWeights(const SmallProgram& program, std::uint64_t seed, WeightTally& tally);

} // namespace marquetry::test
