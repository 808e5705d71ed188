// The hardware blocks that a pool solution consists of, and for each call the terms that lead to
// its block.
//
// Thread rule: pure.
#pragma once

#include "engine/extract/problem.h"

namespace marquetry::extract {

/// One hardware block of a solution: an entry used by calls, or a call's private unit.
struct HardwareBlock {
    int entry = -1;
    int privatePath = -1;
    int stream = -1; ///< of the problem's stream units; then neither entry nor path
    std::vector<std::size_t> calls;
    PathCost body;
    bool pass = false;
    design::LaneFunction laneFunction = design::LaneFunction::None;

    bool streamed() const { return stream >= 0; }
};

struct BlockPlan {
    std::vector<HardwareBlock> blocks; ///< in order of first use
    std::vector<int> blockOf;          ///< by call

    const HardwareBlock& of(std::size_t call) const {
        return blocks[static_cast<std::size_t>(blockOf[call])];
    }
};

BlockPlan planBlocks(const ExtractionProblem& problem, const PoolSolution& solution);

/// From the block's class inwards, as (class, node); not of a stream unit. A nested entry's chain
/// ends at the unit it calls.
std::vector<ParentEdge> bodyChain(const ExtractionProblem& problem, const HardwareBlock& block);

/// Of the unit that has the block's products: where a body only calls a unit, it is that one's
/// class.
const UnitClass& builtClass(const ExtractionProblem& problem, const HardwareBlock& block);

/// From the call's unit class down to the outlined unit it uses; the whole body when it is private;
/// nothing when it is streamed.
std::vector<ParentEdge> callChain(const ExtractionProblem& problem, const PoolSolution& solution,
                                  std::size_t call, const HardwareBlock& block);

/// "TiledMv[576, 1152](Mv(ParallelDot[…]))".
std::string printChain(const ExtractionProblem& problem, const std::vector<ParentEdge>& chain);

} // namespace marquetry::extract
