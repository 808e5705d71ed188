// The target without a vendor: a list of the sources, and the commands that simulate them.
//
//   NAME.f       sources, each before its users, from the export's folder; for -f of simulators
//   README.md    a command for Verilator and one for Icarus
// Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

namespace marquetry::vendor {

files::FolderFiles verilogFiles(const Project& project);

/// "NAME.f" and its text.
std::string filelistName(const Project& project);
std::string filelistText(const Project& project);

/// From the export's folder: compile and run a bench, or check the sources where there is none.
std::string verilatorCommand(const Project& project);
std::string icarusCommand(const Project& project);

} // namespace marquetry::vendor
