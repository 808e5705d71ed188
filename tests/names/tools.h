// Many exports before the tools at once: each tool is started once for all that go together.
#pragma once

#include "tests/names/named_hardware.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// What a tool said of exports that it does not take as they are; empty: nothing.
struct ToolsSaid {
    std::string icarus;    ///< iverilog -g2001, with the benches
    std::string verilator; ///< --lint-only -Wall
    std::string yosys;     ///< read_verilog; hierarchy -check; proc
};

ToolsSaid askTools(const std::vector<NamedHardware>& items);

} // namespace marquetry::test
