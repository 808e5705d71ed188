// Kernels under Yosys: `synth_xilinx -family xc7 -flatten -noiopad -noclkbuf`.
#pragma once

#include "engine/device/resources.h"
#include "engine/rtl/netlist.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

/// LUTs of a cell, with those that store: a shift register takes one, an addressed memory as many
/// as its ports read. Inverters are none.
double lutsOf(const std::string& cell);

/// What `stat` prints of one module, line by line.
void countCell(const std::string& line, device::Resources& area);

/// Several modules in one run, each a hierarchy of its own: starting Yosys takes longer than a
/// small kernel. Names differ. Nothing when Yosys fails; its files are in `folder` then.
std::optional<std::vector<device::Resources>> synthesise(const std::vector<hdl::Module>& modules,
                                                         const std::string& folder);

} // namespace marquetry::test
