// What extraction answers to each objective, against CBC: no answer better, and none worse.
//
// Extraction is asked as a user asks it, with no end of block RAM and logic; CBC is asked for the
// least Σ of the calls' cycles within a number of DSP blocks (milp.h). As blocks are whole, an
// answer of D blocks is the smallest exactly when there is none within D − 1, and a front is whole
// exactly when the fastest of its points within every number of blocks is CBC's answer.
//
// Thread rule: pure.
#pragma once

#include "tests/extract/small_programs.h"

namespace marquetry::test {

/// Programs, and questions to CBC.
struct ObjectiveTally {
    int compared = 0;
    int feasible = 0;  ///< programs that have a design
    int undecided = 0; ///< that CBC's time did not suffice for; the answer lies between its bounds
    int asked = 0;
    int points = 0; ///< of fronts
};

void compareLatency(const SmallProgram& program, ObjectiveTally& tally);
/// Under a limit on cycles, drawn between those of the fastest and the smallest design.
void compareArea(const SmallProgram& program, std::uint64_t seed, ObjectiveTally& tally);
void compareFront(const SmallProgram& program, ObjectiveTally& tally);
/// Of every number of frames that was tried the fastest run, and that by frame none of them gains
/// more than kLeastGain on the answer.
void compareThroughput(const SmallProgram& program, ObjectiveTally& tally);

} // namespace marquetry::test
