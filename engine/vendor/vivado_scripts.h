// The texts of the files for Vivado, one by one (vivado.h says what they are).
//
// Thread rule: pure. Complexity: linear in the text.
#pragma once

#include "engine/vendor/project.h"

#include <string>

namespace marquetry::vendor {

/// Vendor, library and version of the core: with the project's name, how Vivado knows it.
inline constexpr const char* kCoreVendor = "marquetry";
inline constexpr const char* kCoreLibrary = "user";
inline constexpr const char* kCoreVersion = "1.0";
/// Name of the memory map's only block, in the core and in block designs.
inline constexpr const char* kRegisterBlock = "registers";

/// Whether a block design can be built around the project.
bool hasSystem(const Project& project);
/// Whether project.tcl builds that system, for a board.
bool buildsSystem(const Project& project);

std::string vivadoConstraints(const Project& project);
std::string vivadoProjectScript(const Project& project);
std::string vivadoBuildScript(const Project& project);
std::string vivadoEstimateScript(const Project& project);
std::string vivadoCoreScript(const Project& project);
/// Of a project for which hasSystem holds.
std::string vivadoSystemScript(const Project& project);
std::string vivadoReadme(const Project& project);

/// "[list \" and one path a line: what commands that take files want.
std::string vivadoFileList(const std::vector<std::string>& paths);
/// The first lines of a script: what it does, how it is run, what wrote it.
std::string vivadoHead(const Project& project, const std::string& script, const std::string& what);

} // namespace marquetry::vendor
