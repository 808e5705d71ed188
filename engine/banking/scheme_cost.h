// What a bank scheme costs, as data; cost.h counts it. Units: LUTs, flip-flops, DSP blocks and
// block RAMs of the device. Thread rule: value types.
#pragma once

#include "engine/banking/scheme.h"
#include "engine/device/resources.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::banking {

struct SchemeCostTerm {
    std::string name;    ///< "banks", "last writer", "read data", …
    std::string formula; ///< "4 banks × 16 words × 32 bits in LUTs: 4 × 32 LUT"
    device::Resources resources;
};

struct SchemeCost {
    std::vector<SchemeCostTerm> terms;
    device::Resources total;
    std::vector<std::vector<std::int64_t>> banksSeen; ///< per group and lane
};

struct PricedScheme {
    Scheme scheme;
    SchemeCost cost;
};

} // namespace marquetry::banking
