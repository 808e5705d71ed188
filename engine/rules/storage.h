// What storage rules must know of the values a program stores (storage.cpp has the rules).
//
// A value streams when one layer reads it, once, in the order in which it is made. Our nests make
// that so between an input or a tensor-wise pass and a pass without a pool: both go word by word of
// the channels over the pixels, row by row (design/schedule.h). An input arrives pixel by pixel, so
// there it takes a single word or a single pixel. Products read windows, and read them again for
// every block of rows. A residual's second reader is one too many.
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
