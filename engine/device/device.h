// A device: its resources, block RAM shapes, clock and external memory.
//
// Figures carry their source in the device file; what is recalled or assumed stays marked there.
// Thread rule: immutable after loading.
#pragma once

#include "engine/device/resources.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::device {

struct RamShape {
    int width = 0; ///< bits
    std::int64_t depth = 0;
};

/// Columns of blocks, or of halves of blocks, side by side.
struct RamColumns {
    std::int64_t width = 0; ///< bits of one; the last may hold fewer
    std::int64_t number = 0;
    double blocks = 0;     ///< of all
    std::int64_t rows = 0; ///< blocks of a column, one behind the other
};

struct Device {
    std::string id;
    std::string name;
    std::string part;
    std::string family;
    Resources limits;
    std::string ramKind;             ///< "RAMB36", "M20K", …
    std::vector<RamShape> ramShapes; ///< of one block, simple dual port
    bool halfRam = false;            ///< half a block serves half the width (RAMB18)
    int int8ProductsPerDsp = 1;
    /// The products of a block have one factor in common (cost/unit_cost.h).
    bool int8ProductsShareFactor = false;
    double clockMhz = 100;
    double memoryBytesPerCycle = 0; ///< 0: no external memory
    std::int64_t memoryLatencyCycles = 0;
    std::string lutUnit = "LUT";
    std::vector<std::string> notes; ///< which figures are assumed

    /// A simple dual-port memory of `words` × `width` bits in blocks of one shape, that which takes
    /// the fewest: ceil(width / w) columns of ceil(words / d) blocks. Nothing where there are no
    /// words or bits.
    RamColumns ramColumns(std::int64_t words, std::int64_t width) const;
    double ramBlocks(std::int64_t words, std::int64_t width) const {
        return ramColumns(words, width).blocks;
    }
};

} // namespace marquetry::device
