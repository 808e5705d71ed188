// Memories of many shapes, what Yosys makes of them, and the table of both.
//
// A sample is drawn from its seed: an item and one of the conflict-free schemes that the search
// finds for it. The table keeps the item and the maps, so that its rows stay what they were when
// the search learns something. Rows with seed mod 4 = 0 are held out: no model is fitted to them.
#pragma once

#include "engine/ir/memory_program.h"
#include "engine/lower_memory/banked_memory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

struct Synthesised {
    double lut = 0; ///< LUT1 … LUT6 and inverters 1 each, LUT RAM by the LUTs it takes
    double ff = 0;
    double bram = 0; ///< RAMB36; RAMB18 is a half
    double dsp = 0;
};

struct Sample {
    std::int64_t seed = 0;
    std::string body; ///< between "memory s { " and " }"
    std::vector<ir::FlatMap> maps;
    std::int64_t copies = 1;
    bool blockRam = false; ///< of the banks
    Synthesised made;

    bool heldOut() const { return seed % 4 == 0; }
};

/// Nothing when the seed gives no item with a scheme.
std::optional<Sample> drawSample(std::int64_t seed);

/// As `marquetry bank` would build it on the device of the calibration, xc7k160t.
BankedMemory memoryOf(const Sample& sample);

/// `synth_xilinx -family xc7 -flatten -noiopad -noclkbuf`, all in one run but each a hierarchy of
/// its own: starting Yosys takes longer than a memory. Names differ. Nothing when Yosys fails.
std::optional<std::vector<Synthesised>> synthesise(const std::vector<BankedMemory>& memories,
                                                   const std::string& folder);

std::string csvHead();
std::string csvRow(const Sample& sample);
std::vector<Sample> readSamples(const std::string& path);

} // namespace marquetry::hdl
