// What `marquetry bank` says to people; engine/session/bank_json.h says it to programs.
// Thread rule: main thread.
#pragma once

#include "app/cli/report.h"
#include "engine/banking/plan.h"

namespace marquetry::cli {

void printBank(const ir::MemoryProgram& memory, const banking::AccessPattern& pattern,
               const banking::Plan& plan, const device::Device& device);

} // namespace marquetry::cli
