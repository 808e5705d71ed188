// Kernels under Yosys (tests/calibration/synthesis.h).
#pragma once

#include "tests/calibration/synthesis.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

/// LUTs of a cell, with those that store: a shift register takes one, an addressed memory as many
/// as its ports read. Inverters are none.
double lutsOf(const std::string& cell);

/// What `stat` prints of one module, line by line.
void countCell(const std::string& line, device::Resources& area);

/// Several netlists, each a circuit.
std::optional<std::vector<device::Resources>> synthesise(const std::vector<hdl::Netlist>& netlists,
                                                         const std::string& folder);

} // namespace marquetry::test
