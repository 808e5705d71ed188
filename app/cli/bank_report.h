// What `marquetry bank` says: text for people, or the JSON object of the command-line reference.
// Thread rule: main thread.
#pragma once

#include "app/cli/report.h"
#include "engine/banking/plan.h"

namespace marquetry::cli {

Json bankJson(const ir::MemoryProgram& memory, const banking::Pattern& pattern,
              const banking::Plan& plan, const device::Device& device, double searchMicroseconds);

void printBank(const ir::MemoryProgram& memory, const banking::Pattern& pattern,
               const banking::Plan& plan, const device::Device& device);

} // namespace marquetry::cli
