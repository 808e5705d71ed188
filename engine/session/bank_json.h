// A bank scheme of a memory as the `bank` JSON object (cli.md, "JSON"): what the command line
// prints and DESIGN.json of an export holds.
//
// Without the fields "marquetry", "schema" and the time of the search: equal plans, equal bytes.
// Thread rule: pure.
#pragma once

#include "engine/banking/plan_result.h"
#include "engine/device/device.h"
#include "engine/support/json.h"

namespace marquetry::session {

/// `chosen` is one of the plan's front, or another scheme that serves the pattern.
nlohmann::ordered_json bankJson(const ir::MemoryProgram& memory,
                                const banking::AccessPattern& pattern, const banking::Plan& plan,
                                const banking::PricedScheme& chosen, const device::Device& device);

} // namespace marquetry::session
