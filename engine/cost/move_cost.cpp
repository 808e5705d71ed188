#include "engine/cost/move_cost.h"

#include "engine/support/checked_math.h"

namespace marquetry::cost {

device::Resources moverResources(const MoverHardware& mover) {
    // A LUT chooses one of four bits.
    const std::int64_t choice = mover.runBits * ceilDiv(mover.sourceRuns - 1, 3);
    device::Resources resources;
    // An address is a sum of itself and the constant of the loop that advances.
    resources.lut =
        static_cast<double>(choice + 2 * mover.counterBits + 2 * mover.addressBits + 12);
    resources.ff =
        static_cast<double>(mover.targetBits + mover.counterBits + 2 * mover.addressBits + 8);
    return resources;
}

} // namespace marquetry::cost
