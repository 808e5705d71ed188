// Many circuits under Yosys in one run: `synth_xilinx -family xc7 -flatten -noiopad -noclkbuf`.
#pragma once

#include "engine/device/resources.h"
#include "engine/rtl/netlist.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::test {

struct Circuit {
    std::string top; ///< the name of one of its modules, and of no other circuit's
    std::vector<hdl::Module> modules;
};

/// Adds what a line of `stat` says of one module.
using CountCell = std::function<void(const std::string& line, device::Resources& area)>;

/// Each circuit stays a hierarchy of its own: starting Yosys takes longer than a small circuit.
/// Nothing when Yosys fails; its files are in `folder` then.
std::optional<std::vector<device::Resources>>
synthesise(const std::vector<Circuit>& circuits, const std::string& folder, const CountCell& count);

} // namespace marquetry::test
