// The terms of what a bank scheme costs, counted from the circuit that the generator builds and
// not yet calibrated (cost.h). Internal to the module. Thread rule: pure.
#pragma once

#include "engine/banking/cost.h"
#include "engine/banking/hardware_plan.h"

namespace marquetry::banking {

/// Names of the terms, in their order; calibration has one factor for each.
inline constexpr std::array<const char*, 11> kCostTerms = {
    "banks",        "last writer", "read data",   "bank tables",       "routing",
    "write data",   "load port",   "lane tables", "counted addresses", "decoded addresses",
    "loop counters"};

/// One per name of kCostTerms that costs anything.
std::vector<SchemeCostTerm> countTerms(const AccessPattern& pattern, const Scheme& scheme,
                                       const HardwarePlan& plan, const device::Device& device);

} // namespace marquetry::banking
