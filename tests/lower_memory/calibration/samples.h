// Memories of many shapes, what Yosys makes of them, and the table of both
// (tests/calibration/calibration.h).
//
// A sample is an item and one of the conflict-free schemes that the search finds for it. The table
// keeps the item and the maps, so that its rows stay what they were when the search learns
// something.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/lower_memory/banked_memory.h"
#include "tests/calibration/calibration.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct Sample {
    std::int64_t seed = 0;
    std::string body; ///< between "memory s { " and " }"
    std::vector<ir::FlatMap> maps;
    std::int64_t copies = 1;
    bool blockRam = false;  ///< of the banks
    device::Resources made; ///< LUTs with inverters, and LUT RAM by the LUTs it takes

    bool heldOut() const { return test::isHeldOut(seed); }
};

/// Nothing when the seed gives no item with a scheme.
std::optional<Sample> drawSample(std::int64_t seed);

/// As `marquetry bank` would build it on the device of the calibration, xc7k160t.
BankedMemory memoryOf(const Sample& sample);

test::Circuit circuitOf(const BankedMemory& memory);
void countCell(const std::string& line, device::Resources& made);
/// Nothing when Yosys fails.
std::optional<std::vector<device::Resources>> synthesise(const std::vector<BankedMemory>& memories,
                                                         const std::string& folder);

/// The row of the table: its fields are the kind of RAM, the maps and the copies.
test::SampleRow rowOf(const Sample& sample);
std::vector<Sample> readSamples(const std::string& path);

} // namespace marquetry::hdl
