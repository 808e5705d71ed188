#include "engine/cost/deep_memory.h"

#include "engine/device/lut6.h"

namespace marquetry::cost {

double deepMemoryLuts(const device::Device& device, std::int64_t words, std::int64_t bits) {
    return static_cast<double>(bits * device::muxLuts(device.ramColumns(words, bits).rows));
}

} // namespace marquetry::cost
