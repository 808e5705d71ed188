// Printed netlists before the tools: simulated with given inputs, linted, read by synthesis.
#pragma once

#include "engine/rtl/module.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

/// Every module of a netlist, by name.
std::map<std::string, std::string> textsOf(const rtl::ModulePtr& top);
/// All of them, one after another.
std::string textOf(const rtl::ModulePtr& top);

/// Values by port; of outputs nullopt when a bit is unknown. Ports have up to 64 bits.
using PortValues = std::map<std::string, std::uint64_t>;
using SeenValues = std::map<std::string, std::optional<std::uint64_t>>;

/// What stands on the outputs at the end of each clock; inputs change at its begin and registers
/// in its middle when there is a port aclk. Simulated by Icarus Verilog.
std::vector<SeenValues> simulateRows(const rtl::ModulePtr& top,
                                     const std::vector<PortValues>& rows);

/// What `verilator --lint-only -Wall` says, unused signals left out; "" when nothing. `silenced`:
/// other warnings that are left out.
std::string lintOf(const rtl::ModulePtr& top, const std::vector<std::string>& silenced = {});
/// Yosys's complaints about the netlist synthesised for "xilinx -family xc7", "ecp5", ...
std::string synthesisOf(const rtl::ModulePtr& top, const std::string& target, rtl::Vendor vendor,
                        std::string* statistics = nullptr);

} // namespace marquetry::test
