// Cells that Yosys makes of the modules of a folder, for the 7 series, flattened.
#pragma once

#include "engine/device/resources.h"

#include <string>

namespace marquetry::session {

/// `read`: the commands that read the files and choose the top. A RAMB18E1 is half a block; LUTs
/// are those of logic, inverters included, and of LUT memory. A failure of Yosys fails the test.
device::Resources synthesisedCells(const std::string& folder, const std::string& read);

} // namespace marquetry::session
