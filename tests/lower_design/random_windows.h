// Random designs of windows in every form: convolutions, depth-wise ones and pools with kernels,
// strides and pads that differ by axis and side, pads of any value, groups, and channels that fill
// no whole words. What they compute is the interpreter's; their schedules are built as those of
// explored programs are.
#pragma once

#include "engine/design/build_schedule.h"
#include "tests/lower_design/schedule_builder.h"

#include <functional>
#include <optional>

namespace marquetry::test {

/// The same seed gives the same text.
std::string randomWindowsText(std::uint64_t seed);
/// The design of that text, with random lanes, rows and words at once, in half of the cases with
/// all depth-wise convolutions in groups.
TestDesign randomWindows(std::uint64_t seed);

/// The design of that text with some layers in bands of rows; nothing where none can be. `ahead` as
/// in the request.
std::optional<TestDesign> randomBands(std::uint64_t seed, std::size_t ahead = 0);

/// The design of a program's text, each function on a unit of its own; products with weights and
/// lane units take `span` words at once, and inputs and results whole windows. `groupedChannels`
/// as in ir::LayerParams.
TestDesign designOf(const std::string& text, std::int64_t lanes, std::int64_t parallel,
                    std::int64_t span = 1, bool wholeWindows = false,
                    std::int64_t groupedChannels = 0,
                    const std::function<void(design::ScheduleRequest&)>& adjust = {});

} // namespace marquetry::test
