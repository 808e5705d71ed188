// When a call counts as bound by external memory. Thread rule: pure.
#pragma once

#include <cstdint>

namespace marquetry::design {

/// Of a call that computes for so many clocks and waits for external weights in so many others: a
/// twentieth more time is worth saying so.
constexpr bool isMemoryBound(std::int64_t waiting, std::int64_t computing) {
    constexpr std::int64_t kWaitsMatter = 20;
    return waiting > computing / kWaitsMatter;
}

} // namespace marquetry::design
