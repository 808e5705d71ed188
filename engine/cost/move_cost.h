// Time and resources of the hardware that copies elements in another order (design/move.h).
//
// A mover takes one set-up clock, a clock for each run that it copies, and two more: the word that
// was read is registered, then written. LUT and FF are estimates: the choice of a run within the
// word read, the word that is being filled, and counters and addresses of two nests.
// Units: cycles, bits. Thread rule: pure.
#pragma once

#include "engine/cost/call_timing.h"
#include "engine/device/resources.h"

#include <cstdint>

namespace marquetry::cost {

inline constexpr std::int64_t kMoveDrain = 2;

constexpr std::int64_t moveCycles(std::int64_t iterations) {
    return kSetupCycles + iterations + kMoveDrain;
}

struct MoverHardware {
    std::int64_t runBits = 64;
    std::int64_t sourceRuns = 1;  ///< in a word that is read
    std::int64_t targetBits = 64; ///< of a word that is written
    std::int64_t counterBits = 0; ///< of all loops
    std::int64_t addressBits = 0; ///< of both addresses, with the place in the word
};

device::Resources moverResources(const MoverHardware& mover);

} // namespace marquetry::cost
