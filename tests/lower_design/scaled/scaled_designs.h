// Schedules of programs that scale their results, on units of chosen sizes.
#pragma once

#include "tests/lower_design/schedule_builder.h"

#include <cstdint>
#include <string>

namespace marquetry::test {

struct ScaledHardware {
    std::int64_t lanes = 8;
    std::int64_t parallel = 8;
    std::int64_t writeLanes = 8;
    std::int64_t span = 1; ///< words at once
    bool wholeWindows = false;
};

/// One unit for each pair of element types and one for each type that passes read. The design has
/// no values.
TestDesign scaledDesign(const std::string& text, const ScaledHardware& hardware);

} // namespace marquetry::test
