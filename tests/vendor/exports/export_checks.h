// What must hold of every export's folder, whatever it was made of: checked with the tools that
// are at hand and with the stand-ins of those that are not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace marquetry::test {

/// What is wrong in the folder, one a line; empty: nothing. Leaves no file in it but what Vivado's
/// scripts build, and needs no other. Rules: scripts run to their end under the stand-ins
/// (tests/vendor/stub); component.xml and .core by the rules of their formats; C compiles as
/// strictly as users may ask; Verilator, Icarus and Yosys read the hardware without a remark.
std::vector<std::string> faultsOfExport(const std::filesystem::path& folder);

/// Yosys' synthesis for a family of devices ("xc7", "ecp5" …): what it remarks of the hardware.
std::string remarksOfSynthesis(const std::filesystem::path& folder, const std::string& family);

/// The commands of README.md, as they stand there.
std::vector<std::string> readmeCommands(const std::filesystem::path& folder);

} // namespace marquetry::test
