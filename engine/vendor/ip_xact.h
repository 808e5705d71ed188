// IP-XACT: the hardware as a component of IEEE 1685-2009, with what Vivado has added to it.
//
// Interfaces: clock, reset, every AXI4-Stream, and with registers AXI4-Lite, its address block with
// all registers and fields, and the interrupt. Facts: the schema's order of elements (component,
// busInterface, memoryMap, register, port, fileSet); Vivado's names of views, parameters of buses
// and extensions (UG1118). Thread rule: pure. Complexity: linear in the text.
#pragma once

#include "engine/vendor/project.h"

#include <string>
#include <utility>
#include <vector>

namespace marquetry::vendor {

/// component.xml; its files are those of the export, relative to the export's folder.
std::string ipXact(const Project& project);

/// One sentence for catalogues.
std::string coreDescription(const Project& project);

/// "a:b:c": the interfaces that the clock times.
std::string associatedInterfaces(const Project& project);

/// What Vivado is told of the master, by name.
std::vector<std::pair<std::string, std::string>> memoryParameters(const ProjectMemory& memory);

/// As IP-XACT says it: of a register all that any of its fields allows.
std::string accessOf(const hdl::ControlRegister& control);
std::string accessOf(const hdl::ControlField& field);

/// The script of the window with the core's parameters, which Vivado wants beside a core.
std::string coreWindowPath(const Project& project);
std::string coreWindow();

} // namespace marquetry::vendor
