// What the rules on buffers (storage.cpp) need to know of the values that a program stores:
// whether a value is a weight, how large it is, and whether it can be a FIFO instead of a memory.
//
// A value can be a FIFO when one layer reads it, once, in the order in which it is made. In our
// loop nests that is so between an input or a tensor-wise pass and a pass without a pool: both go
// over the pixels row by row, and over the words of the channels at each pixel (design/schedule.h).
// An input arrives pixel by pixel, so it must have a single word per pixel or a single pixel.
// Products do not qualify, because they read overlapping windows, and read them again for every
// block of rows. Neither does a value with a second reader, as in a residual connection.
// Thread rule: pure.
#pragma once

#include "engine/ir/layer.h"

#include <cstdint>
#include <map>

namespace marquetry::rules {

struct StoredValue {
    bool weight = false;
    std::int64_t bits = 0;
    bool streams = false;
};

/// Inputs, weights and results of layers. `lanes`: elements per word of storage.
std::map<ir::ValueId, StoredValue> storedValues(const ir::Program& program,
                                                const ir::LayerPlan& plan, std::int64_t lanes);

} // namespace marquetry::rules
