// Drivers of exports inside a simulation of their hardware in Verilator (software/shell): registers
// through AXI4-Lite, frames through DMAs, weights from memory.
#pragma once

#include "engine/artefact/opened_export.h"
#include "engine/vendor/project.h"

#include <filesystem>
#include <string>

namespace marquetry::test {

/// Of a folder with sw/ and the hardware of `sources` (paths apart by spaces): build/sim, whose
/// first argument is "drive" for `driver` (a file of software/shell), "check" for the export's own
/// program, or "serve". A failed build fails the test.
void buildSimulation(const std::filesystem::path& folder, const vendor::Project& project,
                     const std::string& sources, const std::string& driver);

/// What an export of a design behind registers is to drivers: its streams, registers, memory.
vendor::Project softwareProjectOf(const hdl::ExportFolder& source);

} // namespace marquetry::test
